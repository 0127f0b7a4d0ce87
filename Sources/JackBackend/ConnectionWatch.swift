// Configured connections that another client has disconnected.

/// Decides whether a missing configured connection is made again.
///
/// A program that opens a session registers its ports and then restores their connections, which
/// cuts connections made meanwhile. A cut soon after the outside port's arrival is such a
/// restoration; the connection is made again once the client is quiet. A later cut stays. The first
/// look that finds a connection missing decides: a client that opens a large session may not be
/// quiet for much longer than `restoration`.
struct ConnectionWatch {
  /// Source and destination.
  typealias Pair = [String]

  /// Result of one look.
  struct Result: Equatable {
    /// Connections to make again.
    var again: Set<Pair> = []
    /// Connections cut by others, reported once each.
    var cut: Set<Pair> = []
  }

  /// The time after a port's arrival during which a cut is a restoration.
  static let restoration = Duration.seconds(10)
  /// The time without a new port or cut after which a client is quiet.
  static let quiet = Duration.seconds(1)

  private var arrivals: [String: ContinuousClock.Instant] = [:]
  /// The last new port or cut of each client.
  private var changes: [Substring: ContinuousClock.Instant] = [:]
  /// Missing connections, and whether each was cut by a restoration.
  private var missing: [Pair: Bool] = [:]
  private var reported: Set<Pair> = []

  private static func client(of port: String) -> Substring { port.prefix { $0 != ":" } }

  /// Notes a new outside port, by its full name.
  mutating func note(arrived port: String, at now: ContinuousClock.Instant) {
    arrivals = arrivals.filter { now - $0.value < Self.restoration }
    changes = changes.filter { now - $0.value < Self.restoration }
    arrivals[port] = now
    changes[Self.client(of: port)] = now
    missing = missing.filter { !$0.key.contains(port) }
    reported = reported.filter { !$0.contains(port) }
  }

  /// Compares connections with those that were made. Call it once a second.
  /// - Parameters:
  ///   - missing: made connections that are missing, though both ports exist.
  mutating func look(at missing: Set<Pair>, at now: ContinuousClock.Instant) -> Result {
    var result = Result()
    reported.formIntersection(missing)
    let former = self.missing
    self.missing = [:]
    for pair in missing where former[pair] == nil {
      for port in pair { changes[Self.client(of: port)] = now }
    }
    for pair in missing {
      let isRestoration = former[pair] ?? isJustHere(pair, at: now)
      self.missing[pair] = isRestoration
      // The second look acts: a client that ends disconnects its ports before it removes them.
      guard former[pair] != nil, !reported.contains(pair) else { continue }
      if !isRestoration {
        result.cut.insert(pair)
        reported.insert(pair)
      } else if pair.allSatisfy({ port in
        changes[Self.client(of: port)].map { now - $0 >= Self.quiet } ?? true
      }) {
        result.again.insert(pair)
        self.missing[pair] = nil
      }
    }
    return result
  }

  /// Whether a port of the pair arrived so recently that a cut is a restoration.
  private func isJustHere(_ pair: Pair, at now: ContinuousClock.Instant) -> Bool {
    pair.contains { port in arrivals[port].map { now - $0 < Self.restoration } ?? false }
  }
}
