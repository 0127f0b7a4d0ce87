// The kinds of MIDI events that stages distinguish.

import Realtime
import UnitRender

/// The kind of message of an event. A note-on of velocity 0 is a note-off.
enum MessageKind: UInt8, BitwiseCopyable {
  case noteOff = 0
  case noteOn = 1
  case keyPressure = 2
  /// A controller with a meaning for notes, pedals or data entry.
  case controller = 3
  /// Any other controller.
  case plainController = 4
  case programChange = 5
  case channelPressure = 6
  case pitchBend = 7
  case systemExclusive = 8
  /// System common and realtime messages, but for System Reset.
  case system = 9
  case systemReset = 10
  /// A parameter event, or bytes that are no whole message: does not concern stages.
  case other = 11

  var isNoteOff: Bool { @_noLocks @_noAllocation get { rawValue == 0 } }
  var isNoteOn: Bool { @_noLocks @_noAllocation get { rawValue == 1 } }

  /// Whether the message concerns one key.
  var isOfKey: Bool { @_noLocks @_noAllocation get { rawValue <= 2 } }

  /// The kind's index, 0 to 11.
  var index: Int { @_noLocks @_noAllocation get { Int(rawValue) } }
  /// Whether the kind of an index is note-on or note-off.
  @_noLocks @_noAllocation
  static func isNote(index: Int) -> Bool { index < 2 }

  /// The bit of the kind in a set of kinds.
  var bit: UInt16 { @_noLocks @_noAllocation get { 1 &<< UInt16(rawValue) } }
  /// The kinds that concern a stage with a memory of notes.
  static var ofNotes: UInt16 {
    @_noLocks @_noAllocation get {
      MessageKind.noteOff.bit | MessageKind.noteOn.bit | MessageKind.keyPressure.bit
        | MessageKind.controller.bit | MessageKind.systemReset.bit
    }
  }
}

extension MessageKind {
  /// The kind of the message of an event.
  @_noLocks @_noAllocation @inline(__always)
  static func of(_ event: UnsafeMutablePointer<RenderEvent>) -> MessageKind {
    let message = ShortMessage(of: event)
    if !event.pointee.isMIDI || event.pointee.length != 3
      || message.word & 0x80_8080 != 0x80
    {
      return ofRare(event)
    }
    if message.status & 0xE0 == 0x80 {
      return message.status & 0x10 != 0 && message.value != 0 ? .noteOn : .noteOff
    }
    switch message.status & 0xF0 {
    case 0xA0: return .keyPressure
    case 0xB0: return ControllerNumber.isPlain(message.number) ? .plainController : .controller
    case 0xE0: return .pitchBend
    default: return ofRare(event)
    }
  }

  /// The kind of an event that is not a channel message of three bytes.
  @_noLocks @_noAllocation @inline(never)
  private static func ofRare(_ event: UnsafeMutablePointer<RenderEvent>) -> MessageKind {
    guard let kind = event.pointee.eventKind else { return .other }
    switch kind {
    case .parameter, .parameterRamp, .bypass: return .other
    case .systemExclusive: return .systemExclusive
    case .midi: break
    }
    let message = event.pointee.message
    if !message.isWhole(length: event.pointee.length) { return .other }
    switch message.status {
    case 0xC0...0xCF: return .programChange
    case 0xD0...0xDF: return .channelPressure
    case 0xFF: return .systemReset
    default: return .system
    }
  }
}

/// Controller numbers with a meaning for stages.
enum ControllerNumber {
  /// Damper, portamento, sostenuto, soft, legato and second damper: pressed from 64 on.
  @_noLocks @_noAllocation
  static func isPedal(_ number: Int) -> Bool { number >= 64 && number <= 69 }

  /// All Sound Off, All Notes Off and the mode changes, which imply it, end the notes of a channel.
  @_noLocks @_noAllocation
  static func endsNotes(_ number: Int) -> Bool { number == 120 || number >= 123 }

  /// Whether it is neither a pedal nor data entry (6, 38, 96 to 101) nor a channel mode message
  /// (120 to 127).
  @_noLocks @_noAllocation @inline(__always)
  static func isPlain(_ number: Int) -> Bool {
    let low: UInt64 = 1 << 6 | 1 << 38
    let high: UInt64 = 0b11_1111 | 0b11_1111 << 32 | 0xFF << 56
    return (number < 64 ? low : high) >> UInt64(truncatingIfNeeded: number & 63) & 1 == 0
  }

  static var resetAllControllers: Int { @_noLocks @_noAllocation get { 121 } }
  static var allNotesOff: UInt8 { @_noLocks @_noAllocation get { 123 } }
}

/// The whole number nearest to a parameter's value, limited to a range; the lower bound for NaN.
@_noLocks @_noAllocation
func wholeNumber(_ value: Float, from low: Int, through high: Int) -> Int {
  if !(value > Float(low)) { return low }
  if value >= Float(high) { return high }
  return low &+ Int(saturating: Double(value - Float(low) + 0.5))
}
