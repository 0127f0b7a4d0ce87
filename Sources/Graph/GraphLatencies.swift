// Latencies of a graph's outputs, for clients that align signals.

/// The latency of an output port of a graph, and the inputs it applies to.
public struct GraphPortLatency: Sendable, Equatable {
  /// The name of the port in the graph.
  public let output: String
  /// The input ports whose audio or MIDI reaches the output.
  public let inputs: [String]
  /// Latency in frames, equal on all paths because parallel paths are aligned.
  public let frames: Int
}

/// A path from a unit's output to a port of the graph.
public struct OutputPath: Sendable, Equatable {
  /// The name of a port of the graph's audio outputs.
  public let output: String
  /// Latency in frames from the unit's output to the port.
  public let frames: Int
}

extension CompiledGraph {
  /// Returns, by unit, the paths to the graph's audio outputs, with their latencies.
  /// - Thread: [control]. - Complexity: O(units · connections)
  public func outputPaths() -> [[OutputPath]] {
    let order = agreed.edges.renderingOrder(agreed.nodes.indices)
    let delays = PathDelays(of: agreed, order)
    var reached = Array(repeating: Set<Int>(), count: agreed.nodes.count)
    for unit in order.reversed() {
      reached[unit] = agreed.edges.audio.reduce([unit]) {
        $1.from.unit == unit ? $0.union(reached[$1.to.unit]) : $0
      }
    }
    return agreed.nodes.indices.map { unit in
      ports.audioOutputs.filter { !$0.isEnding && reached[unit].contains($0.unitIndex) }.map {
        OutputPath(
          output: $0.name,
          frames: (delays.departures[$0.unitIndex] ?? 0) - (delays.departures[unit] ?? 0))
      }
    }
  }

  /// Returns the latencies of all outputs, including MIDI.
  /// - Thread: [control]. - Complexity: O(units · connections)
  public func portLatencies() -> [GraphPortLatency] {
    let edges = agreed.edges
    let order = edges.renderingOrder(agreed.nodes.indices)
    let delays = PathDelays(of: agreed, order)
    var inputs = Array(repeating: [String](), count: agreed.nodes.count)
    for port in ports.audioInputs + ports.midiInputs where !port.isEnding {
      inputs[port.unitIndex].append(port.name)
    }
    var sources = Array(repeating: Set<Int>(), count: agreed.nodes.count)
    for connection in edges.audio { sources[connection.to.unit].insert(connection.from.unit) }
    for connection in edges.midi + edges.parameters {
      sources[connection.to].insert(connection.from)
    }
    /// For each unit, the units with input ports whose signals reach it.
    var origins = sources
    for unit in order {
      origins[unit] = sources[unit].reduce(inputs[unit].isEmpty ? [] : [unit]) {
        $0.union(origins[$1])
      }
    }
    return (ports.audioOutputs + ports.midiOutputs).filter { !$0.isEnding }.map { port in
      GraphPortLatency(
        output: port.name, inputs: origins[port.unitIndex].sorted().flatMap { inputs[$0] },
        frames: delays.departures[port.unitIndex] ?? 0)
    }
  }
}
