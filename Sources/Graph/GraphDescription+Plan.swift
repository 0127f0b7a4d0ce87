// Planning a cycle from the description of a graph.

import GraphRender

extension GraphDescription {
  /// Plans a cycle without accessing or changing any unit.
  ///
  /// - Throws: `channelMismatch`; `noSuchBus` if a unit has fewer busses than when they were
  ///   connected.
  func plan(_ options: CompileOptions) throws(GraphError) -> SchedulePlan {
    try checkChains()
    for connection in edges.audio {
      try checkOutput(connection.from)
      try checkInput(connection.to)
    }
    let order = edges.renderingOrder(nodes.indices)
    return try agreed(order).layOut(options, order)
  }

  /// Plans a cycle with negotiated channel counts.
  ///
  /// - Parameters:
  ///   - changes: the parts that are being added or removed.
  ///   - delays: the change of the delays; nil if they stay the same.
  /// - Throws: `channelMismatch`.
  func layOut(
    _ options: CompileOptions, _ order: [Int], _ changes: GraphChanges = GraphChanges(),
    _ delays: DelayChange? = nil
  ) throws(GraphError) -> SchedulePlan {
    var layout = ScheduleLayout(unitCount: nodes.count)
    layout.delays = delays ?? self.delays.map { DelayChange(before: $0, after: $0) }
    layout.isPassage = delays != nil
    layout.turn = changes.turn
    if options.helper != nil { layout.branches = branches(order) }
    for index in nodes.indices { addPorts(of: index, changes, to: &layout) }
    for index in order where chainEffect(of: index) == nil {
      layout.beginUnit(index)
      try addUnit(index, in: nil, order, changes, to: &layout)
    }
    let branches = layout.sortSteps()
    let units = zip(nodes, midiStreams(order)).map { node, streams in
      SchedulePlan.Unit(
        identity: node.identity, id: node.id,
        preparation: UnitPreparation(
          inputChannels: node.inputs.map(\.channelCount),
          outputChannels: node.outputs.map(\.channelCount), sampleRate: options.sampleRate,
          maximumFrames: options.maximumFrames, isOffline: options.isOffline,
          midiEvents: streams * options.midiEventsPerPort,
          midiBytes: streams * options.midiBytesPerPort))
    }
    return SchedulePlan(
      units: units, order: order, bindings: layout.bindings, steps: layout.steps,
      poolCount: layout.poolCount, chains: layout.chains, crossings: layout.crossings,
      branches: branches, lines: layout.lines, queues: layout.queues, ports: layout.ports,
      agreed: self)
  }

  func checkOutput(_ bus: GraphBus) throws(GraphError) {
    try check(bus, nodes[bus.unit].outputs.count, "output")
  }

  func checkInput(_ bus: GraphBus) throws(GraphError) {
    try check(bus, nodes[bus.unit].inputs.count, "input")
  }

  private func check(_ bus: GraphBus, _ count: Int, _ direction: String) throws(GraphError) {
    guard bus.bus >= 0 && bus.bus < count else {
      throw .noSuchBus(id: nodes[bus.unit].id, bus: bus.bus, direction: direction, count: count)
    }
  }

  // MARK: Ports

