// Times at which open inputs are created.

import Graph
import OfflineBackend
import Testing
import UnitModel

@Suite struct OpenInputTests {
  /// A unit that cannot be prepared.
  private final class FailingUnit: AudioUnit, @unchecked Sendable {
    struct Failure: Error {}

    init() throws {
      super.init(
        componentDescription: ComponentDescription(
          type: .generator, subtype: "fail", manufacturer: "Test"),
        outputBusses: BusArray(.output, [try Bus(.output)]),
        parameterTree: try ParameterTree(children: []))
    }

    override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
      throw .failed("it cannot")
    }
  }

  /// A source, and a unit that adds its two inputs.
  private func sources() throws -> (Graph, BusArray) {
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "mono")
    let mix = try InputUnit.sum()
    try graph.add(mix, id: "mix")
    return (graph, mix.inputBusses)
  }

  private func connect(_ graph: Graph, _ unit: Int, to input: Int) throws(GraphError) {
    try graph.connect(GraphBus(unit: unit, bus: 0), to: GraphBus(unit: 1, bus: input))
  }

  @Test(arguments: [true, false]) func aRefusedConnectionMakesNoInput(atOnce: Bool) throws {
    let (graph, inputs) = try sources()
    graph.opensInputsAtOnce = atOnce
    try connect(graph, 0, to: 4)
    #expect(inputs.count == (atOnce ? 5 : 2))
    #expect(throws: GraphError.cycle(path: ["mix", "mix"])) { try connect(graph, 1, to: 6) }
    #expect(throws: GraphError.alreadyConnected(from: "mono:1", to: "mix:5")) {
      try connect(graph, 0, to: 4)
    }
    #expect(inputs.count == (atOnce ? 5 : 2))
    _ = try graph.compile()
    #expect(inputs.count == 5)
  }

  @Test func aGraphThatIsOnlyCheckedLeavesUnitsAsTheyAre() throws {
    let (graph, inputs) = try sources()
    graph.opensInputsAtOnce = false
    try connect(graph, 0, to: 4)
    try graph.exposeInput(GraphBus(unit: 1, bus: 6))
    try graph.check()
    let copy = Graph(copying: graph)
    try copy.check()
    #expect(inputs.count == 2)
    let (other, otherInputs) = try sources()
    try connect(other, 0, to: 4)
    try other.exposeInput(GraphBus(unit: 1, bus: 6))
    let ports = try copy.compile().ports.audioInputs.map(\.name)
    #expect(try ports == other.compile().ports.audioInputs.map(\.name))
    #expect(inputs.count == 7 && inputs.map(\.format) == otherInputs.map(\.format))
  }

  @Test func aFailedPreparationLeavesInputsUnchanged() throws {
    let (graph, inputs) = try sources()
    let compiled = try graph.compile()
    let next = Graph(following: graph)
    for node in graph.nodes { try next.keep(node) }
    next.opensInputsAtOnce = false
    try connect(next, 0, to: 5)
    let failing = try next.add(FailingUnit(), id: "failing")
    try connect(next, failing, to: 7)
    #expect(throws: GraphError.self) { try next.compile(following: compiled) }
    #expect(inputs.count == 2)
  }
}
