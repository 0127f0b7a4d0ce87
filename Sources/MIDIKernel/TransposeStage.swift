// The stage that moves notes to other keys, and remembers where it moved each.

/// Moves the notes of some channels by a number of semitones.
///
/// A note-off and the pressure of a held key go to the key that the note-on was sent as, whatever the
/// settings are by then. A note that would leave 0…127 is not sent, nor is its end or its pressure. Two
/// held notes that land on one key each keep their own note-off. What ends all notes of a channel (All
/// Sound Off, All Notes Off, mode changes, System Reset) passes, and what was held there is forgotten.
struct TransposeStage {
  private var semitones = 0
  /// Bit n: channel n + 1 is transposed.
  private var channels: UInt16 = .max
  /// By how many semitones each channel is transposed.
  private var distances = InlineArray<16, Int8>(repeating: 0)
  let held: HeldNotes

  /// - Thread: [control]
  init(held: HeldNotes) { self.held = held }

  func deallocate() { held.deallocate() }

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 the semitones.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch index {
    case 0...15: channels = channels.with(bit: index, value >= 0.5)
    case 16: semitones = wholeNumber(value, from: -127, through: 127)
    default: break
    }
    var channel = 0
    while channel < 16 {
      distances[channel] = channels.has(bit: channel) ? Int8(truncatingIfNeeded: semitones) : 0
      channel &+= 1
    }
  }

  /// Whether every note-on stays on its key.
  var isNeutral: Bool { @_noLocks @_noAllocation get { semitones == 0 || channels == 0 } }

  /// Forgets what is held.
  @_noLocks @_noAllocation
  mutating func reset() { held.forgetAll() }

  /// What becomes of a note.
  @_noLocks @_noAllocation @inline(__always)
  mutating func process(_ note: NoteMessage) -> NoteMessage {
    held.follow(note, to: note.key &+ Int(distances[note.channel]))
  }

  /// What becomes of a message that is no note.
  @_noLocks @_noAllocation
  mutating func process(_ message: ShortMessage, _ kind: MessageKind) -> ShortMessage {
    held.follow(message, kind, to: message.number &+ Int(distances[message.channel]))
  }
}
