// A short MIDI message in one word, from the event list to the synth.

import Realtime

/// The bytes of a MIDI message of up to three, the status lowest. Unlike an event, it is small
/// enough to stay in a register.
public struct ShortMessage: Sendable, BitwiseCopyable {
  public let word: UInt32

  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public init(word: UInt32) { self.word = word }

  /// Creates a message of three bytes, each 0 to 255; a shorter message has zeros.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public init(_ status: Int, _ number: Int, _ value: Int) {
    word = UInt32(truncatingIfNeeded: status | number << 8 | value << 16)
  }

  /// Reads the message of a MIDI event.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public init(of event: UnsafeMutablePointer<RenderEvent>) {
    word = UInt32(
      littleEndian: UnsafeRawPointer(event).load(fromByteOffset: Self.offset, as: UInt32.self))
  }

  /// Writes the message into a MIDI event.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public func write(to event: UnsafeMutablePointer<RenderEvent>) {
    UnsafeMutableRawPointer(event).storeBytes(
      of: word.littleEndian, toByteOffset: Self.offset, as: UInt32.self)
  }

  /// The offset of an event's bytes. They are read and written together: after separate writes of
  /// single bytes, a read of all would stall the processor.
  @inlinable
  package static var offset: Int { @_noLocks @_noAllocation get { 36 } }

  @inlinable
  public var status: UInt8 {
    @_noLocks @_noAllocation get { UInt8(truncatingIfNeeded: word) }
  }
  /// The channel of a channel message, 0 to 15.
  @inlinable
  public var channel: Int { @_noLocks @_noAllocation get { Int(word & 0x0F) } }
  /// The key of a note message, or the number of a controller; 0 to 127.
  @inlinable
  public var number: Int { @_noLocks @_noAllocation get { Int(word >> 8 & 0x7F) } }
  /// The third byte of a message that has one, 0 to 127.
  @inlinable
  public var value: Int { @_noLocks @_noAllocation get { Int(word >> 16 & 0x7F) } }
  /// The value of a pitch bend, 0 to 16383.
  @inlinable
  public var bend: Int { @_noLocks @_noAllocation get { value << 7 | number } }

  /// Whether the message has `length` bytes, and none of its data is above 127.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public func isWhole(length: UInt32) -> Bool {
    MIDIMessage.length(ofStatus: status) == Int(length) && length != 0 && word & 0x80_8000 == 0
  }
}

extension RenderEvent {
  /// Creates a MIDI message of three bytes.
  /// - Thread: [any]
  @_noLocks @_noAllocation @inlinable
  public static func midi(_ message: ShortMessage, at frame: FrameTime) -> RenderEvent {
    var event = RenderEvent.midi(message.status, at: frame)
    event.message = message
    return event
  }

  /// The bytes of a MIDI event.
  @inlinable
  public var message: ShortMessage {
    @_noLocks @_noAllocation get {
      ShortMessage(word: UInt32(littleEndian: unsafeBitCast(bytes, to: UInt32.self)))
    }
    @_noLocks @_noAllocation set {
      bytes = unsafeBitCast(newValue.word.littleEndian, to: (UInt8, UInt8, UInt8, UInt8).self)
    }
  }
}
