// Ports of a graph, and refused connections.

import Effects
import Graph
import Testing
import UnitModel

@Suite struct PortTests {
  @Test func bussesWithoutConnectionsBecomePorts() throws {
    let graph = Graph()
    let source = try graph.add(ProbeUnit(.passesMIDI, inputs: [], outputs: [2, 1]), id: "src")
    let filter = try graph.add(FilterUnit(), id: "lowpass")
    try graph.connect(source, filter)
    let ports = try graph.compile().ports
    #expect(ports.audioInputs == [])
    #expect(ports.audioOutputs.map(\.name) == ["src_out_3", "lowpass_out_1", "lowpass_out_2"])
    #expect(ports.audioOutputs[0].channel?.bus == 1)
    #expect(ports.audioOutputs[2].channel?.channel == 1)
    #expect(ports.audioOutputs[2].unitID == "lowpass")
    #expect(ports.audioOutputs[2].unitIndex == filter)
    #expect(ports.midiInputs.map(\.name) == ["src_midi_in"])
    #expect(ports.midiOutputs.map(\.name) == ["src_midi_out"])
    #expect(ports.midiInputs[0].channel == nil)
  }

  @Test func exposedBussesArePortsBesideTheirConnections() throws {
    let graph = Graph()
    let first = try graph.add(ProbeUnit(.passesMIDI), id: "a")
    let second = try graph.add(ProbeUnit(), id: "b")
    try graph.connect(first, second)
    try graph.connectMIDI(from: first, to: second)
    var ports = try graph.compile().ports
    #expect(ports.audioInputs.map(\.name) == ["a_in_1"])
    #expect(ports.audioOutputs.map(\.name) == ["b_out_1"])
    #expect(ports.midiInputs.map(\.name) == ["a_midi_in"])
    #expect(ports.midiOutputs == [])
    try graph.exposeOutput(GraphBus(unit: first, bus: 0))
    try graph.exposeInput(GraphBus(unit: second, bus: 0))
    try graph.exposeMIDIOutput(first)
    try graph.exposeMIDIInput(second)
    ports = try graph.compile().ports
    #expect(ports.audioInputs.map(\.name) == ["a_in_1", "b_in_1"])
    #expect(ports.audioOutputs.map(\.name) == ["a_out_1", "b_out_1"])
    #expect(ports.midiInputs.map(\.name) == ["a_midi_in", "b_midi_in"])
    #expect(ports.midiOutputs.map(\.name) == ["a_midi_out"])
  }

