// Connections between the session's ports and ports of other clients.

import CJack
import Graph

/// Makes the requested connections as soon as their outside ports exist. Each is made once in the
/// lifetime of the outside port, so a connection that a user removes by hand stays removed. A cut
/// soon after the port's arrival is undone, see `ConnectionWatch`. A connection that the server
/// refuses is retried at each update, because ports may be visible before they may be connected.
///
/// MIDI: every match is connected. Audio: the first of the session's ports is connected to the
/// first match, the second to the second, and so on. A pair stays as long as the outside port
/// exists. A single port is connected to the first two, so that mono is heard on both sides. If
/// there are fewer matches than ports, the ports share the matches.
public final class OutsideConnections {
  /// The result of an update.
  public struct UpdateResult {
    /// Source and destination of each new connection.
    public var made: [(String, String)] = []
    /// New errors.
    public var failed: [JackError] = []
    /// Outside ports that now receive several channels of one unit.
    public var mixed: [String] = []
    /// Connections cut by another client that are not made again.
    public var cut: [(String, String)] = []
  }

  private typealias Pair = [String]

  private let client: JackClient
  public private(set) var requests: [OutsideConnection]
  /// The outside port of each channel, by request.
  private var slots: [[String?]]
  private var made: Set<Pair> = []
  /// Subset of `made`: connections of channels that share a port, because there are too few.
  /// Disconnected when another port appears.
  private var shared: Set<Pair> = []
  private var refused: Set<Pair> = []
  private var watch = ConnectionWatch()

  /// - Thread: [control]
  public init(client: JackClient, requests: [OutsideConnection]) {
    self.client = client
    self.requests = requests
    slots = requests.map(Self.emptySlots)
  }

  private static func emptySlots(of request: OutsideConnection) -> [String?] {
    Array(repeating: nil, count: request.ports.count == 1 ? 2 : request.ports.count)
  }

  /// Replaces the requests. Requests that stay keep their connections.
  ///
  /// - Returns: the connections made so far, for `disconnect` after the next update.
  /// - Thread: [control]
  public func become(_ requests: [OutsideConnection]) -> Set<[String]> {
    slots = requests.map { request in
      self.requests.firstIndex { $0.isSame(as: request) }.map { slots[$0] }
        ?? Self.emptySlots(of: request)
    }
    self.requests = requests
    return made
  }

  /// Disconnects former connections that are no longer requested.
  /// - Thread: [control]
  public func disconnect(_ former: Set<[String]>) {
    for pair in former.subtracting(made) { jack_disconnect(client.handle, pair[0], pair[1]) }
  }

  /// Forgets the connections of an outside port, by its full name. Called when it is registered:
  /// earlier connections were to another port of this name.
  /// - Thread: [control]
  public func forget(port: String) {
    made = made.filter { !$0.contains(port) }
    shared = shared.filter { !$0.contains(port) }
    refused = refused.filter { !$0.contains(port) }
    watch.note(arrived: port, at: .now)
  }

  /// Whether an outside port has a connection that was not made here.
  /// - Thread: [control], not in a callback of JACK.
  public func isConnectedByOthers(_ port: String) -> Bool {
    let others = client.connections(of: port)
    return others.contains { !hasMade(port, withOwn: $0) }
  }

  /// Whether the connection of an outside port with one of the session's was made here.
  ///
  /// - Parameters:
  ///   - port: the full name of the outside port.
  ///   - own: the full name of the session's port.
  /// - Thread: [control]
  public func hasMade(_ port: String, withOwn own: String) -> Bool {
    made.contains([port, own]) || made.contains([own, port])
  }

