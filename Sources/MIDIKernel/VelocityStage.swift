// The stage that gives notes other velocities.

/// Changes the velocities of note-ons on some channels: by a curve, then companded, then laid onto a range.
///
/// - The curve turns velocities 1…127 into 1…127: linear, exponential, logarithmic, fixed, or drawn
///   through up to eight points, straight between them and level outside. Without points it is linear.
/// - Compand multiplies the distance from a centre: below 1 it evens a touch out, above 1 it sharpens it.
/// - What was 1 becomes the low end of the output range, what was 127 the high end; a range turned round turns
///   the touch round.
///
/// A note-on never becomes a note-off, and note-offs pass as they are.
struct VelocityStage {
  static var pointCount: Int { @_noLocks @_noAllocation get { 8 } }
  private static var firstPoint: Int { @_noLocks @_noAllocation get { 23 } }

  /// A point of the drawn curve; an input of 0 is none.
  private struct Point: BitwiseCopyable {
    var input = 0
    var output = 1
  }

  private enum Curve: Int, BitwiseCopyable {
    case linear, exponential, logarithmic, fixed, points
  }

  /// Bit n: the velocities of channel n + 1 are changed.
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
  init() { ResponseCurve.bind() }

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 the curve, 17 its shape, 18 the
  /// fixed velocity, 19 and 20 the output range, 21 and 22 the companding and its centre, then the
  /// points, input and output by turns.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    known.forget()
    switch index {
    case 0...15: channels = channels.with(bit: index, value >= 0.5)
    case 16: curve = Curve(rawValue: wholeNumber(value, from: 0, through: 4)) ?? .linear
    case 17: shape = number(value, from: 0.1, through: 10)
    case 18: fixed = wholeNumber(value, from: 1, through: 127)
    case 19: output.low = wholeNumber(value, from: 1, through: 127)
    case 20: output.high = wholeNumber(value, from: 1, through: 127)
    case 21: compand = number(value, from: 0, through: 4)
    case 22: compandCenter = wholeNumber(value, from: 1, through: 127)
    default: setPoint(index - Self.firstPoint, to: value)
    }
  }

  @_noLocks @_noAllocation
  private mutating func setPoint(_ index: Int, to value: Float) {
    if index < 0 || index >= 2 * Self.pointCount { return }
    if index & 1 == 0 {
      points[index / 2].input = wholeNumber(value, from: 0, through: 127)
    } else {
      points[index / 2].output = wholeNumber(value, from: 1, through: 127)
    }
  }

  /// Whether every velocity stays what it is.
  var isNeutral: Bool {
    @_noLocks @_noAllocation get {
      if channels == 0 { return true }
      guard case .linear = curve else { return false }
      return compand == 1 && output.low == 1 && output.high == 127
    }
  }

  /// What becomes of a note.
  @_noLocks @_noAllocation @inline(__always)
  mutating func process(_ note: NoteMessage) -> NoteMessage {
    if !note.isOn || !channels.has(bit: note.channel) { return note }
    let velocity = known.result(of: note.velocity)
    return note.with(velocity: velocity == ValueMemory.unknown ? workOut(note.velocity) : velocity)
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
    while index < Self.pointCount {
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
