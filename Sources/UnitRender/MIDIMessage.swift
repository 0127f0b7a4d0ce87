// The lengths of MIDI messages, and the check that raw bytes are one message.

/// Facts about MIDI 1.0 byte streams.
public enum MIDIMessage {
  /// Returns the length in bytes of the message that `status` starts; 0 for SysEx (any length),
  /// data bytes and undefined status bytes. (MIDI 1.0 Detailed Specification 4.2, table I.)
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public static func length(ofStatus status: UInt8) -> Int {
    switch status {
    case 0x80...0xBF, 0xE0...0xEF: return 3
    case 0xC0...0xDF: return 2
    case 0xF1, 0xF3: return 2
    case 0xF2: return 3
    case 0xF6, 0xF8, 0xFA, 0xFB, 0xFC, 0xFE, 0xFF: return 1
    default: return 0
    }
  }

  /// The kind of message that raw bytes are.
  public enum Form: UInt8, Sendable {
    case short
    case systemExclusive
    case malformed
  }

  /// Returns the form of `bytes`: exactly one complete short message, exactly one SysEx from 0xF0
  /// to 0xF7, or malformed.
  /// - Thread: [any]. - Complexity: O(count)
  @_noLocks @_noAllocation @inlinable
  public static func form(of bytes: UnsafePointer<UInt8>, count: Int) -> Form {
    if count < 1 { return .malformed }
    if bytes[0] == 0xF0 {
      if count < 2 || bytes[count - 1] != 0xF7 { return .malformed }
      var index = 1
      while index < count - 1 {
        if bytes[index] >= 0x80 { return .malformed }
        index += 1
      }
      return .systemExclusive
    }
    if count != length(ofStatus: bytes[0]) { return .malformed }
    if count > 1 && bytes[1] >= 0x80 { return .malformed }
    if count > 2 && bytes[2] >= 0x80 { return .malformed }
    return .short
  }
}
