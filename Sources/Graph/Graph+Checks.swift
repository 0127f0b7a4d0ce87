// What an edit of a graph must not do.

import UnitModel

extension Graph {
  func checkOutput(_ bus: GraphBus) throws(GraphError) {
    try check(bus, nodes[bus.unit].unit.outputBusses, "output")
  }

  func checkInput(_ bus: GraphBus) throws(GraphError) {
    try check(bus, nodes[bus.unit].unit.inputBusses, "input")
  }

  private func check(
    _ bus: GraphBus, _ busses: BusArray, _ direction: String
  ) throws(GraphError) {
    guard bus.bus >= 0 && bus.bus < busses.count else {
      throw .noSuchBus(
        id: nodes[bus.unit].id, bus: bus.bus, direction: direction, count: busses.count)
    }
  }

  func checkMIDIInput(_ unit: Int) throws(GraphError) {
    if !takesMIDI(unit) { throw .noMIDIInput(id: nodes[unit].id) }
  }

  func checkMIDIOutput(_ unit: Int) throws(GraphError) {
    if !sendsMIDI(unit) { throw .noMIDIOutput(id: nodes[unit].id) }
  }

  /// Refuses a connection by which a unit would need its own output.
  func checkCycle(from: Int, to: Int) throws(GraphError) {
    var visited: Set<Int> = []
    if let path = path(from: to, to: from, &visited) {
      throw .cycle(path: ([from] + path).map { nodes[$0].id })
    }
  }

  private func path(from start: Int, to goal: Int, _ visited: inout Set<Int>) -> [Int]? {
    if start == goal { return [start] }
    visited.insert(start)
    for next in successors(of: start) where !visited.contains(next) {
      if let rest = path(from: next, to: goal, &visited) { return [start] + rest }
    }
    return nil
  }

  private func successors(of unit: Int) -> [Int] {
    audio.filter { $0.from.unit == unit }.map(\.to.unit)
      + midi.filter { $0.from == unit }.map(\.to)
  }

  /// The units so that each comes behind all that it hears; otherwise in the order of adding.
  var renderingOrder: [Int] {
    var unrendered = nodes.indices.map { unit in
      audio.count { $0.to.unit == unit } + midi.count { $0.to == unit }
    }
    var order: [Int] = []
    var waiting = Array(nodes.indices)
    // There is always one that waits for none: `checkCycle` has refused every circle.
    while let place = waiting.firstIndex(where: { unrendered[$0] == 0 }) {
      let unit = waiting.remove(at: place)
      order.append(unit)
      for next in successors(of: unit) { unrendered[next] -= 1 }
    }
    return order
  }
}
