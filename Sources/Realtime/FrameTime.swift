// Frame time, and the clock that makes it from a counter that wraps.

/// Frames since activation. Counterpart of `AUEventSampleTime`.
public typealias FrameTime = Int64

/// Extends a 32-bit frame counter, which wraps after about 25 hours at 48 kHz, to a `FrameTime`
/// that never goes round.
///
/// The counter may jump forward (a server that skipped cycles) by up to 2³¹ frames between two
/// calls.
/// - Thread: [render]
public struct FrameClock: BitwiseCopyable, Sendable {
  @usableFromInline var lastCounter: UInt32 = 0
  @usableFromInline var time: FrameTime = 0
  @usableFromInline var hasStarted = false

  @_noLocks @_noAllocation @inlinable
  public init() {}

  /// The frame time of `counter`; the first call defines frame time 0.
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
