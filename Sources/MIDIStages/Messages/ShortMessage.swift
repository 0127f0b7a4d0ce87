// A short MIDI message in one word, as it goes from stage to stage.

import UnitRender

/// The bytes of a message, the status lowest: small enough to stay in a register on its way
/// through the stages, where an event is not.
struct ShortMessage: BitwiseCopyable {
  private(set) var word: UInt32

  @_noLocks @_noAllocation
  init(word: UInt32) { self.word = word }

  /// The message of a MIDI event.
  @_noLocks @_noAllocation @inline(__always)
  init(of event: UnsafeMutablePointer<RenderEvent>) {
    word = UInt32(
      littleEndian: UnsafeRawPointer(event).load(fromByteOffset: Self.offset, as: UInt32.self))
  }

  /// Puts the message into a MIDI event.
  @_noLocks @_noAllocation @inline(__always)
  func write(to event: UnsafeMutablePointer<RenderEvent>) {
    UnsafeMutableRawPointer(event).storeBytes(
      of: word.littleEndian, toByteOffset: Self.offset, as: UInt32.self)
  }

  /// Where an event has its bytes. They are read and written together: single bytes written shortly
  /// before would make a processor wait at each reading of all.
  static var offset: Int { @_noLocks @_noAllocation get { 36 } }

  /// A message of three bytes.
  @_noLocks @_noAllocation
  init(_ status: Int, _ number: Int, _ value: Int) {
    word = UInt32(truncatingIfNeeded: status | number << 8 | value << 16)
  }

  /// What a stage makes of a message that is not to pass; no message has a status like it.
  static var none: ShortMessage { @_noLocks @_noAllocation get { ShortMessage(word: .max) } }
  var isNone: Bool { @_noLocks @_noAllocation get { word == .max } }

  var status: UInt8 { @_noLocks @_noAllocation get { UInt8(truncatingIfNeeded: word) } }
  /// 0 to 15.
  var channel: Int { @_noLocks @_noAllocation get { Int(word & 0x0F) } }
  /// The key of a note message, or the number of a controller; 0 to 127.
  var number: Int { @_noLocks @_noAllocation get { Int(word >> 8 & 0x7F) } }
  /// Channel · 128 + key of a note message: see `HeldNotes`.
  var place: Int {
    @_noLocks @_noAllocation @inline(__always) get { channel << 7 | number }
  }
  /// The third byte of a message that has one, 0 to 127.
  var value: Int { @_noLocks @_noAllocation get { Int(word >> 16 & 0x7F) } }
  /// The value of a pitch bend, 0 to 16383.
  var bend: Int { @_noLocks @_noAllocation get { value << 7 | number } }

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

  /// A note message on another key, 0 to 127; a note-on of velocity 0 becomes the note-off that it
  /// stands for, with the velocity that MIDI gives to such a one.
  @_noLocks @_noAllocation @inline(__always)
  func with(key: Int) -> ShortMessage {
    let moved = with(number: key)
    if word & 0xFF_00F0 != 0x90 { return moved }
    return ShortMessage(word: moved.word & ~0xFF_00F0 | 0x40_0080)
  }
}

extension RenderEvent {
  /// The bytes of a MIDI event, as one word.
  var message: ShortMessage {
    @_noLocks @_noAllocation get {
      ShortMessage(word: UInt32(littleEndian: unsafeBitCast(bytes, to: UInt32.self)))
    }
    @_noLocks @_noAllocation set {
      bytes = unsafeBitCast(newValue.word.littleEndian, to: (UInt8, UInt8, UInt8, UInt8).self)
    }
  }
}
