// The stage that changes the velocities of notes.

import UnitRender

/// Changes the velocities of note-ons on some channels: by a curve, then companded, then scaled to
/// a range.
///
/// - The curve turns velocities 1…127 into 1…127: linear, exponential, logarithmic, fixed, or drawn
///   through up to eight points, straight between them and level outside. Without points it is
///   linear.
/// - Compand multiplies the distance from a centre: below 1 it evens a touch out, above 1 it
///   sharpens it.
/// - The curve's 1 becomes the low end of the output range, its 127 the high end; a reversed range
///   reverses the touch.
///
/// A note-on never becomes a note-off, and note-offs pass unchanged.
struct VelocityStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { VelocityParameter.count } }
  static var kinds: UInt16 { @_noLocks @_noAllocation get { MessageKind.noteOn.bit } }

  /// A point of the drawn curve; an input of 0 is none.
  private struct Point: BitwiseCopyable {
    var input = 0
    var output = 1
  }

  private enum Curve: Int, BitwiseCopyable {
    case linear, exponential, logarithmic, fixed, points
  }

  /// The channels whose velocities are changed; bit n is channel n + 1.
  private var channels: UInt16 = .max
  private var curve = Curve.linear
  private var shape = 3.0
  private var fixed = 100
  private var output = (low: 1, high: 127)
  private var compand = 1.0
  private var compandCenter = 64
  private var points = InlineArray<8, Point>(repeating: Point())
  private var known = ValueMemory()

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) { ResponseCurve.bind() }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    known.forget()
    switch VelocityParameter(rawValue: index) {
    case .curve: curve = Curve(rawValue: wholeNumber(value, from: 0, through: 4)) ?? .linear
    case .shape: shape = number(value, from: 0.1, through: 10)
    case .fixed: fixed = wholeNumber(value, from: 1, through: 127)
    case .outputLow: output.low = wholeNumber(value, from: 1, through: 127)
    case .outputHigh: output.high = wholeNumber(value, from: 1, through: 127)
    case .compand: compand = number(value, from: 0, through: 4)
    case .compandCenter: compandCenter = wholeNumber(value, from: 1, through: 127)
    case .channels, .points, nil:
      channels.setSwitch(index, to: value)
      setPoint(index &- VelocityParameter.points.rawValue, to: value)
    }
  }

  @_noLocks @_noAllocation
  private mutating func setPoint(_ index: Int, to value: Float) {
    if index < 0 || index >= 2 * VelocityParameter.pointCount { return }
    if index & 1 == 0 {
      points[index / 2].input = wholeNumber(value, from: 0, through: 127)
    } else {
      points[index / 2].output = wholeNumber(value, from: 1, through: 127)
    }
  }

  /// Does nothing, since nothing is held.
  @_noLocks @_noAllocation
  mutating func reset() {}

  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    if !kind.isNoteOn || !channels.has(bit: message.channel) { return message }
    let velocity = known.result(of: message.value)
    return message.with(value: velocity == ValueMemory.unknown ? workOut(message.value) : velocity)
  }

  @_noLocks @_noAllocation @inline(never)
  private mutating func workOut(_ velocity: Int) -> Int {
    let changed = changed(velocity)
    known.keep(changed, of: velocity)
    return changed
  }

  @_noLocks @_noAllocation
  private mutating func changed(_ velocity: Int) -> Int {
    let center = Double(compandCenter - 1) / 126
    let level = unitInterval(center + (curved(velocity) - center) * compand)
    return rounded(Double(output.low) + Double(output.high - output.low) * level)
  }

  /// The curve's level, 0…1 for velocities 1…127.
  @_noLocks @_noAllocation
  private mutating func curved(_ velocity: Int) -> Double {
    let level = Double(velocity - 1) / 126
    switch curve {
    case .linear: return level
    case .exponential: return ResponseCurve.exponential.value(level, shape: shape)
    case .logarithmic: return ResponseCurve.logarithmic.value(level, shape: shape)
    case .fixed: return Double(fixed - 1) / 126
    case .points: return (drawn(velocity) - 1) / 126
    }
  }

  /// The drawn curve's output; of points with one input the last counts.
  @_noLocks @_noAllocation
  private mutating func drawn(_ velocity: Int) -> Double {
    var below = Point()
    var above = Point()
    var index = 0
    while index < VelocityParameter.pointCount {
      let point = points[index]
      if point.input > 0 {
        if point.input <= velocity && point.input >= below.input { below = point }
        if point.input >= velocity && (above.input == 0 || point.input <= above.input) {
          above = point
        }
      }
      index &+= 1
    }
    if below.input == 0 && above.input == 0 { return Double(velocity) }
    if below.input == 0 { return Double(above.output) }
    if above.input == 0 || above.input == below.input { return Double(below.output) }
    let part = Double(velocity - below.input) / Double(above.input - below.input)
    return Double(below.output) + Double(above.output - below.output) * part
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum VelocityParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case curve = 16
  case shape, fixed, outputLow, outputHigh, compand, compandCenter
  /// The first of the points: input and output of each, alternating.
  case points = 23

  package static var pointCount: Int { @_noLocks @_noAllocation get { 8 } }

  static var count: Int { @_noLocks @_noAllocation get { points.rawValue &+ 2 &* pointCount } }
}
