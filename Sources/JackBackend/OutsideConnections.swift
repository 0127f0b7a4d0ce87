// Connections between our ports and ports of other clients, which may come and go.

import CJack
import Graph

/// Makes the wished connections as soon as their outside ports are there. Each is made once in the
/// life of the outside port, so that what a user disconnects by hand stays disconnected; a cut soon
/// after the port's arrival is undone, as `ConnectionWatch` has it. One that
/// the server refuses is tried again at each update: a client's ports can be seen before they may
/// be connected.
///
/// MIDI: every match is connected. Audio: the first of our ports goes with the first match, the
/// second with the second, and stays with it as long as it is there; a single port goes with the
/// first two, so that mono is heard on both sides. Where there are fewer matches than our ports,
/// none is left out: they share those that there are.
public final class OutsideConnections {
  /// What became of one update.
  public struct UpdateResult {
    /// Source and destination of each new connection.
    public var made: [(String, String)] = []
    /// Errors that are new.
    public var failed: [JackError] = []
    /// Outside ports into which several channels of one unit go now.
    public var mixed: [String] = []
    /// Connections that another client has cut and that stay so.
    public var cut: [(String, String)] = []
  }

  private typealias Pair = [String]

  private let client: JackClient
  public private(set) var wishes: [OutsideConnection]
  /// For each wish, the outside port of each of its places.
  private var places: [[String?]]
  private var made: Set<Pair> = []
  /// Those among `made` that end when another port comes.
  private var shared: Set<Pair> = []
  private var refused: Set<Pair> = []
  private var watch = ConnectionWatch()

  /// - Thread: [control]
  public init(client: JackClient, wishes: [OutsideConnection]) {
    self.client = client
    self.wishes = wishes
    places = wishes.map(Self.noPlaces)
  }

  private static func noPlaces(of wish: OutsideConnection) -> [String?] {
    Array(repeating: nil, count: wish.ports.count == 1 ? 2 : wish.ports.count)
  }

  /// Takes other wishes; those that are among both keep what was made for them.
  ///
  /// - Returns: what was made, for `disconnect` behind the next update.
  /// - Thread: [control]
  public func become(_ wishes: [OutsideConnection]) -> Set<[String]> {
    places = wishes.map { wish in
      self.wishes.firstIndex { $0.isSame(as: wish) }.map { places[$0] } ?? Self.noPlaces(of: wish)
    }
    self.wishes = wishes
    return made
  }

  /// Ends what was made and is not wished any more.
  /// - Thread: [control]
  public func disconnect(_ former: Set<[String]>) {
    for pair in former.subtracting(made) { jack_disconnect(client.handle, pair[0], pair[1]) }
  }

  /// A port of this full name has come: whatever was connected to one of the same name was
  /// connected to another port.
  /// - Thread: [control]
  public func forget(port: String) {
    made = made.filter { !$0.contains(port) }
    shared = shared.filter { !$0.contains(port) }
    refused = refused.filter { !$0.contains(port) }
    watch.note(arrived: port, at: .now)
  }

  /// Whether an outside port has a connection that is not among those that were made here.
  /// - Thread: [control], not in a callback of JACK.
  public func isConnectedByOthers(_ port: String) -> Bool {
    let others = client.connections(of: port)
    return others.contains { !made.contains([port, $0]) && !made.contains([$0, port]) }
  }

  /// Makes connections again that a client cut when it restored its own. Call it once a second.
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

  /// Connects what can be connected now.
  /// - Parameter isSettled: whether no more ports are expected just now. Only then do several
  ///   channels share a port that matches a pattern: of a client that has just come, the others may
  ///   follow.
  /// - Thread: [control], not in a callback of JACK.
  public func update(isSettled: Bool = true) -> UpdateResult {
    var news = UpdateResult()
    var present: Set<Pair> = []
    var sharing: Set<Pair> = []
    for (index, wish) in wishes.enumerated() {
      let (pairs, extra) = pairs(of: wish, index)
      let wanted = isSettled ? pairs + extra : pairs
      present.formUnion(pairs)
      sharing.formUnion(extra)
      var sources: [String: Int] = [:]
      var isNew: Set<String> = []
      for pair in wanted {
        if connect(pair, &news) { isNew.insert(pair[1]) }
        sources[pair[1], default: 0] += 1
      }
      guard wish.direction == .toOutside && !wish.isMIDI else { continue }
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

  /// The places of the wishes for which no outside port is there now.
  /// - Thread: [control]
  public var unmatched: [Int] {
    wishes.indices.filter { matches(of: wishes[$0]).isEmpty }
  }

  /// The places of the wishes of which nothing is connected now.
  /// - Thread: [control]
  public var unconnected: [Int] {
    wishes.indices.filter { index in
      let ours = wishes[index].ports.map { client.name + ":" + $0 }
      let outside = matches(of: wishes[index])
      return !made.contains { pair in
        pair.contains(where: ours.contains) && pair.contains(where: outside.contains)
      }
    }
  }

  private func matches(of wish: OutsideConnection) -> [String] {
    let flags = wish.direction == .toOutside ? JackPortIsInput : JackPortIsOutput
    let type = wish.isMIDI ? JACK_DEFAULT_MIDI_TYPE : JACK_DEFAULT_AUDIO_TYPE
    let own = client.name + ":"
    let all =
      if case .physical = wish.target {
        client.physicalPortNames(type: type, flags: flags)
      } else {
        client.portNames(type: type, flags: flags)
      }
    return all.filter { !$0.hasPrefix(own) && wish.matches($0) }
  }

  /// The pairs (source, destination) that are wished, and those of channels that share a port as
  /// long as there are no more.
  private func pairs(of wish: OutsideConnection, _ index: Int) -> (pairs: [Pair], extra: [Pair]) {
    let matches = matches(of: wish)
    let ours = wish.ports.map { client.name + ":" + $0 }
    func pair(_ port: String, _ outside: String) -> Pair {
      wish.direction == .toOutside ? [port, outside] : [outside, port]
    }
    if wish.isMIDI { return (ours.flatMap { port in matches.map { pair(port, $0) } }, []) }
    if case .name = wish.target {
      return (matches.prefix(1).flatMap { port in ours.map { pair($0, port) } }, [])
    }
    places[index] = places[index].map { port in port.flatMap { matches.contains($0) ? $0 : nil } }
    var free = matches.filter { !places[index].contains($0) }[...]
    for place in places[index].indices where places[index][place] == nil {
      places[index][place] = free.popFirst()
    }
    let taken = places[index].compactMap { $0 }
    var pairs: [Pair] = []
    var extra: [Pair] = []
    for (place, port) in places[index].enumerated() {
      // A single port of ours has two places.
      let channel = ours[min(place, ours.count - 1)]
      if let port {
        pairs.append(pair(channel, port))
      } else if ours.count > 1, !taken.isEmpty {
        extra.append(pair(channel, taken[place % taken.count]))
      }
    }
    return (pairs, extra)
  }
}
