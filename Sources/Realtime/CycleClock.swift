// The frames of a session's cycles.

/// Turns a server's frame counter into frames that never repeat.
/// - Thread: [render]
public struct CycleClock: BitwiseCopyable, Sendable {
  @usableFromInline var clock = FrameClock()
  /// Frames added to `clock` since the counter left its course.
  @usableFromInline var offset: FrameTime = 0
  /// The latest cycle: the frame after its last one, nil before the first cycle; its length; its
  /// start.
  @usableFromInline var end: FrameTime?
  @usableFromInline var frameCount: UInt32 = 0
  @usableFromInline var nanoseconds: UInt64 = 0

  @_noLocks @_noAllocation @inlinable
  public init() {}

  /// Returns the first frame of a cycle, and whether the server has skipped cycles before it.
  ///
  /// The frames go on from the last cycle's end where the counter steps back, or steps ahead by
  /// more than the time since. jackd's steps back when the period becomes shorter. PipeWire moves a
  /// client to the counter of its first connection's device.
  /// - Parameters:
  ///   - counter: the server's counter at the start of the cycle.
  ///   - frameCount: the cycle's frames.
  ///   - nanoseconds: the start of the cycle, of a monotonic clock.
  ///   - sampleRate: in Hz.
  @_noLocks @_noAllocation @inlinable
  public mutating func begin(
    _ counter: UInt32, frameCount: UInt32, nanoseconds: UInt64, sampleRate: Int
  ) -> (frame: FrameTime, isAfterGap: Bool) {
    var frame = clock.extend(counter) &+ offset
    var isAfterGap = false
    if let end, frame != end {
      let gap = frame &- end
      let isSameCounter =
        gap > 0 && nanoseconds > self.nanoseconds
        && Double(gap) * 1e9 <= Double(nanoseconds &- self.nanoseconds) * Double(sampleRate)
      if isSameCounter {
        isAfterGap = self.frameCount == frameCount
      } else {
        offset &-= gap
        frame = end
      }
    }
    end = frame &+ FrameTime(frameCount)
    self.frameCount = frameCount
    self.nanoseconds = nanoseconds
    return (frame, isAfterGap)
  }
}
