// Checks of graph edits.

import UnitModel

extension Graph {
  func checkUnit(_ unit: Int) throws(GraphError) {
    guard nodes.indices.contains(unit) else {
      throw .noSuchUnit(number: unit, count: nodes.count)
    }
  }

  func checkOutput(_ bus: GraphBus) throws(GraphError) {
    try checkUnit(bus.unit)
    try check(bus, nodes[bus.unit].unit.outputBusses, "output")
  }

  func checkInput(_ bus: GraphBus) throws(GraphError) {
    try checkUnit(bus.unit)
    try check(bus, nodes[bus.unit].unit.inputBusses, "input")
  }

  private func check(
    _ bus: GraphBus, _ busses: BusArray, _ direction: String
  ) throws(GraphError) {
    // An input of an open array is added by connecting it.
    let count = busses.isOpen ? busses.maximumBusCount : busses.count
    guard bus.bus >= 0 && bus.bus < count else {
      throw .noSuchBus(
        id: nodes[bus.unit].id, bus: bus.bus, direction: direction, count: count)
    }
  }

  func checkMIDIInput(_ unit: Int) throws(GraphError) {
    try checkUnit(unit)
    if !takesMIDI(unit) { throw .noMIDIInput(id: nodes[unit].id) }
  }

  func checkMIDIOutput(_ unit: Int) throws(GraphError) {
    try checkUnit(unit)
    if !sendsMIDI(unit) { throw .noMIDIOutput(id: nodes[unit].id) }
  }

  /// Checks that the units upstream of time effects can feed them.
  /// - Throws: `timeEffect`.
  /// - Thread: [control]
  public func checkChains() throws(GraphError) {
    if hasTimeEffect { try description.checkChains() }
  }
}
