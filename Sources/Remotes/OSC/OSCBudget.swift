// A limit on the rate of events.

/// Allows `atOnce` events at once, and `perSecond` on average.
struct OSCBudget {
  let atOnce: Double
  let perSecond: Double
  private var left: Double
  private var last: ContinuousClock.Instant?

  init(atOnce: Double, perSecond: Double) {
    self.atOnce = atOnce
    self.perSecond = perSecond
    left = atOnce
  }

  /// Whether it was used before another one was.
  func isOlder(than other: OSCBudget) -> Bool {
    guard let last, let otherLast = other.last else { return last == nil }
    return last < otherLast
  }

  /// - Returns: whether one more was allowed.
  mutating func spend(at now: ContinuousClock.Instant = .now) -> Bool {
    if let last {
      let seconds =
        Double((now - last).components.seconds)
        + Double((now - last).components.attoseconds) * 1e-18
      left = min(atOnce, left + max(0, seconds) * perSecond)
    }
    last = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
