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

  fileprivate struct Subscription {
    var until: ContinuousClock.Instant
    var end: End?
  }

  fileprivate struct Subscriber {
    /// The peer that sent the subscription, perhaps from another port.
    var source: OSCPeer
    var paths: [String: Subscription] = [:]
    var news = OSCPendingValues()
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
    case .change(let reading): subscribers[peer]?.news.post(.float(reading.value), reading.path)
    case .bypass(let reading):
      subscribers[peer]?.news.post(
        .int32(reading.on ? 1 : 0), "\(OSCRequest.ownName)/bypass/\(reading.unit)")
    case .meters(let reading):
      guard let new = subscribers[peer]?.levels.take(reading) else { return }
      for (address, level) in new { subscribers[peer]?.news.post(level, address) }
    // No subscription asks for topics, MIDI or spectra.
    case .graph, .session, .load, .midi, .spectra: break
    }
  }

  /// Removes and returns the values to be sent now, at most `count` for each peer. The others stay,
  /// so that the last value of each parameter arrives.
  ///
  /// - Parameter mayBeSent: whether a peer may be sent one more.
  mutating func take(
    _ count: Int, at now: ContinuousClock.Instant, where mayBeSent: (OSCPeer) -> Bool
  ) -> [(peer: OSCPeer, path: String, value: OSCArgument)] {
    var taken: [(OSCPeer, String, OSCArgument)] = []
    for peer in subscribers.keys {
      guard var subscriber = subscribers.removeValue(forKey: peer) else { continue }
      taken += subscriber.take(count, at: now) { mayBeSent(peer) }.map { (peer, $0, $1) }
      subscribers[peer] = subscriber
    }
    return taken
  }
}

extension OSCSubscribers.Subscriber {
  fileprivate mutating func take(
    _ count: Int, at now: ContinuousClock.Instant, where mayBeSent: () -> Bool
  ) -> [(path: String, value: OSCArgument)] {
    var taken: [(String, OSCArgument)] = []
    var own = own
    news.filter { path, value in
      if let known = own[path] {
        if now < known.until { return true }
        own[path] = nil
        if .float(known.value) == value { return false }
      }
      guard taken.count < count, mayBeSent() else { return true }
      taken.append((path, value))
      return false
    }
    self.own = own
    return taken
  }
}
