// What a MIDI event says, as the stages need to know it.

import UnitRender

/// The kind of message of an event. A note-on of velocity 0 is a note-off.
enum MessageKind: BitwiseCopyable {
  case noteOff
  case noteOn
  case keyPressure
  case controller
  case programChange
  case channelPressure
  case pitchBend
  case systemExclusive
  /// System common and realtime messages, but for System Reset.
  case system
  case systemReset
  /// A parameter event, or bytes that are no whole message: no stage's business.
  case other
}

extension RenderEvent {
  var messageKind: MessageKind {
    @_noLocks @_noAllocation get {
      guard let kind = eventKind else { return .other }
      switch kind {
      case .parameter, .parameterRamp: return .other
      case .systemExclusive: return .systemExclusive
      case .midi: break
      }
      let length = MIDIMessage.length(ofStatus: bytes.0)
      if length == 0 || length != Int(self.length) || (bytes.1 | bytes.2) & 0x80 != 0 {
        return .other
      }
      switch bytes.0 {
      case 0x80...0x8F: return .noteOff
      case 0x90...0x9F: return bytes.2 == 0 ? .noteOff : .noteOn
      case 0xA0...0xAF: return .keyPressure
      case 0xB0...0xBF: return .controller
      case 0xC0...0xCF: return .programChange
      case 0xD0...0xDF: return .channelPressure
      case 0xE0...0xEF: return .pitchBend
      case 0xFF: return .systemReset
      default: return .system
      }
    }
  }

  var channel: Int { @_noLocks @_noAllocation get { Int(bytes.0 & 0x0F) } }

  /// The key of a note message, or the number of a controller.
  var number: Int { @_noLocks @_noAllocation get { Int(bytes.1 & 0x7F) } }

  /// Whether the message ends the notes of its channel.
  var endsNotes: Bool {
    @_noLocks @_noAllocation get {
      if case .controller = messageKind { return ControllerNumber.endsNotes(number) }
      return false
    }
  }

  /// Gives a note message another key, 0 to 127; a note-on of velocity 0 becomes the note-off that it
  /// stands for, with the velocity that MIDI gives to such a one.
  @_noLocks @_noAllocation
  mutating func setKey(_ key: Int) {
    bytes.1 = UInt8(truncatingIfNeeded: key & 127)
    if bytes.0 & 0xF0 == 0x90 && bytes.2 == 0 {
      bytes.0 = 0x80 | (bytes.0 & 0x0F)
      bytes.2 = 64
    }
  }
}

/// Controller numbers with a meaning for held notes.
enum ControllerNumber {
  /// Damper, portamento, sostenuto, soft, legato and second damper: pressed from 64 on.
  @_noLocks @_noAllocation
  static func isPedal(_ number: Int) -> Bool { number >= 64 && number <= 69 }

  /// All Sound Off, All Notes Off and the mode changes, which imply it, end the notes of a channel.
  @_noLocks @_noAllocation
  static func endsNotes(_ number: Int) -> Bool { number == 120 || number >= 123 }

  static var resetAllControllers: Int { @_noLocks @_noAllocation get { 121 } }
  static var allNotesOff: UInt8 { @_noLocks @_noAllocation get { 123 } }
}

/// The whole number nearest to a parameter's value, held to a range; its low end for NaN.
@_noLocks @_noAllocation
func wholeNumber(_ value: Float, from low: Int, through high: Int) -> Int {
  if !(value > Float(low)) { return low }
  if value >= Float(high) { return high }
  return low + Int(value - Float(low) + 0.5)
}
