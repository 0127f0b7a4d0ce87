// Connections between our ports and ports of other clients, which may come and go.

import CJack

/// A wish to connect a unit's ports to outside ports that match a pattern.
public struct OutsideConnection: Sendable {
  public enum Direction: Sendable {
    case toOutside
    case fromOutside
  }

  /// Our ports, without the client's name, in channel order.
  public let ports: [String]
  public let direction: Direction
  public let isMIDI: Bool
  /// What the configuration calls the outside ports, for messages.
  public let pattern: String
  /// Whether a full port name is meant.
  public let matches: @Sendable (String) -> Bool

  public init(
    ports: [String], direction: Direction, isMIDI: Bool, pattern: String,
    matches: @escaping @Sendable (String) -> Bool
  ) {
    self.ports = ports
    self.direction = direction
    self.isMIDI = isMIDI
    self.pattern = pattern
    self.matches = matches
  }
}

/// Makes the wished connections as soon as their outside ports are there. Each is made once in the life of
/// the outside port, so that what a user disconnects by hand stays disconnected. One that the server
/// refuses is tried again at each update: a client's ports can be seen before they may be connected.
///
/// Audio: the first of our ports goes with the first match, the second with the second; a single
/// port goes with the first two, so that mono is heard on both sides. MIDI: every match is connected.
public final class OutsideConnections {
  private let client: JackClient
  private let wishes: [OutsideConnection]
  private var made: Set<[String]> = []
  private var refused: Set<[String]> = []

  /// - Thread: [control]
  public init(client: JackClient, wishes: [OutsideConnection]) {
    self.client = client
    self.wishes = wishes
  }

  /// A port of this full name has come: whatever was connected to one of the same name was connected to
  /// another port.
  /// - Thread: [control]
  public func forget(port: String) {
    made = made.filter { !$0.contains(port) }
    refused = refused.filter { !$0.contains(port) }
  }

  /// Connects what can be connected now.
  /// - Returns: the pairs (source, destination) made by this call, and the errors that are new.
  /// - Thread: [control], not in a callback of JACK.
  public func update() -> (made: [(String, String)], failed: [JackError]) {
    var news: [(String, String)] = []
    var failures: [JackError] = []
    var present: Set<[String]> = []
    for wish in wishes {
      for (source, destination) in pairs(of: wish) {
        let pair = [source, destination]
        present.insert(pair)
        if made.contains(pair) { continue }
        do {
          try client.connect(source, to: destination)
          made.insert(pair)
          news.append((source, destination))
        } catch {
          if refused.insert(pair).inserted { failures.append(error) }
        }
      }
    }
    made.formIntersection(present)
    refused.formIntersection(present)
    return (news, failures)
  }

  /// The wishes for which no outside port is there now.
  /// - Thread: [control]
  public var unmatched: [OutsideConnection] { wishes.filter { pairs(of: $0).isEmpty } }

  private func pairs(of wish: OutsideConnection) -> [(String, String)] {
    let flags = wish.direction == .toOutside ? JackPortIsInput : JackPortIsOutput
    let type = wish.isMIDI ? JACK_DEFAULT_MIDI_TYPE : JACK_DEFAULT_AUDIO_TYPE
    let own = client.name + ":"
    let matches = client.portNames(type: type, flags: flags)
      .filter { !$0.hasPrefix(own) && wish.matches($0) }
    let ours = wish.ports.map { own + $0 }
    let joined: [(String, String)]
    if wish.isMIDI {
      joined = ours.flatMap { port in matches.map { (port, $0) } }
    } else if ours.count == 1 {
      joined = matches.prefix(2).map { (ours[0], $0) }
    } else {
      joined = Array(zip(ours, matches))
    }
    return wish.direction == .toOutside ? joined : joined.map { ($0.1, $0.0) }
  }
}
