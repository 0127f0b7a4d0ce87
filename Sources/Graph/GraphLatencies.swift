// How late a graph's outputs are, for those outside who align what they hear.

/// An output port of a graph: how many frames it is behind, and behind which inputs.
public struct GraphPortLatency: Sendable, Equatable {
  /// As in the graph's ports.
  public let output: String
  /// The input ports whose signal or MIDI reaches it.
  public let inputs: [String]
  /// By all ways alike, since parallel ones are aligned.
  public let frames: Int
}

/// Where the sound of a unit leaves a graph.
public struct OutputPath: Sendable, Equatable {
  /// A port of the graph's audio outputs.
  public let output: String
  /// From the unit's output to the port.
  public let frames: Int
}

extension CompiledGraph {
  /// By unit, where its sound leaves the graph, and how late.
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

  /// Those of all outputs, MIDI among them.
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
    /// By unit, those at whose ports comes what reaches it.
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
