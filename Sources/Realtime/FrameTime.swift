// Frame time, and its clock, which extends a wrapping counter.

/// Frames since activation. Counterpart of `AUEventSampleTime`.
public typealias FrameTime = Int64

/// Extends a 32-bit frame counter, which wraps after about 25 hours at 48 kHz, to a `FrameTime`
/// without wrapping.
///
/// Between two calls the counter may jump forward by up to 2³¹ frames, if a server skipped cycles.
/// - Thread: [render]
public struct FrameClock: BitwiseCopyable, Sendable {
  @usableFromInline var lastCounter: UInt32 = 0
  @usableFromInline var time: FrameTime = 0
  @usableFromInline var hasStarted = false

  @_noLocks @_noAllocation @inlinable
  public init() {}

  /// Returns the frame time of `counter`; the first call defines frame time 0.
  @_noLocks @_noAllocation @inlinable
  public mutating func extend(_ counter: UInt32) -> FrameTime {
    if !hasStarted {
      hasStarted = true
      lastCounter = counter
      return time
    }
    time &+= FrameTime(Int32(bitPattern: counter &- lastCounter))
    lastCounter = counter
    return time
  }
}
