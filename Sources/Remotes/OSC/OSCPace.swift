// The times at which the session executes OSC requests.

/// One batch of changes per cycle, so that no unit's queue fills up. A later change of a parameter
/// would not be audible before the next cycle.
struct OSCPace {
  /// Whether a scheduled check will handle all messages that arrive before it.
  var isWaiting = false
  /// The time of the next scheduled check; nil if there is none.
  private var wake: ContinuousClock.Instant?
  private var cycles: Int?
  private var last: ContinuousClock.Instant?

  /// - Parameter cycles: the number of cycles that the server has run; nil without a server.
  mutating func mayGoOn(cycles new: Int?, at now: ContinuousClock.Instant) -> Bool {
    guard let last else { return true }
    if let new, new != cycles { return true }
    return now - last >= .milliseconds(new == nil ? 5 : 200)
  }

  mutating func begin(cycles: Int?, at now: ContinuousClock.Instant) {
    (self.cycles, last) = (cycles, now)
  }

  /// - Returns: whether a check at this time has still to be scheduled.
  mutating func arrange(at time: ContinuousClock.Instant) -> Bool {
    if let wake, wake <= time { return false }
    wake = time
    return true
  }

  mutating func wakes(at time: ContinuousClock.Instant) {
    isWaiting = false
    if wake == time { wake = nil }
  }
}
