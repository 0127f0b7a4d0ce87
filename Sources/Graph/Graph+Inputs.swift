// Adding inputs to units with open input arrays.

import UnitModel

extension Graph {
  /// Returns the inputs of a unit, including those that are still to be added.
  /// - Thread: [control]
  package func inputs(of unit: Int) -> [Bus] {
    var inputs = nodes[unit].unit.inputBusses.busses
    while let coming = comingInputs[GraphBus(unit: unit, bus: inputs.count)] {
      inputs.append(coming)
    }
    return inputs
  }

  /// Makes a change that needs an input, adding the input first. If the change fails, removes it
  /// again.
  func opening(
    _ bus: GraphBus, _ change: () throws(GraphError) -> Void
  ) throws(GraphError) {
    let busses = nodes[bus.unit].unit.inputBusses
    guard busses.isOpen, bus.bus >= busses.count else { return try change() }
    let (formerCount, formerComing) = (busses.count, comingInputs)
    try onBusFailure(of: bus.unit) { () throws(BusError) in
      if opensInputsAtOnce { return try busses.setBusCount(bus.bus + 1) }
      for index in inputs(of: bus.unit).count..<max(bus.bus + 1, inputs(of: bus.unit).count) {
        comingInputs[GraphBus(unit: bus.unit, bus: index)] = try busses.prospectiveBus(at: index)
      }
    }
    do throws(GraphError) { try change() } catch {
      comingInputs = formerComing
      if opensInputsAtOnce { try? busses.setBusCount(formerCount) }
      throw error
    }
  }

  /// Adds the inputs that connections wait for. Compiling does so implicitly.
  ///
  /// - Throws: `unitFailed`; the inputs of all units are then unchanged.
  /// - Thread: [control]
  package func openInputs() throws(GraphError) {
    openedInputs = []
    for unit in Set(comingInputs.keys.map(\.unit)).sorted() {
      let (busses, count) = (nodes[unit].unit.inputBusses, inputs(of: unit).count)
      let formerCount = busses.count
      guard count > formerCount else { continue }
      do throws(GraphError) {
        try onBusFailure(of: unit) { () throws(BusError) in try busses.setBusCount(count) }
      } catch {
        closeOpenedInputs()
        throw error
      }
      openedInputs.append((busses, formerCount))
    }
  }

  /// Undoes the last `openInputs`, for a compiled graph that is not used.
  /// - Thread: [control]
  package func closeOpenedInputs() {
    for (busses, formerCount) in openedInputs { try? busses.setBusCount(formerCount) }
    openedInputs = []
  }

  private func onBusFailure(
    of unit: Int, _ body: () throws(BusError) -> Void
  ) throws(GraphError) {
    do throws(BusError) { try body() } catch {
      throw .unitFailed(id: nodes[unit].id, reason: "\(error)")
    }
  }
}
