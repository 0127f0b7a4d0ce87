// Frames of a session and the machine's clocks.

import CJack
import Glibc

/// A moment as a session frame and as system time.
public struct JackMoment: Sendable, Equatable {
  /// The system clock, in microseconds since 1970.
  public var unixMicroseconds: Int64
  /// The session's frame at this moment.
  public var frame: Int64
  /// The sample rate in hertz.
  public var sampleRate: Double
  /// The first frame that no cycle has begun to render.
  public var nextFrame: Int64

  public init(unixMicroseconds: Int64, frame: Int64, sampleRate: Double, nextFrame: Int64) {
    self.unixMicroseconds = unixMicroseconds
    self.frame = frame
    self.sampleRate = sampleRate
    self.nextFrame = nextFrame
  }

  /// Returns the session's frame for the server's frame counter, which wraps.
  static func frame(counter: UInt32, latest: Int64, offset: Int64) -> Int64 {
    let known = UInt32(truncatingIfNeeded: latest &- offset)
    return latest + Int64(Int32(bitPattern: counter &- known))
  }
}

extension JackBackend {
  /// The current moment; nil before the first cycle.
  /// - Thread: [control]
  public var moment: JackMoment? {
    let statistics = statistics
    guard statistics.cycles > 0 else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let counter = jack_frame_time(client.handle)
    let frame = JackMoment.frame(
      counter: counter, latest: Int64(statistics.frame), offset: Int64(frameOffset))
    return JackMoment(
      unixMicroseconds: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000, frame: frame,
      sampleRate: Double(client.sampleRate),
      nextFrame: Int64(statistics.frame + statistics.period))
  }
}