  /// Makes connections again that a client cut while restoring its own. Call it once a second.
  /// - Thread: [control], not in a callback of JACK.
  public func examineCuts() -> UpdateResult {
    let missing = made.filter { pair in
      pair.allSatisfy { client.hasPort($0) } && !client.connections(of: pair[0]).contains(pair[1])
    }
    let result = watch.look(at: missing, at: .now)
    var news = UpdateResult()
    news.cut = result.cut.map { ($0[0], $0[1]) }.sorted { $0 < $1 }
    made.subtract(result.again)
    for pair in result.again.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      _ = connect(pair, &news)
    }
    return news
  }

  /// Makes the connections that are possible now.
  /// - Parameter isSettled: whether no more ports are expected soon. Only then do several channels
  ///   share a port that matches a pattern: more ports of a new client may follow.
  /// - Thread: [control], not in a callback of JACK.
  public func update(isSettled: Bool = true) -> UpdateResult {
    var news = UpdateResult()
    var present: Set<Pair> = []
    var sharing: Set<Pair> = []
    for (index, request) in requests.enumerated() {
      let (pairs, extra) = pairs(of: request, index)
      let wanted = isSettled ? pairs + extra : pairs
      present.formUnion(pairs)
      sharing.formUnion(extra)
      var sources: [String: Int] = [:]
      var isNew: Set<String> = []
      for pair in wanted {
        if connect(pair, &news) { isNew.insert(pair[1]) }
        sources[pair[1], default: 0] += 1
      }
      guard request.direction == .toOutside && !request.isMIDI else { continue }
      news.mixed += isNew.filter { sources[$0]! > 1 }.sorted()
    }
    for pair in shared.subtracting(sharing).subtracting(present) {
      jack_disconnect(client.handle, pair[0], pair[1])
    }
    made.formIntersection(present.union(sharing))
    refused.formIntersection(present.union(sharing))
    shared = sharing.intersection(made)
    return news
  }

  /// - Returns: whether the connection is new.
  private func connect(_ pair: Pair, _ news: inout UpdateResult) -> Bool {
    if made.contains(pair) { return false }
    do {
      try client.connect(pair[0], to: pair[1])
      made.insert(pair)
      news.made.append((pair[0], pair[1]))
      return true
    } catch {
      if refused.insert(pair).inserted { news.failed.append(error) }
      return false
    }
  }

  /// The indices of the requests without an existing outside port.
  /// - Thread: [control]
  public var unmatched: [Int] {
    requests.indices.filter { matches(of: requests[$0]).isEmpty }
  }

  /// The indices of the requests without a connection.
  /// - Thread: [control]
  public var unconnected: [Int] {
    requests.indices.filter { index in
      let ours = requests[index].ports.map { client.name + ":" + $0 }
      let outside = matches(of: requests[index])
      return !made.contains { pair in
        pair.contains(where: ours.contains) && pair.contains(where: outside.contains)
      }
    }
  }

  private func matches(of request: OutsideConnection) -> [String] {
    let flags = request.direction == .toOutside ? JackPortIsInput : JackPortIsOutput
    let type = request.isMIDI ? JACK_DEFAULT_MIDI_TYPE : JACK_DEFAULT_AUDIO_TYPE
    let own = client.name + ":"
    let all =
      if case .physical = request.target {
        client.physicalPortNames(type: type, flags: flags)
      } else {
        client.portNames(type: type, flags: flags)
      }
    let matches = all.filter { !$0.hasPrefix(own) && request.matches($0) }
    guard matches.isEmpty, case .name(let alias) = request.target else { return matches }
    let full = client.fullName(of: alias)
    return all.filter { !$0.hasPrefix(own) && $0 == full }
  }

  /// Returns the requested pairs (source, destination), and those of channels that share a port
  /// while there are too few.
  private func pairs(of request: OutsideConnection, _ index: Int) -> (pairs: [Pair], extra: [Pair])
  {
    let matches = matches(of: request)
    let ours = request.ports.map { client.name + ":" + $0 }
    func pair(_ port: String, _ outside: String) -> Pair {
      request.direction == .toOutside ? [port, outside] : [outside, port]
    }
    if request.isMIDI { return (ours.flatMap { port in matches.map { pair(port, $0) } }, []) }
    if case .name = request.target {
      return (matches.prefix(1).flatMap { port in ours.map { pair($0, port) } }, [])
    }
    slots[index] = slots[index].map { port in port.flatMap { matches.contains($0) ? $0 : nil } }
    var free = matches.filter { !slots[index].contains($0) }[...]
    for slot in slots[index].indices where slots[index][slot] == nil {
      slots[index][slot] = free.popFirst()
    }
    let taken = slots[index].compactMap { $0 }
    var pairs: [Pair] = []
    var extra: [Pair] = []
    for (slot, port) in slots[index].enumerated() {
      // A single port has two slots.
      let channel = ours[min(slot, ours.count - 1)]
      if let port {
        pairs.append(pair(channel, port))
      } else if ours.count > 1, !taken.isEmpty {
        extra.append(pair(channel, taken[slot % taken.count]))
      }
    }
    return (pairs, extra)
  }
}
