// Units with several inputs, and inputs that are added and removed.

import Graph
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct InputTests {
  private static func ones(_ count: Int) -> [Float] { Array(repeating: 1, count: count) }

  /// A mono source, a stereo source and a unit that adds its inputs; all have input ports.
  private func sources() throws -> Graph {
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "mono")
    try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "stereo")
    try graph.add(InputUnit.sum(), id: "mix")
    return graph
  }

  private func connect(_ graph: Graph, _ unit: Int, to input: Int) throws {
    try graph.connect(GraphBus(unit: unit, bus: 0), to: GraphBus(unit: 2, bus: input))
  }

  @Test func anOpenInputComesWithItsConnectionAndItsPortsAreNumberedByItself() throws {
    let graph = try sources()
    let names = { try graph.compile().ports.audioInputs.map(\.name).filter { $0.hasPrefix("mix") } }
    #expect(try names() == ["mix_in_1_1", "mix_in_1_2", "mix_in_2_1", "mix_in_2_2"])
    try connect(graph, 0, to: 4)
    try connect(graph, 0, to: 0)
    #expect(try names() == ["mix_in_2_1", "mix_in_2_2"])
    #expect(graph.nodes[2].unit.inputBusses.count == 5)
    #expect(graph.nodes[2].unit.inputBusses[4].format.channelCount == 1)
    try graph.exposeInput(GraphBus(unit: 2, bus: 6))
    #expect(try names() == ["mix_in_2_1", "mix_in_2_2", "mix_in_7_1", "mix_in_7_2"])
    #expect(throws: GraphError.noSuchBus(id: "mix", bus: 8, direction: "input", count: 8)) {
      try connect(graph, 1, to: 8)
    }
  }

  @Test func eachOpenInputHasChannelsOfItsOwn() throws {
    let graph = try sources()
    try connect(graph, 0, to: 3)
    try connect(graph, 1, to: 7)
    let renderer = OfflineRenderer(try graph.compile())
    // The ports of mono, of stereo left and right, and of the first two inputs.
    let input: [[Float]] = [[1, 1], [10, 10], [100, 100], [0, 0], [0, 1000], [0, 0], [0, 0]]
    #expect(renderer.render(frameCount: 2, input: input).last == [884, 1884.25])
  }

  @Test func sourcesOfOneOpenInputHaveAsManyChannels() throws {
    let graph = try sources()
    try connect(graph, 0, to: 3)
    try connect(graph, 1, to: 3)
    #expect(
      throws: GraphError.otherChannels(
        from: "mono:1", fromChannels: 1, to: "mix:4", toChannels: 2)
    ) { try graph.compile() }
  }

  @Test(arguments: [16, 100, 1024])
  func inputsComeAndGoAndTheOthersStayAsTheyAre(period: Int) throws {
    let noise = Signal.noise(frames: 20_000, seed: 1)
    /// The output of a run. With edits, a silent stereo source is connected to changing inputs.
    func run(edits: Bool) throws -> [Float] {
      let graph = try sources()
      try connect(graph, 0, to: 3)
      let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
      var output: [Float] = []
      func render() {
        let part = Array(noise[output.count..<output.count + period])
        output += renderer.render(frameCount: period, input: [part]).last!
      }
      for input in [7, 0, 5, nil, 1, 2, 2] where output.count < 12_000 {
        render()
        guard edits else { continue }
        let next = try graph.emptied()
        try connect(next, 0, to: 3)
        if let input { try connect(next, 1, to: input) }
        try renderer.follow(next, render)
      }
      while output.count + period <= 18_000 { render() }
      return output
    }
    let expected = try run(edits: false)
    let output = try run(edits: true)
    #expect(firstBitDifference(output, expected) == nil)
    #expect(peakDecibels(output) > 0)
  }

  @Test(arguments: [16, 100, 1024])
  func anInputChangesItsChannelsAfterTheFadeOut(period: Int) throws {
    let graph = try sources()
    try connect(graph, 0, to: 2)
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
    // Renders, and subtracts the pattern that the unit adds.
    var place = 0
    func render() -> [Float] {
      let ones = Self.ones(period)
      let names = renderer.graph.ports.audioInputs.map(\.name)
      let input = names.map { $0.hasPrefix("mix") ? [] : ones }
      let output = renderer.render(frameCount: period, input: input).last!
      defer { place += period }
      return output.enumerated().map { $1 - 0.25 * Float((place + $0) & 3) }
    }
    #expect(render().allSatisfy { $0 == 3 })
    let next = try graph.emptied()
    try connect(next, 1, to: 2)
    var output: [Float] = []
    try renderer.follow(next) { output += render() }
    while output.count < 2048 { output += render() }
    let end = try #require(output.firstIndex(of: 0))
    let start = try #require(output[end...].firstIndex { $0 != 0 })
    #expect(output[..<(end + 1)].elementsEqual((1...128).map { 3 - 3 * Float($0) / 128 }))
    #expect(
      output[start..<(start + 300)].elementsEqual(
        (1...300).map { 6 * Float(min($0, 128)) / 128 }))
    #expect(next.nodes[2].unit.inputBusses[2].format.channelCount == 2)
  }

  @Test func anInputThatIsConnectedInsideAndOutsideKeepsItsPortsWhenTheInsideGoes() throws {
    let graph = try sources()
    try connect(graph, 0, to: 5)
    try graph.exposeInput(GraphBus(unit: 2, bus: 5))
    let renderer = OfflineRenderer(try graph.compile())
    #expect(renderer.graph.ports.audioInputs.last?.name == "mix_in_6_1")
    let next = try graph.emptied()
    try next.exposeInput(GraphBus(unit: 2, bus: 5))
    try renderer.follow(next) { _ = renderer.render(frameCount: 64) }
    #expect(renderer.graph.ports.audioInputs.map(\.name).suffix(2) == ["mix_in_6_1", "mix_in_6_2"])
  }

  // MARK: A second input of an effect

  private func sidechain() throws -> Graph {
    let graph = Graph()
    try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "voice")
    try graph.add(ProbeUnit(), id: "key")
    try graph.add(InputUnit.multiply(), id: "duck")
    try graph.connect(0, 2)
    return graph
  }

  @Test func aSecondInputHasItsOwnFormatPortsAndConnection() throws {
    let graph = try sidechain()
    let port = try #require(try graph.compile().ports.audioInputs.last)
    #expect(port.name == "duck_side_chain_1" && port.formerName == "duck_in_3")
    try graph.connect(GraphBus(unit: 1, bus: 0), to: GraphBus(unit: 2, bus: 1))
    let renderer = OfflineRenderer(try graph.compile())
    #expect(
      renderer.graph.ports.audioInputs.map(\.name) == ["voice_in_1", "voice_in_2", "key_in_1"])
    #expect(
      renderer.render(frameCount: 2, input: [[1, 2], [3, 4], [5, 0.5]]) == [[5, 1], [15, 2]])
    // A bypassed unit passes its first input, once that has faded in.
    graph.nodes[2].unit.shouldBypassEffect = true
    _ = renderer.render(frameCount: 960)
    #expect(
      renderer.render(frameCount: 2, input: [[1, 2], [3, 4], [5, 0.5]]) == [[1, 2], [3, 4]])
  }

  @Test func aSecondInputComesAndGoesByItself() throws {
    let graph = try sidechain()
    let renderer = OfflineRenderer(try graph.compile())
    let connected = try graph.emptied()
    try connected.connect(0, 2)
    try connected.connect(GraphBus(unit: 1, bus: 0), to: GraphBus(unit: 2, bus: 1))
    var output: [Float] = []
    let render = {
      let ones = Self.ones(64)
      let input = renderer.graph.ports.audioInputs.map {
        $0.name == "duck_side_chain_1" ? [] : ones
      }
      output += renderer.render(frameCount: 64, input: input).last!
    }
    try renderer.follow(connected, render)
    while output.count < 256 { render() }
    #expect(output == (1...256).map { Float(min($0, 128)) / 128 })
  }

  @Test func bothInputsOfAnEffectWaitForTheSlowestPath() throws {
    let graph = try sidechain()
    try graph.add(LateUnit(300), id: "late")
    try graph.connect(1, 3)
    try graph.connect(GraphBus(unit: 3, bus: 0), to: GraphBus(unit: 2, bus: 1))
    let noise = Signal.noise(frames: 4000, seed: 3)
    let renderer = OfflineRenderer(try graph.compile())
    let output = renderer.run(frames: 4000, periods: .fixed(441), input: [noise, noise, noise])
    let expected = (0..<4000).map { $0 < 300 ? 0 : noise[$0 - 300] * noise[$0 - 300] }
    #expect(firstBitDifference(output[0], expected) == nil)
  }
}
