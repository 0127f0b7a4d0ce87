// Preparing units for a plan.

import UnitModel

extension Graph {
  /// Sets the units' formats and allocates their resources, in rendering order. Units with
  /// allocated resources are allocated again.
  ///
  /// - Throws: `unitFailed`.
  func prepare(_ plan: SchedulePlan) throws(GraphError) -> [NodeID: PreparedUnit] {
    for index in plan.order {
      try onFailure(of: plan.units[index]) {
        try prepare(nodes[index].unit, plan.units[index].preparation)
      }
    }
    var prepared: [NodeID: PreparedUnit] = [:]
    for (node, planned) in zip(nodes, plan.units) {
      prepared[node.identity] = try host(node.unit, planned)
    }
    return prepared
  }

  /// Prepares the units of several plans. Units that are being rendered keep their resources. Such
  /// a unit gets a new hosting if it may receive more MIDI in a cycle, or if its input channels or
  /// its latency changed. The latency is read again.
  ///
  /// - Returns: the units of each plan, and maybe others.
  /// - Throws: `unitFailed`.
  func prepare(
    _ plans: [SchedulePlan], following current: CompiledGraph
  ) throws(GraphError) -> [[NodeID: PreparedUnit]] {
    var prepared = current.prepared
    var steps: [[NodeID: PreparedUnit]] = []
    let units = Dictionary(uniqueKeysWithValues: nodes.map { ($0.identity, $0.unit) })
    for plan in plans {
      for index in plan.order {
        let planned = plan.units[index]
        guard let known = prepared[planned.identity] else {
          let unit = units[planned.identity]!
          try onFailure(of: planned) { try prepare(unit, planned.preparation) }
          prepared[planned.identity] = try host(unit, planned)
          continue
        }
        var isOther =
          known.preparation.midiEvents < planned.preparation.midiEvents
          || known.preparation.inputChannels != planned.preparation.inputChannels
        // A unit that is being removed keeps its latency.
        if units[planned.identity] != nil, try hasOtherLatency(known, planned) { isOther = true }
        if isOther {
          try onFailure(of: planned) {
            try Self.setFormats(
              ofOpen: known.hosting.unit.inputBusses, planned.preparation.inputChannels,
              planned.preparation)
          }
          prepared[planned.identity] = try host(
            known.hosting.unit, planned, following: known.hosting)
        }
      }
      steps.append(prepared)
    }
    return steps
  }

  private func hasOtherLatency(
    _ known: PreparedUnit, _ planned: SchedulePlan.Unit
  ) throws(GraphError) -> Bool {
    var frames = 0
    try onFailure(of: planned) { frames = try known.hosting.unit.latencyFrames }
    return frames != known.hosting.latencyFrames
  }

  private func host(
    _ unit: AudioUnit, _ planned: SchedulePlan.Unit, following former: UnitHosting? = nil
  ) throws(GraphError) -> PreparedUnit {
    var hosting: UnitHosting?
    try onFailure(of: planned) {
      hosting = try unit.makeHosting(
        inputChannels: planned.preparation.inputChannels,
        midiEvents: planned.preparation.midiEvents, midiBytes: planned.preparation.midiBytes,
        following: former)
    }
    return PreparedUnit(hosting: hosting!, preparation: planned.preparation)
  }

  private func prepare(_ unit: AudioUnit, _ preparation: UnitPreparation) throws {
    try unit.deallocateRenderResources()
    try Self.setFormats(of: unit.inputBusses, preparation.inputChannels, preparation)
    try Self.setFormats(of: unit.outputBusses, preparation.outputChannels, preparation)
    try unit.setSampleRate(preparation.sampleRate)
    try unit.setMaximumFramesToRender(preparation.maximumFrames)
    unit.isRenderingOffline = preparation.isOffline
    try unit.allocateRenderResources()
    // The bindings were laid out for these channel counts.
    for (busses, channels) in [
      (unit.inputBusses, preparation.inputChannels),
      (unit.outputBusses, preparation.outputChannels),
    ] where !busses.isOpen {
      guard busses.busses.map(\.format.channelCount) == channels else {
        throw ChangedBusses(planned: channels, found: busses.busses.map(\.format.channelCount))
      }
    }
  }

  private static func setFormats(
    of busses: BusArray, _ channels: [Int], _ preparation: UnitPreparation
  ) throws(BusError) {
    for (bus, channels) in zip(busses.busses, channels) {
      // An unconnected input has 0 channels.
      let channels = channels == 0 ? bus.format.channelCount : channels
      try bus.setFormat(AudioFormat(sampleRate: preparation.sampleRate, channelCount: channels))
    }
  }

  private static func setFormats(
    ofOpen busses: BusArray, _ channels: [Int], _ preparation: UnitPreparation
  ) throws(BusError) {
    if busses.isOpen { try setFormats(of: busses, channels, preparation) }
  }

  private func onFailure(
    of unit: SchedulePlan.Unit, _ body: () throws -> Void
  ) throws(GraphError) {
    do { try body() } catch { throw .unitFailed(id: unit.id, reason: "\(error)") }
  }
}

/// The error of a unit whose busses changed after they were planned.
private struct ChangedBusses: Error, CustomStringConvertible {
  let planned: [Int]
  let found: [Int]

  var description: String {
    "its busses have \(found) channels once it is prepared, and not \(planned) as was agreed"
  }
}
