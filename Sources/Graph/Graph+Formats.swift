// How the units of a graph agree on formats.

import UnitModel

extension Graph {
  /// Sets rate and channel counts of every bus, in rendering order: an input takes the channel count of
  /// what is connected to it, and an effect's output follows its input.
  func negotiateFormats(_ order: [Int], _ options: CompileOptions) throws(GraphError) {
    for index in order {
      let unit = nodes[index].unit
      do {
        try unit.deallocateRenderResources()
        for bus in unit.inputBusses.busses {
          let sources = audio.filter { $0.to == GraphBus(unit: index, bus: bus.index) }
          let counts = sources.map { channelCount(ofOutput: $0.from) }
          try setFormat(of: bus, channels: counts.max(), options)
        }
        for bus in unit.outputBusses.busses { try setFormat(of: bus, channels: nil, options) }
        try followInputs(unit, options)
        try unit.setSampleRate(options.sampleRate)
        try unit.setMaximumFramesToRender(options.maximumFrames)
        unit.isRenderingOffline = options.isOffline
        try unit.allocateRenderResources()
      } catch {
        throw .unitFailed(id: nodes[index].id, reason: "\(error)")
      }
    }
  }

  func channelCount(ofOutput bus: GraphBus) -> Int {
    nodes[bus.unit].unit.outputBusses[bus.bus].format.channelCount
  }

  func channelCount(ofInput bus: GraphBus) -> Int {
    nodes[bus.unit].unit.inputBusses[bus.bus].format.channelCount
  }

  /// Sets the rate, and the channel count where the bus takes it; what it does not take is judged when
  /// the connection is bound.
  private func setFormat(of bus: Bus, channels: Int?, _ options: CompileOptions) throws(BusError) {
    if let channels,
      let format = try? AudioFormat(
        sampleRate: options.sampleRate, channelCount: channels),
      (try? bus.setFormat(format)) != nil
    {
      return
    }
    try bus.setFormat(bus.format.at(sampleRate: options.sampleRate))
  }

  /// An effect that wants as many channels out as in gets them.
  private func followInputs(_ unit: AudioUnit, _ options: CompileOptions) throws(BusError) {
    guard unit.inputBusses.count > 0, unit.outputBusses.count > 0 else { return }
    let isEffect = [.effect, .musicEffect].contains(unit.componentDescription.type)
    guard let capabilities = unit.channelCapabilities ?? (isEffect ? [.matching] : nil) else {
      return
    }
    let input = unit.inputBusses[0].format.channelCount
    let output = unit.outputBusses[0].format.channelCount
    if capabilities.contains(where: { $0.allows(inputs: [input], outputs: [output]) }) { return }
    try setFormat(of: unit.outputBusses[0], channels: input, options)
  }
}
