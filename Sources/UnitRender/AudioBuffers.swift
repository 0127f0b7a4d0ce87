// The channel buffers of one bus.

/// The buffers of one bus: 32-bit float, one buffer a channel, not interleaved. Counterpart of
/// `AudioBufferList`.
///
/// The value is a handle: copies name the same buffers. A channel of an output may be nil: the unit
/// then puts its own memory there, valid until the next cycle.
public struct AudioBuffers: @unchecked Sendable, BitwiseCopyable {
  public let list: UnsafeMutablePointer<AudioBufferList>

  @_noLocks @_noAllocation @inlinable
  public init(_ list: UnsafeMutablePointer<AudioBufferList>) {
    self.list = list
  }

  @inlinable
  public var channelCount: Int {
    @_noLocks @_noAllocation get { Int(list.pointee.channelCount) }
  }

  /// The samples of `channel`; nil if the call brings no memory for it.
  @inlinable
  public subscript(channel: Int) -> UnsafeMutablePointer<Float>? {
    @_noLocks @_noAllocation get { list.pointee.channels[channel] }
    @_noLocks @_noAllocation nonmutating set { list.pointee.channels[channel] = newValue }
  }
}
