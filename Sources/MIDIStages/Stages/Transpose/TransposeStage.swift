// The stage that moves notes to other keys, and remembers the key of each.

import UnitRender

/// Moves the notes of some channels by a number of semitones.
///
/// A note-off and the pressure of a held key go to the key of the sent note-on, whatever the
/// settings are by then. A note that would leave 0…127 is not sent, nor is its end or its pressure.
/// Two held notes that land on one key each keep their own note-off. A message that ends all notes
/// of a channel (All Sound Off, All Notes Off, mode changes, System Reset) passes, and the notes
/// held there are forgotten.
struct TransposeStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { TransposeParameter.count } }
  static var kinds: UInt16 { @_noLocks @_noAllocation get { MessageKind.ofNotes } }

  private var semitones = 0
  /// The transposed channels; bit n is channel n + 1.
  private var channels: UInt16 = .max
  /// The transposition of each channel, in semitones.
  private var distances = InlineArray<16, Int8>(repeating: 0)
  private let held: HeldNotes

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) { held = .allocate() }

  func deallocate() { held.deallocate() }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch TransposeParameter(rawValue: index) {
    case .semitones: semitones = wholeNumber(value, from: -127, through: 127)
    case .channels, nil: channels.setSwitch(index, to: value)
    }
    var channel = 0
    while channel < 16 {
      distances[channel] = channels.has(bit: channel) ? Int8(truncatingIfNeeded: semitones) : 0
      channel &+= 1
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
      message, kind, of: event,
      to: message.number &+ Int(distances[message.channel]))
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum TransposeParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case semitones = 16

  static var count: Int { @_noLocks @_noAllocation get { semitones.rawValue &+ 1 } }
}