  @Test func aCircleIsRefusedWithItsPath() throws {
    let graph = Graph()
    let units = try ["a", "b", "c", "d"].map { try graph.add(ProbeUnit(.passesMIDI), id: $0) }
    try graph.connect(units[0], units[1])
    try graph.connectMIDI(from: units[1], to: units[2])
    try graph.connect(units[0], units[3])
    #expect(throws: GraphError.cycle(path: ["c", "a", "b", "c"])) {
      try graph.connect(units[2], units[0])
    }
    #expect(throws: GraphError.cycle(path: ["c", "a", "b", "c"])) {
      try graph.connectMIDI(from: units[2], to: units[0])
    }
    #expect(throws: GraphError.cycle(path: ["d", "d"])) { try graph.connect(units[3], units[3]) }
    #expect(GraphError.cycle(path: ["c", "a", "c"]).description.contains("c -> a -> c"))
    // Refused connections leave nothing in the graph.
    #expect(try graph.compile().ports.audioInputs.map(\.name) == ["a_in_1", "c_in_1"])
  }

  @Test func manyWaysBetweenTwoUnitsTakeNoLongToCheck() throws {
    let graph = Graph()
    var last = try graph.add(ProbeUnit(), id: "start")
    for layer in 0..<40 {
      let left = try graph.add(ProbeUnit(), id: "left\(layer)")
      let right = try graph.add(ProbeUnit(), id: "right\(layer)")
      let join = try graph.add(ProbeUnit(), id: "join\(layer)")
      for side in [left, right] {
        try graph.connect(last, side)
        try graph.connect(side, join)
      }
      last = join
    }
    // 2⁴⁰ paths lead from the start to here; each check visits a unit once.
    let side = try graph.add(ProbeUnit(), id: "side")
    try graph.connect(side, 0)
    try graph.connect(side, last)
    #expect(throws: GraphError.self) { try graph.connect(last, side) }
  }

  @Test func faultyEditsAreRefused() throws {
    let graph = Graph()
    let effect = try graph.add(ProbeUnit(type: .effect, inputs: [2], outputs: [2]), id: "a")
    let other = try graph.add(ProbeUnit(type: .effect, inputs: [2], outputs: [2]), id: "b")
    let source = try graph.add(ProbeUnit(inputs: []), id: "src")
    #expect(throws: GraphError.duplicateUnit(id: "a")) { try graph.add(ProbeUnit(), id: "a") }
    #expect(throws: GraphError.sameUnit(id: "again", other: "a")) {
      try graph.add(graph.nodes[effect].unit, id: "again")
    }
    #expect(throws: GraphError.unknownUnit(id: "x", known: ["a", "b", "src"])) {
      try graph.index(of: "x")
    }
    #expect(throws: GraphError.noSuchBus(id: "src", bus: 0, direction: "input", count: 0)) {
      try graph.connect(effect, source)
    }
    // Users count busses from 1.
    let error = GraphError.noSuchBus(id: "a", bus: 1, direction: "output", count: 1)
    #expect(error.description == "unit 'a' has no output bus 2; it has output bus 1")
    #expect(throws: error) {
      try graph.exposeOutput(GraphBus(unit: effect, bus: 1))
    }
    #expect(throws: GraphError.noMIDIInput(id: "a")) { try graph.exposeMIDIInput(effect) }
    #expect(throws: GraphError.noMIDIOutput(id: "src")) {
      try graph.connectMIDI(from: source, to: effect)
    }
    try graph.connect(effect, other)
    #expect(throws: GraphError.alreadyConnected(from: "a:1", to: "b:1")) {
      try graph.connect(effect, other)
    }
  }

  @Test func channelCountsThatDoNotGoTogetherAreAnError() throws {
    let graph = Graph()
    let three = try graph.add(ProbeUnit(inputs: [], outputs: [3]), id: "three")
    let two = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "two")
    try graph.connect(three, two)
    #expect(
      throws: GraphError.channelMismatch(
        from: "three:1", fromChannels: 3, to: "two:1", toChannels: 2)
    ) { try graph.compile() }
  }

  @Test func anEffectTakesTheChannelsThatItIsGiven() throws {
    let graph = Graph()
    let five = try graph.add(ProbeUnit(inputs: [], outputs: [5]), id: "five")
    let filter = try graph.add(FilterUnit(), id: "filter")
    try graph.connect(five, filter)
    #expect(
      try graph.compile().ports.audioOutputs.map(\.name)
        == (1...5).map { "filter_out_\($0)" })
  }

  /// The source with more channels has been removed.
  @Test func unitsKeepTheirChannelsWhereTheyAreTo() throws {
    let (one, filter) = (try ProbeUnit(inputs: [], outputs: [1]), try FilterUnit())
    let first = Graph()
    for (unit, id) in [(try ProbeUnit(inputs: [], outputs: [2]), "two"), (one, "one")] {
      try first.add(unit, id: id)
    }
    let receiver = try first.add(filter, id: "filter")
    try first.connect(0, receiver)
    try first.connect(1, receiver)
    let outputs = ["filter_out_1", "filter_out_2"]
    #expect(try first.compile().ports.audioOutputs.map(\.name) == outputs)
    // A unit that is added again, and all units of a graph that is compiled again.
    for isBack in [true, false] {
      let next = Graph()
      let source = try next.add(one, id: "one")
      try next.connect(source, try next.add(filter, id: "filter", keepsChannels: isBack))
      if !isBack { next.keepChannels() }
      #expect(try next.compile(sampleRate: 44_100).ports.audioOutputs.map(\.name) == outputs)
    }
    let next = Graph()
    let source = try next.add(one, id: "one")
    try next.connect(source, try next.add(filter, id: "filter"))
    #expect(try next.compile().ports.audioOutputs.count == 1)
  }

  @Test func bussesThatWentAwaySinceTheyWereConnectedAreAnError() throws {
    final class Shrinking: AudioUnit, @unchecked Sendable {}
    let unit = Shrinking(
      componentDescription: ComponentDescription(
        type: .generator, subtype: "shri", manufacturer: "Test"),
      outputBusses: try BusArray(.output, count: 2, maximumBusCount: 2) {
        _ throws(BusError) in try Bus(.output)
      },
      parameterTree: try ParameterTree(children: []))
    let graph = Graph()
    let source = try graph.add(unit, id: "src")
    let filter = try graph.add(FilterUnit(), id: "filter")
    try graph.connect(GraphBus(unit: source, bus: 1), to: GraphBus(unit: filter, bus: 0))
    try unit.outputBusses.setBusCount(1)
    #expect(throws: GraphError.noSuchBus(id: "src", bus: 1, direction: "output", count: 1)) {
      try graph.compile()
    }
  }
}
