// What of a MIDI buffer is read, whatever its writer has made of it.

/// Bounds for the buffer of a JACK MIDI port. It is memory that its source writes by itself,
/// another program, and libjack takes the number, places and sizes of events from it as they are.
struct MIDIBufferBounds: BitwiseCopyable {
  /// The bytes of a port's buffer, by libjack.
  private let bytes: UInt
  /// libjack keeps a header and an entry of at least so many bytes for each event.
  private static var entryBytes: UInt { @_noLocks @_noAllocation get { 12 } }

  /// - Parameter bytes: how many a port's buffer has.
  @_noLocks @_noAllocation
  init(bytes: Int) { self.bytes = bytes > 0 ? UInt(bitPattern: bytes) : 0 }

  /// How many events may be asked for, of as many as a buffer claims to have.
  @_noLocks @_noAllocation
  func eventCount(_ claimed: UInt32) -> UInt32 {
    let most = bytes / Self.entryBytes
    return UInt(claimed) < most ? claimed : UInt32(truncatingIfNeeded: most)
  }

  /// Whether an event's bytes lie within its buffer.
  @_noLocks @_noAllocation
  func holds(
    _ event: UnsafePointer<UInt8>, count: Int, in buffer: UnsafeMutableRawPointer
  ) -> Bool {
    if count < 0 || UInt(bitPattern: count) > bytes { return false }
    // Below the buffer it wraps to more than any buffer has.
    let offset = UInt(bitPattern: event) &- UInt(bitPattern: buffer)
    return offset <= bytes &- UInt(bitPattern: count)
  }
}
