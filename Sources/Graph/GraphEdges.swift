// Connections between units.

/// The connections of a graph, by unit index.
struct GraphEdges: Sendable, Equatable {
  var audio: [GraphConnection<GraphBus>] = []
  var midi: [GraphConnection<Int>] = []
  /// Connections of parameter events.
  var parameters: [GraphConnection<Int>] = []
  var exposedInputs: Set<GraphBus> = []
  var exposedOutputs: Set<GraphBus> = []
  var exposedMIDIInputs: Set<Int> = []
  var exposedMIDIOutputs: Set<Int> = []

  /// Returns the units that receive each unit's audio or events, one entry for each connection.
  func successors(_ unitCount: Int) -> [[Int]] {
    var successors = Array(repeating: [Int](), count: unitCount)
    for connection in audio { successors[connection.from.unit].append(connection.to.unit) }
    for connection in midi { successors[connection.from].append(connection.to) }
    for connection in parameters { successors[connection.from].append(connection.to) }
    return successors
  }

  /// Returns the units sorted so that each follows its sources; otherwise in the order they were
  /// added.
  func renderingOrder(_ units: Range<Int>) -> [Int] {
    let successors = successors(units.count)
    var unrendered = Array(repeating: 0, count: units.count)
    for next in successors.joined() { unrendered[next] += 1 }
    var order: [Int] = []
    var waiting = Array(units)
    // `checkCycle` has refused every cycle, so one unit always has no unrendered source.
    while let index = waiting.firstIndex(where: { unrendered[$0] == 0 }) {
      let unit = waiting.remove(at: index)
      order.append(unit)
      for next in successors[unit] { unrendered[next] -= 1 }
    }
    return order
  }
}
