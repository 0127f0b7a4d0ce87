// Bounds checks for reading a MIDI buffer of another client.

/// Bounds for the buffer of a JACK MIDI port. Another program writes this memory, and libjack takes
/// the number, offsets and sizes of events from it unchecked.
struct MIDIBufferBounds: BitwiseCopyable {
  /// The size of a port's buffer in bytes, according to libjack.
  private let bytes: UInt
  /// The least bytes of an event: libjack keeps a header, and an entry of at least this size for
  /// each.
  private static var entryBytes: UInt { @_noLocks @_noAllocation get { 12 } }

  /// - Parameter bytes: the size of a port's buffer.
  @_noLocks @_noAllocation
  init(bytes: Int) { self.bytes = bytes > 0 ? UInt(bitPattern: bytes) : 0 }

  /// Returns the number of events to read from a buffer that claims to have `claimed`.
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
    // An address below the buffer wraps to an offset larger than any buffer.
    let offset = UInt(bitPattern: event) &- UInt(bitPattern: buffer)
    return offset <= bytes &- UInt(bitPattern: count)
  }
}
