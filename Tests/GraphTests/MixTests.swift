// Sums, copies and order of rendering, and the limits of a fault's effects.

import Effects
import Graph
import GraphRender
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel

@Suite struct MixTests {
  @Test func severalSourcesOfOneInputAreAddedInTheOrderOfConnecting() throws {
    let graph = Graph()
    let sources = try (0..<5).map { try graph.add(ProbeUnit(), id: "s\($0)") }
    let mix = try graph.add(ProbeUnit(), id: "mix")
    for source in sources { try graph.connect(source, mix) }
    try graph.exposeInput(GraphBus(unit: mix, bus: 0))
    let inputs = (0..<6).map { Signal.noise(frames: 700, seed: UInt64($0)) }
    let renderer = OfflineRenderer(try graph.compile())
    #expect(renderer.graph.ports.audioInputs.last?.name == "mix_in_1")
    let output = renderer.run(frames: 700, input: inputs)[0]
    let expected = (0..<700).map { frame in
      // The port is added first, then the connections.
      inputs[0..<5].reduce(inputs[5][frame]) { $0 + $1[frame] }
    }
    #expect(firstBitDifference(output, expected) == nil)
  }

  @Test func monoGoesToEveryChannelAlsoInAMix() throws {
    let graph = Graph()
    let mono = try graph.add(ProbeUnit(inputs: [1], outputs: [1]), id: "mono")
    let stereo = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "stereo")
    let only = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "only")
    let mix = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "mix")
    try graph.connect(mono, only)
    try graph.connect(mono, mix)
    try graph.connect(stereo, mix)
    let output = OfflineRenderer(try graph.compile()).render(
      frameCount: 2, input: [[1, 2], [10, 20], [100, 200]])
    #expect(output == [[1, 2], [1, 2], [11, 22], [101, 202]])
  }

  @Test func anExposedOutputAlsoFeedsAUnitInside() throws {
    let graph = Graph()
    let first = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "a")
    let second = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "b")
    try graph.connect(first, second)
    try graph.exposeOutput(GraphBus(unit: first, bus: 0))
    let compiled = try graph.compile()
    graph.nodes[first].unit.parameterTree.parameter(address: 0)!.value = 3
    graph.nodes[second].unit.parameterTree.parameter(address: 0)!.value = 5
    let renderer = OfflineRenderer(compiled)
    #expect(
      renderer.render(frameCount: 2, input: [[1, 2], [10, 20]])
        == [[3, 6], [30, 60], [15, 30], [150, 300]])
  }

  @Test func anExposedOutputThatNobodyTakesStillFeedsTheUnitInside() throws {
    let graph = Graph()
    let first = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "a")
    let other = try graph.add(ProbeUnit(inputs: [1], outputs: [1]), id: "other")
    let second = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "b")
    try graph.connect(first, second)
    try graph.exposeOutput(GraphBus(unit: first, bus: 0))
    let compiled = try graph.compile(maximumFrames: 64)
    _ = other
    let schedule = compiled.schedule
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 5 * 100)
    memory.initialize(repeating: 9, count: 500)
    defer { memory.deallocate() }
    for frame in 0..<100 {
      memory[frame] = 1
      memory[100 + frame] = 2
      memory[200 + frame] = 4
    }
    for input in 0..<3 { schedule.setExternalInput(input, memory + input * 100) }
    // The outputs of "a" and "other" have no buffers in this cycle.
    for output in 0..<3 { schedule.setExternalOutput(output, nil) }
    for output in 3..<5 { schedule.setExternalOutput(output, memory + output * 100) }
    let cycle = RenderCycle(frame: 0, frameCount: 100)
    schedule.begin(cycle)
    schedule.render(cycle)
    schedule.end()
    #expect((0..<100).allSatisfy { memory[300 + $0] == 1 && memory[400 + $0] == 2 })
  }

  @Test func unitsRenderAfterTheirSourcesInAnyOrderOfAdding() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<20 {
      // A chain of 12 units in random order; each doubles its input in its cycle.
      let graph = Graph()
      let chain = (0..<12).shuffled(using: &random)
      for index in 0..<12 { try graph.add(ProbeUnit(), id: "u\(index)") }
      for (from, to) in zip(chain, chain.dropFirst()).shuffled(using: &random) {
        try graph.connect(from, to)
      }
      for node in graph.nodes { node.unit.parameterTree.parameter(address: 0)!.value = 2 }
      let compiled = try graph.compile()
      for node in graph.nodes { try node.unit.scheduleParameter(0, value: 2) }
      #expect(
        OfflineRenderer(compiled).render(frameCount: 2, input: [[1, -1]]) == [[4096, -4096]])
    }
  }

  @Test func aPortWithoutSamplesIsSilent() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "a")
    let renderer = OfflineRenderer(try graph.compile())
    #expect(renderer.render(frameCount: 2, input: [[1, 1], [2, 2]]) == [[1, 1], [2, 2]])
    #expect(renderer.render(frameCount: 2, input: [[3]]) == [[3, 0], [0, 0]])
  }

  @Test func aFailingUnitSilencesOnlyItself() throws {
    let graph = Graph()
    let bad = try graph.add(ProbeUnit(.fails), id: "bad")
    let good = try graph.add(ProbeUnit(), id: "good")
    let mix = try graph.add(ProbeUnit(), id: "mix")
    try graph.connect(bad, mix)
    try graph.connect(good, mix)
    try graph.exposeOutput(GraphBus(unit: bad, bus: 0))
    let renderer = OfflineRenderer(try graph.compile())
    // The ports: bad's output, then the mix.
    #expect(renderer.render(frameCount: 2, input: [[1, 1], [2, 2]]) == [[1, 1], [3, 3]])
    #expect(renderer.render(frameCount: 2, input: [[10, 1], [2, 2]]) == [[0, 0], [2, 2]])
    #expect(renderer.render(frameCount: 2, input: [[1, .nan], [2, 2]]) == [[0, 0], [2, 2]])
    #expect(renderer.render(frameCount: 2, input: [[4, 4], [2, 2]]) == [[4, 4], [6, 6]])
    #expect(graph.nodes[bad].unit.switches.value(of: .failedCycles) == 1)
    #expect(graph.nodes[bad].unit.switches.value(of: .nonFiniteCycles) == 1)
    #expect(graph.nodes[mix].unit.switches.value(of: .nonFiniteCycles) == 0)
  }

  @Test func anEmptyGraphRendersNothing() throws {
    let renderer = OfflineRenderer(try Graph().compile())
    #expect(renderer.render(frameCount: 100) == [])
    #expect(renderer.frame == 100)
  }
}
