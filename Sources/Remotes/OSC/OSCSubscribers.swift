// Who is told of changes by OSC.

import OSC

/// Subscriptions, bounded in number and time, and the news that each subscriber has not been told.
struct OSCSubscribers {
  typealias End = @Sendable () -> Void

  static let maximumSubscribers = 32
  static let maximumPaths = 64
  /// How long a subscription holds without being renewed; over TCP as long as its connection.
  static let lifetime: Duration = .seconds(60)
  /// How long a subscriber is not told of a value that it moves itself: a fader must not jump under
  /// the finger.
  static let ownSilence: Duration = .milliseconds(250)

  private struct Subscription {
    var until: ContinuousClock.Instant
    var end: End?
  }

  private struct Subscriber {
    /// Who has asked for it, from another port perhaps.
    var source: OSCPeer
    var paths: [String: Subscription] = [:]
    /// Values by their paths; the last one of each.
    var news: [String: Float] = [:]
    /// What it has set itself, until when it is not told of it.
    var own: [String: (value: Float, until: ContinuousClock.Instant)] = [:]
  }

  private var subscribers: [OSCPeer: Subscriber] = [:]

  var ends: [End] { subscribers.values.flatMap { $0.paths.values.compactMap(\.end) } }
  var hasNews: Bool { subscribers.values.contains { !$0.news.isEmpty } }

  /// Begins or renews a subscription. Another one for the same path ends.
  ///
  /// - Returns: what is to be called for the one before; nil in place of it when there is no room.
  mutating func add(
    _ peer: OSCPeer, _ path: String, for source: OSCPeer, at now: ContinuousClock.Instant
  ) -> [End]? {
    var subscriber = subscribers[peer] ?? Subscriber(source: source)
    subscriber.source = source
    guard subscribers[peer] != nil || subscribers.count < Self.maximumSubscribers,
      subscriber.paths[path] != nil || subscriber.paths.count < Self.maximumPaths
    else { return nil }
    let old = subscriber.paths.updateValue(
      Subscription(until: now + Self.lifetime, end: nil), forKey: path)
    subscribers[peer] = subscriber
    return [old?.end].compactMap { $0 }
  }

  /// - Returns: whether the subscription is still there: else nobody will call `end`.
  mutating func keep(_ end: @escaping End, of peer: OSCPeer, _ path: String) -> Bool {
    guard subscribers[peer]?.paths[path] != nil else { return false }
    subscribers[peer]?.paths[path]?.end = end
    return true
  }

  /// Ends subscriptions, all of a peer without paths.
  mutating func remove(_ peer: OSCPeer, _ paths: [String]? = nil) -> [End] {
    guard let subscriber = subscribers[peer] else { return [] }
    let gone = paths ?? Array(subscriber.paths.keys)
    let ends = gone.compactMap { subscriber.paths[$0]?.end }
    for path in gone { subscribers[peer]?.paths[path] = nil }
    if subscribers[peer]?.paths.isEmpty == true { subscribers[peer] = nil }
    return ends
  }

  /// Ends those that nobody has renewed.
  mutating func expire(at now: ContinuousClock.Instant) -> [End] {
    var ends: [End] = []
    for (peer, subscriber) in subscribers where peer.connection == nil {
      let old = subscriber.paths.filter { $0.value.until < now }.map(\.key)
      if !old.isEmpty { ends += remove(peer, old) }
    }
    return ends
  }

  /// Notes a value that a peer sets: it knows it.
  mutating func note(
    _ path: String, _ value: Float, by peer: OSCPeer, at now: ContinuousClock.Instant
  ) {
    for (other, subscriber) in subscribers where other == peer || subscriber.source == peer {
      guard subscriber.own[path] != nil || subscriber.own.count < 1024 else { continue }
      subscribers[other]?.own[path] = (value, now + Self.ownSilence)
    }
  }

  mutating func post(_ path: String, _ value: Float, to peer: OSCPeer) {
    subscribers[peer]?.news[path] = value
  }

  /// News to be told now, at most `count` for each peer.
  mutating func take(
    _ count: Int, at now: ContinuousClock.Instant
  ) -> [(peer: OSCPeer, path: String, value: Float)] {
    var taken: [(OSCPeer, String, Float)] = []
    for (peer, subscriber) in subscribers {
      var told = 0
      for (path, value) in subscriber.news where told < count {
        if let own = subscriber.own[path] {
          if now < own.until { continue }
          subscribers[peer]?.own[path] = nil
          subscribers[peer]?.news[path] = nil
          if own.value == value { continue }
        }
        subscribers[peer]?.news[path] = nil
        taken.append((peer, path, value))
        told += 1
      }
    }
    return taken
  }
}
