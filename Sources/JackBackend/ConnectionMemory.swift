// Connections of the session's ports, remembered when the server or other clients end.

import CJack

/// A connection of one of the session's ports with a port of another client.
public struct PortLink: Hashable, Sendable {
  /// The session's port, without the client's name, which may differ the next time.
  public let own: String
  /// The other port's full name.
  public let outside: String
  /// Whether the session's port is an output.
  public let isOutput: Bool
}

/// The connections found at the last look, made by any client.
///
/// If an outside port disappears, its connections are kept for its return. A connection missing
/// while both ports exist was disconnected by hand. That is decided at the second look, because a
/// client that ends disconnects its ports before it removes them.
public struct ConnectionMemory: Sendable {
  public private(set) var links: Set<PortLink> = []
  /// Connections missing at the last look although their outside port existed.
  private var doubtful: Set<PortLink> = []
  /// New outside ports that their own client may still connect.
  private var waiting: [String: Arrival] = [:]

  private struct Arrival {
    var due: ContinuousClock.Instant
    var attempts = 0
  }

  /// The time a new client has to connect its own ports.
  public static let patience = Duration.seconds(1)
  /// Attempts, `patience` apart, before a connection that the server refuses is given up.
  private static let maximumAttempts = 10

  public init() {}

  /// Notes new outside ports, by their full names. All ports of their clients wait for the last
  /// one.
  public mutating func note(arrived ports: Set<String>, at now: ContinuousClock.Instant) {
    for port in ports { waiting[port] = Arrival(due: now + Self.patience) }
    let clients = Set(ports.map(Self.client))
    for port in waiting.keys where clients.contains(Self.client(of: port)) {
      waiting[port]!.due = now + Self.patience
    }
  }

  private static func client(of port: String) -> Substring { port.prefix { $0 != ":" } }

  /// Forgets all arrivals, after the server has ended.
  public mutating func forgetArrivals() { waiting = [:] }

  /// Returns links to make again, of clients whose time is over. A client with a port that was
  /// connected meanwhile is skipped.
  /// - Parameter isConnected: whether an outside port has a connection besides configured ones.
  public mutating func dueLinks(
    at now: ContinuousClock.Instant, isConnected: (String) -> Bool
  ) -> [PortLink] {
    let due = waiting.filter { $0.value.due <= now }
    guard !due.isEmpty else { return [] }
    // After a failed attempt, a connection is not taken as the client's own decision.
    let connected = Set(
      due.filter { $0.value.attempts == 0 && isConnected($0.key) }.keys.map(Self.client))
    for port in due.keys { waiting[port] = nil }
    retried = due.mapValues(\.attempts)
    return links(with: Set(due.keys.filter { !connected.contains(Self.client(of: $0)) }))
  }

  /// The earlier attempts of the ports returned last.
  private var retried: [String: Int] = [:]

  /// Schedules another attempt for a link that the server refused: ports may be visible before
  /// their client is active.
  public mutating func noteRefusal(of link: PortLink, at now: ContinuousClock.Instant) {
    let attempts = retried[link.outside, default: 0] + 1
    guard attempts < Self.maximumAttempts else { return }
    waiting[link.outside] = Arrival(due: now + Self.patience, attempts: attempts)
  }

  /// Updates the links from the current connections.
  /// - Parameters:
  ///   - present: the current connections.
  ///   - isThere: whether a port of another client exists, by its full name.
  ///   - mayForget: false for an extra look between two that are a second apart.
  ///   - isOurs: whether one of the session's ports exists, by its name without the client's.
  ///     Connections of a removed port are kept for its return.
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

  /// Returns links to make again with new ports of the session, by their names without the
  /// client's.
  public func links(of own: Set<String>) -> [PortLink] {
    links.filter { own.contains($0.own) }.sorted { ($0.own, $0.outside) < ($1.own, $1.outside) }
  }

  /// Returns links to make again with new outside ports.
  /// - Parameter arrived: the full names of the new ports.
  public func links(with arrived: Set<String>) -> [PortLink] {
    links.filter { arrived.contains($0.outside) }
      .sorted { ($0.own, $0.outside) < ($1.own, $1.outside) }
  }
}

extension JackBackend {
  /// The current connections of the session's ports.
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

  /// Makes a connection again, unless it exists or the session's port has been removed.
  /// - Returns: source and destination; nil if it exists or the session's port has been removed.
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
