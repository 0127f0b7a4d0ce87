// Readings of a host.

import SessionModel

/// A connection between one of our ports and a port of another client.
package struct HostLink: Hashable, Sendable {
  /// Name of our port, without the client's.
  package let own: String
  /// Full name of the other port.
  package let outside: String

  package init(own: String, outside: String) {
    (self.own, self.outside) = (own, outside)
  }
}

/// A moment in the session's frames and on the system's clock.
package struct HostMoment: Sendable, Equatable {
  /// Time of the system's clock, in microseconds since 1970.
  package var unixMicroseconds: Int64
  /// Frame of the session at this moment.
  package var frame: Int64
  /// Sample rate in hertz.
  package var sampleRate: Double
  /// First frame that no cycle has begun to render.
  package var nextFrame: Int64

  package init(unixMicroseconds: Int64, frame: Int64, sampleRate: Double, nextFrame: Int64) {
    self.unixMicroseconds = unixMicroseconds
    self.frame = frame
    self.sampleRate = sampleRate
    self.nextFrame = nextFrame
  }

  /// Returns the session's frame at a time of the system's clock near this moment.
  package func frame(atUnixMicroseconds time: Int64) -> Int64 {
    let distance = Double(time &- unixMicroseconds) / 1_000_000 * sampleRate
    // Further away than any caller waits.
    guard abs(distance) < 1e15 else { return distance < 0 ? 0 : .max }
    return frame + Int64(distance.rounded())
  }
}

/// Position and counts of a host.
package struct HostStatistics {
  package var cycles: Int
  /// Cycles that were not finished in time.
  package var xruns: Int
  /// Number of frames in the latest cycle; 0 before the first.
  package var period: Int
  /// First frame of the latest cycle, counted from the first cycle.
  package var frame: Int
  package var counts: [HostCount] = []

  package init(
    cycles: Int, xruns: Int, period: Int, frame: Int, counts: [HostCount] = []
  ) {
    (self.cycles, self.xruns, self.period, self.frame) = (cycles, xruns, period, frame)
    self.counts = counts
  }
}

/// Count of a fault in a host that throws no error.
package struct HostCount {
  /// Name of the fault, for messages.
  let text: String
  let number: Int
  /// Whether only the first occurrence is reported.
  let isReportedOnce: Bool

  package init(text: String, number: Int, isReportedOnce: Bool = false) {
    (self.text, self.number, self.isReportedOnce) = (text, number, isReportedOnce)
  }
}
