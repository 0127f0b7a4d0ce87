// The channel buffers of one bus, without addresses.

/// The buffers of one bus: 32-bit float, one buffer a channel, not interleaved. Counterpart of
/// `AudioBufferList`.
///
/// The value is a handle: copies name the same buffers. A channel of an output may be
/// nil: the unit then puts memory of its own there, valid until the next cycle.
public struct AudioBuffers: @unchecked Sendable, BitwiseCopyable {
  public let header: UnsafeMutablePointer<AudioBufferListHeader>

  @_noLocks @_noAllocation @inlinable
  public init(at header: UnsafeMutablePointer<AudioBufferListHeader>) {
    self.header = header
  }

  /// The bytes that a list for `channels` channels takes.
  @_noLocks @_noAllocation @inlinable
  public static func byteCount(channels: Int) -> Int {
    MemoryLayout<AudioBufferListHeader>.size &+ channels &* MemoryLayout<Int64>.size
  }

  @inlinable
  var offsets: UnsafeMutablePointer<Int64> {
    @_noLocks @_noAllocation get {
      (UnsafeMutableRawPointer(header) + MemoryLayout<AudioBufferListHeader>.size)
        .assumingMemoryBound(to: Int64.self)
    }
  }

  @inlinable
  public var channelCount: Int {
    @_noLocks @_noAllocation get { Int(header.pointee.channelCount) }
  }

  /// The samples of `channel`, or nil where none are given.
  @inlinable
  public subscript(channel: Int) -> UnsafeMutablePointer<Float>? {
    @_noLocks @_noAllocation get {
      let offset = offsets[channel]
      if offset == 0 { return nil }
      return (UnsafeMutableRawPointer(header) + Int(offset)).assumingMemoryBound(to: Float.self)
    }
    @_noLocks @_noAllocation nonmutating set {
      if let newValue {
        offsets[channel] = Int64(
          UnsafeMutableRawPointer(newValue) - UnsafeMutableRawPointer(header))
      } else {
        offsets[channel] = 0
      }
    }
  }
}
