// How late signals are in a graph whose units have latency.

/// By place, how many frames behind the ports a unit hears and gives what it does; nil for places
/// of other graphs.
struct PathDelays: Sendable, Equatable {
  private(set) var arrivals: [Int?]
  private(set) var departures: [Int?]

  /// Those of a graph without latency.
  init(noneOf unitCount: Int) {
    arrivals = Array(repeating: 0, count: unitCount)
    departures = arrivals
  }

  /// All that a unit hears arrives together, as late as the latest of it.
  init(of graph: GraphDescription, _ order: [Int]) {
    self.init(noneOf: graph.nodes.count)
    var sources = Array(repeating: [Int](), count: graph.nodes.count)
    for connection in graph.edges.audio { sources[connection.to.unit].append(connection.from.unit) }
    for connection in graph.edges.midi + graph.edges.parameters {
      sources[connection.to].append(connection.from)
    }
    for unit in order {
      let arrival = sources[unit].reduce(0) { max($0, departures[$1] ?? 0) }
      arrivals[unit] = arrival
      departures[unit] = arrival + graph.nodes[unit].latencyFrames
    }
  }

  /// How many frames what goes from one unit to another waits; nil where one of them is not there.
  func wait(from source: Int, to destination: Int) -> Int? {
    guard let departure = departures[source], let arrival = arrivals[destination] else {
      return nil
    }
    // Units of two graphs that follow each other may not be connected in this one.
    return max(0, arrival - departure)
  }

  /// How many frames what comes to a unit from outside waits.
  func waitAtPorts(of unit: Int) -> Int? { arrivals[unit] }

  /// The same where the units have other places among others.
  func moved(to places: [Int], among count: Int) -> Self {
    var moved = self
    moved.arrivals = Array(repeating: nil, count: count)
    moved.departures = moved.arrivals
    for (place, new) in places.enumerated() {
      moved.arrivals[new] = arrivals[place]
      moved.departures[new] = departures[place]
    }
    return moved
  }
}

/// The delays of a graph on its way into another one; those of a steady graph are the same twice.
struct DelayChange: Sendable, Equatable {
  let before: PathDelays
  let after: PathDelays
}

extension GraphDescription {
  /// Nil where no unit has latency.
  var delays: PathDelays? {
    guard nodes.contains(where: { $0.latencyFrames > 0 }) else { return nil }
    return PathDelays(of: self, edges.renderingOrder(nodes.indices))
  }

  /// The same once the units have said what their latencies are.
  func delayed(by prepared: [NodeID: PreparedUnit]) -> Self {
    var delayed = self
    for index in nodes.indices {
      delayed.nodes[index].latencyFrames =
        prepared[nodes[index].identity]?.hosting.latencyFrames ?? nodes[index].latencyFrames
    }
    return delayed
  }
}
