// From what a graph is to what happens in a cycle.

import GraphRender

extension GraphDescription {
  /// Plans a cycle. No unit is asked, and none hears of it.
  ///
  /// - Throws: `channelMismatch`; `noSuchBus` when a unit has fewer busses than when they were
  ///   connected.
  func plan(_ options: CompileOptions) throws(GraphError) -> SchedulePlan {
    for connection in edges.audio {
      try checkOutput(connection.from)
      try checkInput(connection.to)
    }
    let order = edges.renderingOrder(nodes.indices)
    return try agreed(order).layOut(options, order)
  }

  /// Plans a cycle of units that have agreed already.
  ///
  /// - Parameter changes: what comes and goes in it.
  /// - Throws: `channelMismatch`.
  func layOut(
    _ options: CompileOptions, _ order: [Int], _ changes: GraphChanges = GraphChanges()
  ) throws(GraphError) -> SchedulePlan {
    var layout = ScheduleLayout(unitCount: nodes.count)
    for index in nodes.indices { addPorts(of: index, changes, to: &layout) }
    for index in order { try addSteps(of: index, changes, to: &layout) }
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
      poolCount: layout.poolCount, ports: layout.ports, agreed: self)
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

  /// Which ports a unit has: those of its busses that nothing inside is connected to, and the
  /// exposed.
  private func addPorts(
    of index: Int, _ changes: GraphChanges, to layout: inout ScheduleLayout
  ) {
    let node = nodes[index]
    func eachPort(
      _ busses: [Bus], _ direction: String, _ hasPort: (GraphBus) -> Bool,
      _ add: (GraphPort, GraphBus) -> Void
    ) {
      var number = 0
      for (place, bus) in busses.enumerated() {
        let graphBus = GraphBus(unit: index, bus: place)
        let hasPorts = hasPort(graphBus)
        for channel in 0..<bus.channelCount {
          number += 1
          guard hasPorts else { continue }
          add(
            GraphPort(
              name: "\(node.id)_\(direction)_\(number)", unitIndex: index, unitID: node.id,
              channel: .init(bus: place, channel: channel)), graphBus)
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
    return nodes[bus.unit].inputs[bus.bus].isEnabled
      && (!edges.audio.contains { $0.to == bus } || edges.exposedInputs.contains(bus))
  }

  func hasOutputPorts(_ bus: GraphBus) -> Bool {
    if let ports { return ports.outputs.contains(bus) }
    return nodes[bus.unit].outputs[bus.bus].isEnabled
      && (!edges.audio.contains { $0.from == bus } || edges.exposedOutputs.contains(bus))
  }

  func hasMIDIInputPort(_ unit: Int) -> Bool {
    if let ports { return ports.midiInputs.contains(unit) }
    return nodes[unit].takesMIDI
      && (edges.exposedMIDIInputs.contains(unit) || !edges.midi.contains { $0.to == unit })
  }

  func hasMIDIOutputPort(_ unit: Int) -> Bool {
    if let ports { return ports.midiOutputs.contains(unit) }
    return nodes[unit].sendsMIDI
      && (edges.exposedMIDIOutputs.contains(unit) || !edges.midi.contains { $0.from == unit })
  }

  /// How many ports' MIDI may come together in each unit in a cycle: its own port's and, through
  /// other units, all of theirs.
  private func midiStreams(_ order: [Int]) -> [Int] {
    var streams = Array(repeating: 0, count: nodes.count)
    for unit in order {
      // What a stream becomes that moves parameters has the bound of one stream.
      let moved = edges.parameters.count { $0.to == unit }
      guard nodes[unit].takesMIDI || nodes[unit].sendsMIDI || moved > 0 else { continue }
      let inside = edges.midi.filter { $0.to == unit }.reduce(moved) { $0 + streams[$1.from] }
      // Paths that part and meet again multiply; no set-up needs more memory than for this many.
      streams[unit] = min(max(inside + (hasMIDIInputPort(unit) ? 1 : 0), 1), 64)
    }
    return streams
  }

  // MARK: Steps

  /// Binds a unit's channels, mixing where several things are connected to one input, and renders
  /// it.
  private func addSteps(
    of index: Int, _ changes: GraphChanges, to layout: inout ScheduleLayout
  ) throws(GraphError) {
    var mixes: [BufferReference] = []
    // What ends comes before what begins on the same frame.
    for (edge, connection) in edges.midi.enumerated()
    where connection.to == index && changes.endingMIDI.contains(connection) {
      layout.steps.append(.endMIDI(to: index, edge: edge))
    }
    for (edge, connection) in edges.midi.enumerated()
    where connection.to == index && !changes.endingMIDI.contains(connection) {
      layout.steps.append(.transferMIDI(from: connection.from, to: index, edge: edge))
    }
    for connection in edges.parameters where connection.to == index {
      let target = Int(Int32(truncatingIfNeeded: nodes[index].identity.number))
      layout.steps.append(
        .transferParameters(from: connection.from, to: index, target: target))
    }
    for (number, bus) in nodes[index].inputs.enumerated() {
      let place = GraphBus(unit: index, bus: number)
      let channels = bus.channelCount
      var sources: [ScheduleSource] = []
      if let ports = layout.inputPorts[place] {
        sources.append(
          ScheduleSource(channels: ports, fade: changes.inputPorts[place] ?? .none))
      }
      for connection in edges.audio where connection.to == place {
        let given = layout.outputs[connection.from]!
        guard given.count == channels || given.count == 1 else {
          throw .channelMismatch(
            from: name(connection.from), fromChannels: given.count, to: name(place),
            toChannels: channels)
        }
        // Mono goes to every channel.
        sources.append(
          ScheduleSource(
            channels: given.count == channels
              ? given : Array(repeating: given[0], count: channels),
            fade: changes.audio[connection] ?? .none))
      }
      mixes += layout.bindInput(unit: index, channels: channels, sources: sources)
    }
    for (number, bus) in nodes[index].outputs.enumerated() {
      let place = GraphBus(unit: index, bus: number)
      layout.placeOutput(
        place, channels: bus.channelCount, readers: edges.audio.count { $0.from == place })
      layout.bindings[index] += layout.outputs[place]!
    }
    layout.steps.append(.render(unit: index))
    for number in nodes[index].outputs.indices {
      let place = GraphBus(unit: index, bus: number)
      if let fade = changes.outputPorts[place] { layout.writeFadingPorts(place, fade) }
    }
    layout.free(mixes)
    for connection in edges.audio where connection.to.unit == index {
      layout.finishReading(connection.from)
    }
  }
}
