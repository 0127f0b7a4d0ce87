// The clock of a session.

/// Position of a session in its frames.
package struct SessionClock: Sendable {
  /// First frame of the latest cycle.
  package let frame: Int64
  /// Period in frames.
  package let period: Int
  /// Sample rate in hertz.
  package let sampleRate: Double
  /// Time of frame 0, in nanoseconds of the monotonic clock; nil if frames do not follow that
  /// clock.
  let hostTimeOfFrameZero: Int64?

  package init(
    frame: Int64, period: Int, sampleRate: Double, hostTimeOfFrameZero: Int64? = nil
  ) {
    (self.frame, self.period, self.sampleRate) = (frame, period, sampleRate)
    self.hostTimeOfFrameZero = hostTimeOfFrameZero
  }

  /// First frame of a cycle late enough for all sent events to arrive before it.
  var soon: Int64 {
    let period = Int64(max(self.period, 1))
    let lead = Int64(sampleRate / 50) + 2 * period
    return frame + (lead + period - 1) / period * period
  }

  /// Returns the frame nearest to a time of the monotonic clock, below 0 before frame 0.
  package func frame(atHostTime time: UInt64) -> Int64? {
    guard let zero = hostTimeOfFrameZero else { return nil }
    let elapsed = Int64(clamping: time).subtractingReportingOverflow(zero)
    guard !elapsed.overflow else { return .max }
    return Self.frame(atSeconds: Double(elapsed.partialValue) / 1e9, sampleRate)
  }

  /// Returns the time of a frame on the monotonic clock; 0 for frames before its beginning.
  package func hostTime(atFrame frame: Int64) -> UInt64? {
    guard let zero = hostTimeOfFrameZero else { return nil }
    let elapsed = (Double(frame) / sampleRate * 1e9).rounded()
    // Beyond 146 years.
    guard abs(elapsed) < 4.6e18 else { return elapsed < 0 ? 0 : .max }
    return UInt64(max(0, zero.addingReportingOverflow(Int64(elapsed)).partialValue))
  }

  /// Returns the frame nearest to a time in seconds, limited to ±2⁶²; nil for NaN.
  package static func frame(atSeconds seconds: Double, _ sampleRate: Double) -> Int64? {
    let frame = (seconds * sampleRate).rounded()
    return frame.isNaN ? nil : Int64(Int(saturating: frame))
  }
}
