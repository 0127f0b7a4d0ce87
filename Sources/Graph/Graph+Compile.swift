// From a graph to a schedule.

import GraphRender
import UnitModel
import UnitRender

extension Graph {
  /// Allocates the units' resources for a backend and lays out the steps of a cycle.
  ///
  /// Units that are allocated already are allocated anew, so no schedule of this graph may be in use.
  /// - Throws: `unitFailed`, `channelMismatch`; `noSuchBus` when a unit has fewer busses than when they
  ///   were connected.
  /// - Thread: [control]
  public func compile(_ options: CompileOptions) throws(GraphError) -> CompiledGraph {
    for connection in audio {
      try checkOutput(connection.from)
      try checkInput(connection.to)
    }
    let order = renderingOrder
    try negotiateFormats(order, options)
    var layout = ScheduleLayout(unitCount: nodes.count)
    for index in nodes.indices { addPorts(of: index, to: &layout) }
    for index in order { try addSteps(of: index, to: &layout) }
    var hostings: [UnitHosting] = []
    let streams = midiStreams(order)
    for (index, node) in nodes.enumerated() {
      do {
        hostings.append(
          try node.unit.makeHosting(
            midiEvents: streams[index] * options.midiEventsPerPort,
            midiBytes: streams[index] * options.midiBytesPerPort))
      } catch {
        throw .unitFailed(id: node.id, reason: "\(error)")
      }
    }
    let schedule = Schedule(
      units: hostings.map(\.hosted), bindings: layout.bindings, steps: layout.steps,
      poolCount: layout.poolCount, externalInputs: layout.ports.audioInputs.count,
      externalOutputs: layout.ports.audioOutputs.count, sliceFrames: options.maximumFrames,
      sampleRate: options.sampleRate)
    return CompiledGraph(
      schedule: schedule, ports: layout.ports, sampleRate: options.sampleRate, hostings: hostings)
  }

  /// Which ports a unit has: those of its busses that nothing inside is connected to, and the exposed.
  private func addPorts(of index: Int, to layout: inout ScheduleLayout) {
    let node = nodes[index]
    var number = 0
    for bus in node.unit.inputBusses.busses {
      let place = GraphBus(unit: index, bus: bus.index)
      let isOpen = !audio.contains { $0.to == place } || exposedInputs.contains(place)
      for channel in 0..<bus.format.channelCount {
        number += 1
        if isOpen && bus.isEnabled {
          layout.addInputPort(
            GraphPort(
              name: "\(node.id)_in_\(number)", unitIndex: index, unitID: node.id,
              channel: .init(bus: bus.index, channel: channel)), place)
        }
      }
    }
    number = 0
    for bus in node.unit.outputBusses.busses {
      let place = GraphBus(unit: index, bus: bus.index)
      let isOpen = !audio.contains { $0.from == place } || exposedOutputs.contains(place)
      for channel in 0..<bus.format.channelCount {
        number += 1
        if isOpen && bus.isEnabled {
          layout.addOutputPort(
            GraphPort(
              name: "\(node.id)_out_\(number)", unitIndex: index, unitID: node.id,
              channel: .init(bus: bus.index, channel: channel)), place)
        }
      }
    }
    let midiPort = { (direction: String) in
      GraphPort(
        name: "\(node.id)_midi_\(direction)", unitIndex: index, unitID: node.id, channel: nil)
    }
    if hasMIDIInputPort(index) { layout.ports.midiInputs.append(midiPort("in")) }
    if sendsMIDI(index)
      && (exposedMIDIOutputs.contains(index) || !midi.contains { $0.from == index })
    {
      layout.ports.midiOutputs.append(midiPort("out"))
    }
  }

  private func hasMIDIInputPort(_ unit: Int) -> Bool {
    takesMIDI(unit) && (exposedMIDIInputs.contains(unit) || !midi.contains { $0.to == unit })
  }

  /// How many ports' MIDI may come together in each unit in a cycle: its own port's and, through other
  /// units, all of theirs.
  private func midiStreams(_ order: [Int]) -> [Int] {
    var streams = Array(repeating: 0, count: nodes.count)
    for unit in order where takesMIDI(unit) || sendsMIDI(unit) {
      let inside = midi.filter { $0.to == unit }.reduce(0) { $0 + streams[$1.from] }
      // Paths that part and meet again multiply; no set-up needs more memory than for this many.
      streams[unit] = min(max(inside + (hasMIDIInputPort(unit) ? 1 : 0), 1), 64)
    }
    return streams
  }

  /// Binds a unit's channels, mixing where several things are connected to one input, and renders it.
  private func addSteps(
    of index: Int, to layout: inout ScheduleLayout
  ) throws(GraphError) {
    var mixes: [BufferReference] = []
    for connection in midi where connection.to == index {
      layout.steps.append(.transferMIDI(from: connection.from, to: index))
    }
    for bus in nodes[index].unit.inputBusses.busses {
      let place = GraphBus(unit: index, bus: bus.index)
      let channels = bus.format.channelCount
      var sources: [[BufferReference]] = []
      if let ports = layout.inputPorts[place] { sources.append(ports) }
      for connection in audio where connection.to == place {
        let given = layout.outputs[connection.from]!
        guard given.count == channels || given.count == 1 else {
          throw .channelMismatch(
            from: name(connection.from), fromChannels: given.count, to: name(place),
            toChannels: channels)
        }
        // Mono goes to every channel.
        sources.append(
          given.count == channels ? given : Array(repeating: given[0], count: channels))
      }
      mixes += layout.bindInput(unit: index, channels: channels, sources: sources)
    }
    for bus in nodes[index].unit.outputBusses.busses {
      let place = GraphBus(unit: index, bus: bus.index)
      layout.placeOutput(
        place, channels: bus.format.channelCount, readers: audio.count { $0.from == place })
      layout.bindings[index] += layout.outputs[place]!
    }
    layout.steps.append(.render(unit: index))
    layout.free(mixes)
    for connection in audio where connection.to.unit == index {
      layout.finishReading(connection.from)
    }
  }
}