  /// Adds the ports of a unit: those of busses without connections inside the graph, and exposed
  /// ones.
  private func addPorts(
    of index: Int, _ changes: GraphChanges, to layout: inout ScheduleLayout
  ) {
    let node = nodes[index]
    func eachPort(
      _ busses: [Bus], _ direction: String, _ hasPort: (GraphBus) -> Bool,
      _ add: (GraphPort, GraphBus) -> Void
    ) {
      var number = 0
      // A second one is numbered as other inputs, so that no two ports have the same name.
      let sideChain = busses.indices.dropFirst().first {
        busses[$0].isSideChain && !busses[$0].isOpen
      }
      for (position, bus) in busses.enumerated() {
        let graphBus = GraphBus(unit: index, bus: position)
        let hasPorts = hasPort(graphBus)
        for channel in 0..<bus.channelCount {
          number += 1
          guard hasPorts else { continue }
          // The number of an open input's port does not depend on the inputs before it.
          let numbered = bus.isOpen ? "\(position + 1)_\(channel + 1)" : "\(number)"
          let name = "\(node.id)_\(direction)_\(numbered)"
          let role = position == sideChain ? "\(node.id)_side_chain_\(channel + 1)" : nil
          add(
            GraphPort(
              name: role ?? name, formerName: role == nil ? nil : name, unitIndex: index,
              unitID: node.id, channel: .init(bus: position, channel: channel)), graphBus)
        }
      }
    }
    eachPort(node.inputs, "in", hasInputPorts) { layout.addInputPort($0, $1) }
    eachPort(node.outputs, "out", hasOutputPorts) {
      layout.addOutputPort($0, $1, isFading: changes.outputPorts[$1] != nil)
    }
    let midiPort = { (direction: String, isEnding: Bool) in
      GraphPort(
        name: "\(node.id)_midi_\(direction)", unitIndex: index, unitID: node.id, channel: nil,
        isEnding: isEnding)
    }
    if hasMIDIInputPort(index) {
      layout.ports.midiInputs.append(midiPort("in", changes.endingMIDIInputs.contains(index)))
    }
    if hasMIDIOutputPort(index) {
      layout.ports.midiOutputs.append(midiPort("out", changes.endingMIDIOutputs.contains(index)))
    }
  }

  func hasInputPorts(_ bus: GraphBus) -> Bool {
    if let ports { return ports.inputs.contains(bus) }
    let input = nodes[bus.unit].inputs[bus.bus]
    return input.isEnabled && !nodes[bus.unit].isRinging && !isPulled(bus.unit)
      && (input.isOffered && !edges.audio.contains { $0.to == bus }
        || edges.exposedInputs.contains(bus))
  }

  func hasOutputPorts(_ bus: GraphBus) -> Bool {
    if let ports { return ports.outputs.contains(bus) }
    let isExposed = edges.exposedOutputs.contains(bus)
    if nodes[bus.unit].isRinging { return isExposed }
    return nodes[bus.unit].outputs[bus.bus].isEnabled && chainEffect(of: bus.unit) == nil
      && (!edges.audio.contains { $0.from == bus } || isExposed)
  }

  func hasMIDIInputPort(_ unit: Int) -> Bool {
    if let ports { return ports.midiInputs.contains(unit) }
    return nodes[unit].takesMIDI && !nodes[unit].isRinging
      && (edges.exposedMIDIInputs.contains(unit) || !edges.midi.contains { $0.to == unit })
  }

  func hasMIDIOutputPort(_ unit: Int) -> Bool {
    if let ports { return ports.midiOutputs.contains(unit) }
    return nodes[unit].sendsMIDI && !nodes[unit].isRinging && chainEffect(of: unit) == nil
      && (edges.exposedMIDIOutputs.contains(unit) || !edges.midi.contains { $0.from == unit })
  }

  /// Counts, for each unit, the ports whose MIDI may arrive in a cycle: its own port, and the ports
  /// of all units upstream.
  private func midiStreams(_ order: [Int]) -> [Int] {
    var streams = Array(repeating: 0, count: nodes.count)
    for unit in order {
      // Parameter events made from a stream are bounded by one stream.
      let moved = edges.parameters.count { $0.to == unit }
      guard nodes[unit].takesMIDI || nodes[unit].sendsMIDI || moved > 0 else { continue }
      let inside = edges.midi.filter { $0.to == unit }.reduce(moved) { $0 + streams[$1.from] }
      // Paths that split and merge multiply the count; 64 streams are enough memory for any setup.
      streams[unit] = min(max(inside + (hasMIDIInputPort(unit) ? 1 : 0), 1), 64)
    }
    return streams
  }

