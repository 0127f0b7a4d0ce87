// Latencies of signals in a graph.

/// The latencies in frames of each unit's inputs and outputs, relative to the ports; nil for units
/// of other graphs.
struct PathDelays: Sendable, Equatable {
  private(set) var arrivals: [Int?]
  private(set) var departures: [Int?]

  /// Makes the delays of a graph without latency.
  init(noneOf unitCount: Int) {
    arrivals = Array(repeating: 0, count: unitCount)
    departures = arrivals
  }

  /// Calculates the delays of a graph. All inputs of a unit arrive together, as late as the latest
  /// of them.
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

  /// Returns the alignment delay from one unit to another, in frames; nil if either is not in the
  /// graph.
  func wait(from source: Int, to destination: Int) -> Int? {
    guard let departure = departures[source], let arrival = arrivals[destination] else {
      return nil
    }
    // Units of two successive graphs may not be connected in this one.
    return max(0, arrival - departure)
  }

  /// Returns the alignment delay of a unit's ports, in frames; nil if the unit is not in the graph.
  func waitAtPorts(of unit: Int) -> Int? { arrivals[unit] }

  /// Returns the delays with other unit indices, among `count` units.
  func moved(to indices: [Int], among count: Int) -> Self {
    var moved = self
    moved.arrivals = Array(repeating: nil, count: count)
    moved.departures = moved.arrivals
    for (old, new) in indices.enumerated() {
      moved.arrivals[new] = arrivals[old]
      moved.departures[new] = departures[old]
    }
    return moved
  }
}

/// The delays before and after a passage; equal for a steady graph.
struct DelayChange: Sendable, Equatable {
  let before: PathDelays
  let after: PathDelays
}

extension GraphDescription {
  /// The delays; nil if no unit has latency.
  var delays: PathDelays? {
    guard nodes.contains(where: { $0.latencyFrames > 0 }) else { return nil }
    return PathDelays(of: self, edges.renderingOrder(nodes.indices))
  }

  /// Returns the graph with the latencies of the prepared units.
  func delayed(by prepared: [NodeID: PreparedUnit]) -> Self {
    var delayed = self
    for index in nodes.indices {
      delayed.nodes[index].latencyFrames =
        prepared[nodes[index].identity]?.hosting.latencyFrames ?? nodes[index].latencyFrames
    }
    return delayed
  }
}
