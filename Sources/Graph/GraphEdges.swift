// How units are connected.

/// The connections of a graph, between places in its list of units.
struct GraphEdges: Sendable, Equatable {
  var audio: [GraphConnection<GraphBus>] = []
  var midi: [GraphConnection<Int>] = []
  /// Along which parameter events go.
  var parameters: [GraphConnection<Int>] = []
  var exposedInputs: Set<GraphBus> = []
  var exposedOutputs: Set<GraphBus> = []
  var exposedMIDIInputs: Set<Int> = []
  var exposedMIDIOutputs: Set<Int> = []

  /// By unit, those that hear it or get its events, one for each connection.
  func successors(_ unitCount: Int) -> [[Int]] {
    var successors = Array(repeating: [Int](), count: unitCount)
    for connection in audio { successors[connection.from.unit].append(connection.to.unit) }
    for connection in midi { successors[connection.from].append(connection.to) }
    for connection in parameters { successors[connection.from].append(connection.to) }
    return successors
  }

  /// The units so that each comes behind all that it hears; otherwise in the order of adding.
  func renderingOrder(_ units: Range<Int>) -> [Int] {
    let successors = successors(units.count)
    var unrendered = Array(repeating: 0, count: units.count)
    for next in successors.joined() { unrendered[next] += 1 }
    var order: [Int] = []
    var waiting = Array(units)
    // There is always one that waits for none: `checkCycle` has refused every circle.
    while let place = waiting.firstIndex(where: { unrendered[$0] == 0 }) {
      let unit = waiting.remove(at: place)
      order.append(unit)
      for next in successors[unit] { unrendered[next] -= 1 }
    }
    return order
  }
}