  // MARK: Steps

  /// Adds the steps that bring a unit its events and inputs, and render it.
  ///
  /// - Parameters:
  ///   - effect: the time effect whose chain is being laid out; nil for the session.
  ///   - order: the rendering order of all units.
  private func addUnit(
    _ index: Int, in effect: Int?, _ order: [Int], _ changes: GraphChanges,
    to layout: inout ScheduleLayout
  ) throws(GraphError) {
    addEventSteps(of: index, from: effect, changes, to: &layout)
    var mixes: [BufferReference] = []
    if nodes[index].isTimeEffect {
      let chain = unitsInChain(of: index, order)
      // Events that enter the chain from here get its own frames.
      for unit in chain.all {
        addEventSteps(of: unit, from: effect, changes, to: &layout)
      }
      let pull = layout.beginChain(of: index, in: effect, nodes, chain.all)
      for unit in chain.own { try addUnit(unit, in: index, order, changes, to: &layout) }
      mixes = try bindInputs(of: index, changes, to: &layout)
      layout.endChain(of: index, at: pull)
    } else {
      mixes = try bindInputs(of: index, changes, to: &layout)
    }
    addRendering(of: index, changes, to: &layout)
    layout.free(mixes)
    for connection in edges.audio where connection.to.unit == index {
      layout.finishReading(connection.from)
    }
  }

  /// Binds a unit's inputs. Mixes several connections to one input.
  ///
  /// - Returns: pool buffers to free once the unit has rendered.
  private func bindInputs(
    of index: Int, _ changes: GraphChanges, to layout: inout ScheduleLayout
  ) throws(GraphError) -> [BufferReference] {
    var mixes: [BufferReference] = []
    for (number, bus) in nodes[index].inputs.enumerated() {
      let graphBus = GraphBus(unit: index, bus: number)
      let channels = bus.channelCount
      var sources: [ScheduleSource] = []
      if let ports = layout.inputPorts[graphBus] {
        mixes += layout.addSources(
          ports, from: nil, to: graphBus, nodes, changes.inputPorts[graphBus] ?? .none,
          isEarly: changes.filling.contains(index), into: &sources)
      }
      for connection in edges.audio where connection.to == graphBus {
        let given = layout.outputs[connection.from]!
        guard given.count == channels || !bus.isOpen && given.count == 1 else {
          if bus.isOpen && bus.takes(given.count) {
            throw .otherChannels(
              from: name(connection.from), fromChannels: given.count, to: name(graphBus),
              toChannels: channels)
          }
          throw .channelMismatch(
            from: name(connection.from), fromChannels: given.count, to: name(graphBus),
            toChannels: channels)
        }
        mixes += layout.addSources(
          given, from: connection.from, to: graphBus, nodes, changes.audio[connection] ?? .none,
          isEarly: changes.filling.contains(index), into: &sources)
      }
      // Mono is copied to every channel; open inputs get their sources' counts.
      for source in sources.indices { sources[source].fill(channels) }
      mixes += layout.bindInput(unit: index, channels: channels, sources: sources)
    }
    return mixes
  }

  private func addRendering(
    of index: Int, _ changes: GraphChanges, to layout: inout ScheduleLayout
  ) {
    for (number, bus) in nodes[index].outputs.enumerated() {
      let graphBus = GraphBus(unit: index, bus: number)
      layout.placeOutput(
        graphBus, channels: bus.channelCount, readers: edges.audio.count { $0.from == graphBus })
      layout.bindings[index] += layout.outputs[graphBus]!
    }
    layout.steps.append(.render(unit: index))
    for number in nodes[index].outputs.indices {
      let graphBus = GraphBus(unit: index, bus: number)
      if let fade = changes.outputPorts[graphBus] { layout.writeFadingPorts(graphBus, fade) }
    }
  }
}
