// Plans of cycles, made from descriptions only.

import TestSupport
import Testing
import UnitModel

@testable import Graph
@testable import GraphRender

@Suite struct PlanTests {
  private let options = CompileOptions(sampleRate: 48_000, maximumFrames: 64)

  /// Units "u1", "u2" and so on; effects have equal channel counts of input and output.
  private func description(_ nodes: [(inputs: Int, outputs: Int)]) -> GraphDescription {
    GraphDescription(
      nodes: zip(1..., nodes).map { number, node in
        GraphDescription.Node(
          identity: NodeID(number: number), id: "u\(number)",
          inputs: node.inputs > 0 ? [.init(channelCount: node.inputs)] : [],
          outputs: node.outputs > 0 ? [.init(channelCount: node.outputs)] : [], takesMIDI: true,
          sendsMIDI: true, capabilities: node.inputs > 0 ? [.matching] : nil)
      }, edges: GraphEdges())
  }

  private func connect(_ from: Int, _ to: Int, in description: inout GraphDescription) {
    description.edges.audio.append(
      GraphConnection(from: GraphBus(unit: from, bus: 0), to: GraphBus(unit: to, bus: 0)))
  }

  private func renderings(_ plan: SchedulePlan) -> [Int] {
    plan.steps.filter { $0.kind == .render }.map { Int($0.unit) }
  }

  @Test func sourcesRenderFirst() throws {
    var graph = description([(2, 2), (2, 2), (0, 2)])
    connect(2, 1, in: &graph)
    connect(1, 0, in: &graph)
    let plan = try graph.plan(options)
    #expect(renderings(plan) == [2, 1, 0])
    #expect(plan.order == [2, 1, 0])
    #expect(plan.ports.audioOutputs.map(\.name) == ["u1_out_1", "u1_out_2"])
    #expect(plan.ports.audioInputs.isEmpty)
    // A buffer is reused once no unit reads its contents any more.
    #expect(plan.poolCount == 4)
    #expect(try graph.plan(options) == plan)
  }

  @Test func channelCountsAreAgreedAlongTheConnections() throws {
    var graph = description([(0, 5), (2, 2), (2, 2)])
    connect(0, 1, in: &graph)
    connect(1, 2, in: &graph)
    graph.nodes[2].inputs[0].supportedChannelCounts = [1, 5]
    let plan = try graph.plan(options)
    #expect(plan.units.map(\.preparation.inputChannels) == [[], [5], [5]])
    #expect(plan.units.map(\.preparation.outputChannels) == [[5], [5], [5]])
    graph.nodes[2].inputs[0].supportedChannelCounts = [2]
    #expect(
      throws: GraphError.channelMismatch(
        from: "u2:1", fromChannels: 5, to: "u3:1", toChannels: 2)
    ) { try graph.plan(options) }
  }

  @Test func unitsThatAnEditDoesNotReachKeepTheirPreparation() throws {
    var graph = description([(0, 2), (2, 2), (2, 2)])
    connect(0, 1, in: &graph)
    let before = try graph.plan(options)
    // The first unit is removed, and with it its index. A new unit sends the third one MIDI.
    graph.nodes.removeFirst()
    graph.nodes.append(description([(0, 1), (0, 1), (0, 1), (0, 1)]).nodes[3])
    graph.edges = GraphEdges()
    graph.edges.midi = [GraphConnection(from: 2, to: 1)]
    graph.edges.exposedMIDIInputs = [1]
    let after = try graph.plan(options)
    func preparations(_ plan: SchedulePlan) -> [NodeID: UnitPreparation] {
      Dictionary(uniqueKeysWithValues: plan.units.map { ($0.identity, $0.preparation) })
    }
    let (old, new) = (preparations(before), preparations(after))
    #expect(new.filter { old[$0.key] == $0.value }.map(\.key) == [NodeID(number: 2)])
    #expect(new[NodeID(number: 3)]?.midiEvents == 2 * options.midiEventsPerPort)
  }

  @Test func aUnitWithControlledParametersHasRoomForTheirEvents() throws {
    var graph = description([(0, 2), (2, 2)])
    graph.edges.parameters = [GraphConnection(from: 0, to: 1)]
    (graph.nodes[1].takesMIDI, graph.nodes[1].sendsMIDI) = (false, false)
    let plan = try graph.plan(options)
    #expect(plan.units[1].preparation.midiEvents == options.midiEventsPerPort)
    let target = Int(graph.nodes[1].identity.eventTarget)
    #expect(
      plan.steps.suffix(2) == [
        .transferParameters(from: 0, to: 1, target: target), .render(unit: 1),
      ])
  }

  /// Checks without the planner's help that each channel still holds the data for its reader.
  @Test(arguments: 0..<40)
  func everyStepReadsTheDataWrittenForIt(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 1...9, using: &random)
    var graph = description((0..<count).map { _ in (2, 2) })
    var sources: [Set<Int>] = (0..<count).map { [$0 + 1000] }
    for to in 0..<count {
      for from in 0..<to where Bool.random(using: &random) { connect(from, to, in: &graph) }
    }
    for to in 0..<count {
      sources[to] = Set(graph.edges.audio.filter { $0.to.unit == to }.map(\.from.unit))
    }
    if Bool.random(using: &random) {
      for unit in 0..<count {
        graph.nodes[unit].latencyFrames = Int.random(in: 0...2, using: &random)
      }
    }
    let plan = try graph.plan(options)
    var content: [BufferReference: Set<Int>] = [:]
    for (index, port) in plan.ports.audioInputs.enumerated() {
      content[BufferReference(.externalInput, index)] = [-1 - port.unitIndex]
    }
    for step in plan.steps {
      switch step.kind {
      case .copy: content[step.destination] = content[step.source] ?? []
      case .add:
        let added = content[step.source] ?? []
        content[step.destination]?.formUnion(added)
      case .render:
        let unit = Int(step.unit)
        let bindings = plan.bindings[unit]
        let expected = sources[unit].isEmpty ? [-1 - unit] : sources[unit]
        for input in bindings.prefix(2) { #expect(content[input] == expected) }
        for output in bindings.suffix(2) { content[output] = [unit] }
      case .delay: content[step.destination] = content[step.source] ?? []
      case .transferMIDI, .transferParameters, .endMIDI, .delayMIDI, .delayParameters,
        .delayPortMIDI, .pull:
        break
      }
    }
    #expect(Set(renderings(plan)) == Set(0..<count))
  }

  @Test func aPlanThatFailsLeavesUnitsAsTheyWere() throws {
    let graph = Graph()
    let source = try ProbeUnit(inputs: [], outputs: [3])
    let three = try graph.add(source, id: "three")
    let two = try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "two")
    try source.allocateRenderResources()
    try graph.connect(three, two)
    #expect(throws: GraphError.self) { try graph.compile(options) }
    #expect(source.renderResourcesAllocated)
  }
}
