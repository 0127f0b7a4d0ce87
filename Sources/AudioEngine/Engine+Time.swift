// Times of an engine: frames, seconds, and the host's clock.

import Glibc
import Session

extension Engine {
  /// The host's clock now: nanoseconds of the monotonic clock (`CLOCK_MONOTONIC`), which JACK
  /// follows too.
  ///
  /// AUv3: `mach_absolute_time`.
  /// - Thread: [any]
  public static var hostTime: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  /// Returns the frame at a time of the host's clock. JACK gives the time of the latest cycle's
  /// start; other frames follow by the sample rate.
  ///
  /// - Parameter time: in nanoseconds, as `hostTime`.
  /// - Returns: the nearest frame, below 0 before the first; nil while nothing renders, and without
  ///   a clock.
  ///
  /// AUv3: `AVAudioTime.extrapolateTime(fromAnchor:)`.
  /// - Thread: [any]
  public func frame(atHostTime time: UInt64) -> Int64? { clock?.frame(atHostTime: time) }

  /// Returns the time of a frame on the host's clock, in nanoseconds.
  ///
  /// - Returns: 0 for frames before that clock's beginning; nil while nothing renders, and without
  ///   a clock.
  ///
  /// AUv3: `AVAudioTime.hostTime`.
  /// - Thread: [any]
  public func hostTime(atFrame frame: Int64) -> UInt64? { clock?.hostTime(atFrame: frame) }

  /// Returns the frame nearest to a time in seconds since frame 0.
  ///
  /// - Returns: at most 2⁶²; nil for NaN, and while nothing renders.
  ///
  /// AUv3: `AVAudioTime(sampleTime:atRate:)`.
  /// - Thread: [any]
  public func frame(atSeconds seconds: Double) -> Int64? {
    guard frame != nil, let sampleRate else { return nil }
    return SessionClock.frame(atSeconds: seconds, sampleRate)
  }

  /// Returns the time of a frame in seconds since frame 0; nil while nothing renders.
  ///
  /// AUv3: `AVAudioTime.sampleTime` and `sampleRate`.
  /// - Thread: [any]
  public func seconds(atFrame frame: Int64) -> Double? {
    guard self.frame != nil, let sampleRate else { return nil }
    return Double(frame) / sampleRate
  }

  private var clock: SessionClock? { host.withLock { $0?.program?.time } }
}
