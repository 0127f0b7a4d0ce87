// When the session is to look at what came by OSC.

/// One batch of changes a cycle: later ones of one parameter are not heard before the next anyway,
/// and no unit's queue is filled.
struct OSCPace {
  /// Whether a look is arranged that takes what comes until then.
  var isWaiting = false
  /// When the next look is that was arranged for its time.
  private var wake: ContinuousClock.Instant?
  private var cycles: Int?
  private var last: ContinuousClock.Instant?

  /// - Parameter cycles: how many the server has run; nil where there is none.
  mutating func mayGoOn(cycles new: Int?, at now: ContinuousClock.Instant) -> Bool {
    guard let last else { return true }
    if let new, new != cycles { return true }
    return now - last >= .milliseconds(new == nil ? 5 : 200)
  }

  mutating func begin(cycles: Int?, at now: ContinuousClock.Instant) {
    (self.cycles, last) = (cycles, now)
  }

  /// - Returns: whether a look at this time has still to be arranged.
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
