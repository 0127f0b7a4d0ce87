// Units made ready for a plan.

import UnitModel

extension Graph {
  /// Gives the units their formats and resources, in the order of rendering. Those that are
  /// allocated already are allocated anew.
  ///
  /// - Throws: `unitFailed`.
  func prepare(_ plan: SchedulePlan) throws(GraphError) -> [UnitHosting] {
    for place in plan.order {
      try onFailure(of: plan.units[place]) {
        try prepare(nodes[place].unit, plan.units[place].preparation)
      }
    }
    var hostings: [UnitHosting] = []
    for (node, planned) in zip(nodes, plan.units) {
      try onFailure(of: planned) {
        hostings.append(
          try node.unit.makeHosting(
            midiEvents: planned.preparation.midiEvents, midiBytes: planned.preparation.midiBytes))
      }
    }
    return hostings
  }

  private func prepare(_ unit: AudioUnit, _ preparation: UnitPreparation) throws {
    try unit.deallocateRenderResources()
    try Self.setFormats(of: unit.inputBusses, preparation.inputChannels, preparation)
    try Self.setFormats(of: unit.outputBusses, preparation.outputChannels, preparation)
    try unit.setSampleRate(preparation.sampleRate)
    try unit.setMaximumFramesToRender(preparation.maximumFrames)
    unit.isRenderingOffline = preparation.isOffline
    try unit.allocateRenderResources()
    // The bindings are laid out for these.
    for (busses, channels) in [
      (unit.inputBusses, preparation.inputChannels),
      (unit.outputBusses, preparation.outputChannels),
    ] {
      guard busses.busses.map(\.format.channelCount) == channels else {
        throw ChangedBusses(planned: channels, found: busses.busses.map(\.format.channelCount))
      }
    }
  }

  private static func setFormats(
    of busses: BusArray, _ channels: [Int], _ preparation: UnitPreparation
  ) throws(BusError) {
    for (bus, channels) in zip(busses.busses, channels) {
      try bus.setFormat(AudioFormat(sampleRate: preparation.sampleRate, channelCount: channels))
    }
  }

  private func onFailure(
    of unit: SchedulePlan.Unit, _ body: () throws -> Void
  ) throws(GraphError) {
    do { try body() } catch { throw .unitFailed(id: unit.id, reason: "\(error)") }
  }
}

/// Why a unit cannot be part of a schedule that was planned for others of its busses.
private struct ChangedBusses: Error, CustomStringConvertible {
  let planned: [Int]
  let found: [Int]

  var description: String {
    "its busses have \(found) channels once it is prepared, and not \(planned) as was agreed"
  }
}
