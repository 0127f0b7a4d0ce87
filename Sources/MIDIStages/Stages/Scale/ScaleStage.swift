// The stage that keeps notes within a scale.

import UnitRender

/// Moves the notes of some channels to the nearest key of a scale, or drops those outside.
///
/// Of two equally near keys, the lower is taken; at the ends of MIDI's keys, the nearest existing
/// one. A search only up or only down finds none at an end: then the note is not sent, as with an
/// empty scale. Note-offs find their notes as they do in `TransposeStage`.
struct ScaleStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { ScaleParameter.count } }
  static var kinds: UInt16 { @_noLocks @_noAllocation get { MessageKind.ofNotes } }

  private enum Mode: Int, BitwiseCopyable {
    case nearest, up, down, drop
  }

  /// The channels kept within the scale; bit n is channel n + 1.
  private var channels: UInt16 = .max
  /// The root, 0 to 11, C to B.
  private var root = 0
  private var scale = 0
  private var mode = Mode.nearest
  /// The user's own scale: bit n is n semitones above the root.
  private var degrees: UInt16 = 0xFFF
  private let held: HeldNotes
  private var known = ValueMemory()

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) { held = .allocate() }

  func deallocate() { held.deallocate() }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    known.forget()
    switch ScaleParameter(rawValue: index) {
    case .root: root = wholeNumber(value, from: 0, through: 11)
    case .scale: scale = wholeNumber(value, from: 0, through: Self.ownScale)
    case .mode: mode = Mode(rawValue: wholeNumber(value, from: 0, through: 3)) ?? .nearest
    case .channels, .degrees, nil:
      let degree = index &- ScaleParameter.degrees.rawValue
      channels.setSwitch(index, to: value)
      if degree >= 0 && degree < ScaleParameter.degreeCount {
        degrees = degrees.with(bit: degree, value >= 0.5)
      }
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() { held.forgetAll() }

  var heldNotes: HeldNotes? { @_noLocks @_noAllocation get { held } }

  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    held.follow(
      message, kind, of: event, to: key(message.number, channel: message.channel))
  }

  /// The key that a key is moved to; −1 for none.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func key(_ key: Int, channel: Int) -> Int {
    if !channels.has(bit: channel) { return key }
    let known = known.result(of: key)
    return known == ValueMemory.unknown ? workOut(key) : known
  }

  @_noLocks @_noAllocation @inline(never)
  private mutating func workOut(_ key: Int) -> Int {
    let nearest = nearest(key)
    known.keep(nearest, of: key)
    return nearest
  }

  /// The key of the scale that a key is moved to; −1 for none.
  @_noLocks @_noAllocation
  private mutating func nearest(_ key: Int) -> Int {
    if contains(key) { return key }
    if case .drop = mode { return -1 }
    var distance = 1
    while distance < 12 {
      if mode != .up && contains(key - distance) { return key - distance }
      if mode != .down && contains(key + distance) { return key + distance }
      distance &+= 1
    }
    return -1
  }

  @_noLocks @_noAllocation
  private mutating func contains(_ key: Int) -> Bool {
    key >= 0 && key <= 127 && steps.has(bit: (key + 12 - root) % 12)
  }

  private static var ownScale: Int { @_noLocks @_noAllocation get { 14 } }

  /// The keys of the scale; bit n is n semitones above its root.
  private var steps: UInt16 {
    @_noLocks @_noAllocation get {
      switch scale {
      case 0: return 0b1111_1111_1111  // chromatic
      case 1: return 0b1010_1011_0101  // major
      case 2: return 0b0101_1010_1101  // natural minor
      case 3: return 0b1001_1010_1101  // harmonic minor
      case 4: return 0b1010_1010_1101  // melodic minor
      case 5: return 0b0110_1010_1101  // dorian
      case 6: return 0b0101_1010_1011  // phrygian
      case 7: return 0b1010_1101_0101  // lydian
      case 8: return 0b0110_1011_0101  // mixolydian
      case 9: return 0b0101_0110_1011  // locrian
      case 10: return 0b0010_1001_0101  // major pentatonic
      case 11: return 0b0100_1010_1001  // minor pentatonic
      case 12: return 0b0100_1110_1001  // blues
      case 13: return 0b0101_0101_0101  // whole tone
      default: return degrees
      }
    }
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum ScaleParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case root = 16
  case scale, mode
  /// The first of 12 switches, one per degree of the user's own scale.
  case degrees = 19

  package static var degreeCount: Int { @_noLocks @_noAllocation get { 12 } }

  static var count: Int { @_noLocks @_noAllocation get { degrees.rawValue &+ degreeCount } }
}
