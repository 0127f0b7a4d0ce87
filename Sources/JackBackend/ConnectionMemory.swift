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

  public init() {}

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
    let missing = links.subtracting(present).filter { isOurs($0.own) && isThere($0.outside) }
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
      guard let others = jack_port_get_all_connections(client.handle, port) else { continue }
      defer { jack_free(others) }
      let isOutput = UInt32(jack_port_flags(port)) & JackPortIsOutput.rawValue != 0
      var index = 0
      while let other = others[index] {
        let outside = String(cString: other)
        if !outside.hasPrefix(prefix) {
          links.insert(PortLink(own: name, outside: outside, isOutput: isOutput))
        }
        index += 1
      }
    }
    return links
  }

  /// Makes a connection again; one that is there is fine, as is one whose port of ours is no more.
  /// - Returns: source and destination, nil where it was there or could not be made.
  /// - Thread: [control]
  public func restore(_ link: PortLink) -> (String, String)? {
    guard let port = ports[link.own]?.port, jack_port_connected_to(port, link.outside) == 0 else {
      return nil
    }
    let own = "\(client.name):\(link.own)"
    let (source, destination) = link.isOutput ? (own, link.outside) : (link.outside, own)
    do { try client.connect(source, to: destination) } catch { return nil }
    return (source, destination)
  }
}
