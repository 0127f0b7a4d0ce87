// Properties and changes of messages, for stages.

import UnitRender

extension ShortMessage {
  /// The result of a stage for a message that is not to pass; no message has such a status.
  static var none: ShortMessage { @_noLocks @_noAllocation get { ShortMessage(word: .max) } }
  var isNone: Bool { @_noLocks @_noAllocation get { word == .max } }

  /// Channel · 128 + key of a note message: see `HeldNotes`.
  var noteIndex: Int {
    @_noLocks @_noAllocation @inline(__always) get { channel << 7 | number }
  }

  /// Whether the message, which is of a kind, ends the notes of its channel.
  @_noLocks @_noAllocation
  func endsNotes(_ kind: MessageKind) -> Bool {
    if case .controller = kind { return ControllerNumber.endsNotes(number) }
    return false
  }

  @_noLocks @_noAllocation @inline(__always)
  func with(channel: Int) -> ShortMessage {
    ShortMessage(word: word & ~0x0F | UInt32(truncatingIfNeeded: channel & 0x0F))
  }

  @_noLocks @_noAllocation @inline(__always)
  func with(number: Int) -> ShortMessage {
    ShortMessage(word: word & ~0xFF00 | UInt32(truncatingIfNeeded: number & 0x7F) << 8)
  }

  @_noLocks @_noAllocation @inline(__always)
  func with(value: Int) -> ShortMessage {
    ShortMessage(word: word & ~0xFF_0000 | UInt32(truncatingIfNeeded: value & 0x7F) << 16)
  }

  /// The pedal that a controller moves as a bit, from controller 64 on; 0 for other messages.
  var pedal: UInt8 {
    @_noLocks @_noAllocation get {
      if word & 0xF0 != 0xB0 || !ControllerNumber.isPedal(number) { return 0 }
      return 1 << UInt8(truncatingIfNeeded: number - 64)
    }
  }

  /// The pedals of a channel that are down, as bits, after a message to it.
  @_noLocks @_noAllocation
  func moving(_ pedals: UInt8) -> UInt8 { pedals & ~pedal | (value >= 64 ? pedal : 0) }

  /// All Notes Off on the channel of a message.
  var asAllNotesOff: ShortMessage {
    @_noLocks @_noAllocation get {
      ShortMessage(0xB0 | channel, Int(ControllerNumber.allNotesOff), 0)
    }
  }

  /// A note message on another key, 0 to 127. A note-on of velocity 0 becomes a note-off, with
  /// velocity 64, as MIDI defines.
  @_noLocks @_noAllocation @inline(__always)
  func with(key: Int) -> ShortMessage {
    let moved = with(number: key)
    if word & 0xFF_00F0 != 0x90 { return moved }
    return ShortMessage(word: moved.word & ~0xFF_00F0 | 0x40_0080)
  }
}
