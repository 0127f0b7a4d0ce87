// The limit on answers over UDP.

import OSC

/// The limit on answers over UDP: a forged sender's address would be flooded with them. Other
/// machines also have a limit each.
struct OSCAnswers {
  /// The maximum number of machines with a limit of their own.
  static let maximumHosts = 64
  static let perSecond = 4096.0
  static let perSecondOfHost = 1024.0

  private var all = OSCBudget(atOnce: Self.perSecond, perSecond: Self.perSecond)
  private var hosts: [OSCEndpoint: OSCBudget] = [:]

  /// - Returns: whether one more answer was allowed; always, over a connection.
  mutating func spend(for peer: OSCPeer, at now: ContinuousClock.Instant = .now) -> Bool {
    if peer.connection != nil { return true }
    if peer.place.isLoopback { return all.spend(at: now) }
    let host = peer.place.host
    var budget =
      hosts[host] ?? OSCBudget(atOnce: Self.perSecondOfHost, perSecond: Self.perSecondOfHost)
    let isAllowed = budget.spend(at: now) && all.spend(at: now)
    if hosts[host] == nil, hosts.count >= Self.maximumHosts,
      let oldest = hosts.min(by: { $0.value.isOlder(than: $1.value) })?.key
    {
      hosts[oldest] = nil
    }
    hosts[host] = budget
    return isAllowed
  }
}
