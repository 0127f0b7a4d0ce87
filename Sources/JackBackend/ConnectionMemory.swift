// What our ports are connected with, remembered over the end of the server and of other clients.

import CJack

/// A connection of a port of ours with one of another client.
public struct PortLink: Hashable, Sendable {
  /// The port's name without the client's, which may be another the next time.
  public let own: String
  /// The other port's full name.
  public let outside: String
  /// Whether our port sends.
  public let isOutput: Bool
}

/// The connections that were there when they were last looked at, whoever made them.
///
/// One whose other port has gone is kept for when that comes back. One that is missing while both
/// ports are there was undone by hand; this is believed at the second look, because a client that
/// ends disconnects its ports before it removes them.
public struct ConnectionMemory: Sendable {
  public private(set) var links: Set<PortLink> = []
  /// Those that were missing at the last look, though their other port was there.
  private var doubtful: Set<PortLink> = []
  /// Outside ports that have come and may still be connected by their own client.
  private var waiting: [String: Arrival] = [:]

  private struct Arrival {
    var due: ContinuousClock.Instant
    var attempts = 0
  }

  /// Time in which a client that has come may connect itself.
  public static let patience = Duration.seconds(1)
  /// Attempts, `patience` apart, until a connection that the server refuses is given up.
  private static let maximumAttempts = 10

  public init() {}

  /// Notes outside ports that have come, by their full names. All ports of their clients wait for
  /// the last one.
  public mutating func note(arrived ports: Set<String>, at now: ContinuousClock.Instant) {
    for port in ports { waiting[port] = Arrival(due: now + Self.patience) }
    let clients = Set(ports.map(Self.client))
    for port in waiting.keys where clients.contains(Self.client(of: port)) {
      waiting[port]!.due = now + Self.patience
    }
  }

  private static func client(of port: String) -> Substring { port.prefix { $0 != ":" } }

  /// Forgets all arrivals: the server has gone.
  public mutating func forgetArrivals() { waiting = [:] }

  /// Returns links to make again, of clients that had their time. A client of which a port was
  /// connected meanwhile is left alone.
  /// - Parameter isConnected: whether an outside port has a connection besides configured ones.
  public mutating func dueLinks(
    at now: ContinuousClock.Instant, isConnected: (String) -> Bool
  ) -> [PortLink] {
    let due = waiting.filter { $0.value.due <= now }
    guard !due.isEmpty else { return [] }
    // An attempt that failed before was no decision of the client.
    let connected = Set(
      due.filter { $0.value.attempts == 0 && isConnected($0.key) }.keys.map(Self.client))
    for port in due.keys { waiting[port] = nil }
    retried = due.mapValues(\.attempts)
    return links(with: Set(due.keys.filter { !connected.contains(Self.client(of: $0)) }))
  }

  /// Attempts so far of the ports that were due last.
  private var retried: [String: Int] = [:]

  /// Has a link that the server refused tried again: ports can be seen before their client is
  /// active.
  public mutating func noteRefusal(of link: PortLink, at now: ContinuousClock.Instant) {
    let attempts = retried[link.outside, default: 0] + 1
    guard attempts < Self.maximumAttempts else { return }
    waiting[link.outside] = Arrival(due: now + Self.patience, attempts: attempts)
  }

  /// Notes what is connected.
  /// - Parameters:
  ///   - present: what is connected now.
  ///   - isThere: whether a port of another client is there, by its full name.
  ///   - mayForget: false for a look between two that are a second apart.
  ///   - isOurs: whether a port of ours is there, by its name without the client's; what was
  ///     connected with one that is gone is kept for when it comes back.
  public mutating func look(
    at present: Set<PortLink>, mayForget: Bool, isOurs: (String) -> Bool = { _ in true },
    isThere: (String) -> Bool
  ) {
    links.formUnion(present)
    guard mayForget else { return }
    let missing = links.subtracting(present).filter {
      isOurs($0.own) && waiting[$0.outside] == nil && isThere($0.outside)
    }
    links.subtract(missing.intersection(doubtful))
    doubtful = missing
  }

  /// What to connect again with ports of ours that have come, by their names without the client's.
  public func links(of own: Set<String>) -> [PortLink] {
    links.filter { own.contains($0.own) }.sorted { ($0.own, $0.outside) < ($1.own, $1.outside) }
  }

  /// What to connect again.
  /// - Parameter arrived: the full names of the ports that have come.
  public func links(with arrived: Set<String>) -> [PortLink] {
    links.filter { arrived.contains($0.outside) }
      .sorted { ($0.own, $0.outside) < ($1.own, $1.outside) }
  }
}

extension JackBackend {
  /// What our ports are connected with.
  /// - Thread: [control]
  public var links: Set<PortLink> {
    var links: Set<PortLink> = []
    let prefix = client.name + ":"
    for (name, own) in ports {
      let port = own.port
      let isOutput = UInt32(jack_port_flags(port)) & JackPortIsOutput.rawValue != 0
      for outside in client.connections(of: prefix + name) where !outside.hasPrefix(prefix) {
        links.insert(PortLink(own: name, outside: outside, isOutput: isOutput))
      }
    }
    return links
  }

  /// Makes a connection again; one that is there is fine, as is one whose port of ours is no more.
  /// - Returns: source and destination, nil if it exists or our port has gone.
  /// - Throws: the server's refusal.
  /// - Thread: [control]
  public func restore(_ link: PortLink) throws(JackError) -> (String, String)? {
    guard let port = ports[link.own]?.port, jack_port_connected_to(port, link.outside) == 0 else {
      return nil
    }
    let own = "\(client.name):\(link.own)"
    let (source, destination) = link.isOutput ? (own, link.outside) : (link.outside, own)
    try client.connect(source, to: destination)
    return (source, destination)
  }
}
