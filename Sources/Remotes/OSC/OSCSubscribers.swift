// Subscribers to changes by OSC.

import OSC
import SessionModel

/// Subscriptions, limited in number and time, and the values still to be sent to each subscriber.
struct OSCSubscribers {
  typealias End = @Sendable () -> Void

  static let maximumSubscribers = 32
  static let maximumPaths = 64
  /// The lifetime of a subscription without renewal; over TCP that of its connection.
  static let lifetime: Duration = .seconds(60)
  /// The time without feedback after a subscriber sets a value itself: a fader must not jump under
  /// the finger.
  static let ownSilence: Duration = .milliseconds(250)

  private struct Subscription {
    var until: ContinuousClock.Instant
    var end: End?
  }

  private struct Subscriber {
    /// The peer that sent the subscription, perhaps from another port.
    var source: OSCPeer
    var paths: [String: Subscription] = [:]
    /// Values to be sent, by address without its first slash; the last one of each.
    var news: [String: OSCArgument] = [:]
    var levels = OSCLevels()
    /// Values that it has set itself, and the ends of the times without feedback.
    var own: [String: (value: Float, until: ContinuousClock.Instant)] = [:]
  }

  private var subscribers: [OSCPeer: Subscriber] = [:]

  var ends: [End] { subscribers.values.flatMap { $0.paths.values.compactMap(\.end) } }
  var hasNews: Bool { subscribers.values.contains { !$0.news.isEmpty } }

  /// Adds or renews a subscription. An existing one for the same path ends.
  ///
  /// - Returns: the functions that end the former subscription; nil if there is no room.
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

  /// - Returns: whether the subscription still exists; if not, `end` will not be called.
  mutating func keep(_ end: @escaping End, of peer: OSCPeer, _ path: String) -> Bool {
    guard subscribers[peer]?.paths[path] != nil else { return false }
    subscribers[peer]?.paths[path]?.end = end
    return true
  }

  /// Removes subscriptions; without paths all of a peer. Returns the functions that end them.
  mutating func remove(_ peer: OSCPeer, _ paths: [String]? = nil) -> [End] {
    guard let subscriber = subscribers[peer] else { return [] }
    let gone = paths ?? Array(subscriber.paths.keys)
    let ends = gone.compactMap { subscriber.paths[$0]?.end }
    for path in gone { subscribers[peer]?.paths[path] = nil }
    if subscribers[peer]?.paths.isEmpty == true { subscribers[peer] = nil }
    return ends
  }

  /// Removes subscriptions that were not renewed. Returns the functions that end them.
  mutating func expire(at now: ContinuousClock.Instant) -> [End] {
    var ends: [End] = []
    for (peer, subscriber) in subscribers where peer.connection == nil {
      let old = subscriber.paths.filter { $0.value.until < now }.map(\.key)
      if !old.isEmpty { ends += remove(peer, old) }
    }
    return ends
  }

  /// Records a value that a peer sets, so that it is not sent back.
  mutating func note(
    _ path: String, _ value: Float, by peer: OSCPeer, at now: ContinuousClock.Instant
  ) {
    for (other, subscriber) in subscribers where other == peer || subscriber.source == peer {
      guard subscriber.own[path] != nil || subscriber.own.count < 1024 else { continue }
      subscribers[other]?.own[path] = (value, now + Self.ownSilence)
    }
  }

  mutating func post(_ notice: SessionNotice, to peer: OSCPeer) {
    switch notice {
    case .change(let reading): subscribers[peer]?.news[reading.path] = .float(reading.value)
    case .bypass(let reading):
      subscribers[peer]?.news["\(OSCRequest.ownName)/bypass/\(reading.unit)"] = .int32(
        reading.on ? 1 : 0)
    case .meters(let reading):
      guard let new = subscribers[peer]?.levels.take(reading) else { return }
      subscribers[peer]?.news.merge(new) { $1 }
    }
  }

  /// Removes and returns the values to be sent now, at most `count` for each peer.
  mutating func take(
    _ count: Int, at now: ContinuousClock.Instant
  ) -> [(peer: OSCPeer, path: String, value: OSCArgument)] {
    var taken: [(OSCPeer, String, OSCArgument)] = []
    for (peer, subscriber) in subscribers {
      var sent = 0
      for (path, value) in subscriber.news where sent < count {
        if let own = subscriber.own[path] {
          if now < own.until { continue }
          subscribers[peer]?.own[path] = nil
          subscribers[peer]?.news[path] = nil
          if .float(own.value) == value { continue }
        }
        subscribers[peer]?.news[path] = nil
        taken.append((peer, path, value))
        sent += 1
      }
    }
    return taken
  }
}
