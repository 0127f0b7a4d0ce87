// Two threads render the same output as one.

import OfflineBackend
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@testable import Graph
@testable import GraphRender

@Suite struct BranchTests {
  /// Units "0", "1" and so on with a bus of two channels in and out.
  private func description(_ count: Int, _ connections: [(Int, Int)]) -> GraphDescription {
    var edges = GraphEdges()
    edges.audio = connections.map {
      GraphConnection(from: GraphBus(unit: $0.0, bus: 0), to: GraphBus(unit: $0.1, bus: 0))
    }
    return GraphDescription(
      nodes: (0..<count).map {
        GraphDescription.Node(
          identity: NodeID(number: $0), id: "\($0)", inputs: [.init(channelCount: 2)],
          outputs: [.init(channelCount: 2)])
      }, edges: edges)
  }

  private func sections(_ count: Int, _ connections: [(Int, Int)]) -> [Int] {
    let graph = description(count, connections)
    return graph.branches(graph.edges.renderingOrder(graph.nodes.indices)).sections
  }

  @Test func unconnectedUnitsAreInParallelBranches() {
    #expect(sections(4, [(0, 2), (1, 3)]) == [1, 2, 1, 2])
    #expect(sections(1, []) == [0])
    #expect(sections(3, [(0, 1), (1, 2)]) == [0, 0, 0])
  }

  @Test func whereBranchesMeetIsBehindThem() {
    // Three voices with an effect each, a mixer, a limiter.
    #expect(
      sections(8, [(0, 3), (1, 4), (2, 5), (3, 6), (4, 6), (5, 6), (6, 7)])
        == [1, 2, 3, 1, 2, 3, 4, 4])
  }

  @Test func aCommonSourceComesBeforeAllBranches() {
    // One source through four effects into a mixer.
    #expect(
      sections(6, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 5), (2, 5), (3, 5), (4, 5)])
        == [0, 1, 2, 3, 4, 5])
  }

  @Test func pathsThatPartAndMeetStayInOneBranch() {
    // Two sources, each heard dry and through an effect, and all in a mixer.
    #expect(
      sections(7, [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 6), (5, 6)])
        == [1, 1, 1, 2, 2, 2, 3])
  }

  @Test func aMIDISourceOfAChainIsInTheBranchOfTheTimeEffect() {
    var graph = description(5, [(1, 2)])
    graph.nodes[2].isTimeEffect = true
    graph.edges.midi = [GraphConnection(from: 0, to: 1)]
    graph.findChains()
    let order = graph.edges.renderingOrder(graph.nodes.indices)
    #expect(graph.branches(order).sections == [1, 1, 1, 2, 3])
  }

  @Test func manyBranchesBecomeFewer() {
    let graph = description(500, [])
    let branches = graph.branches(Array(graph.nodes.indices))
    #expect(branches.count == GraphBranches.maximumCount)
    #expect(Set(branches.sections) == Set(1...GraphBranches.maximumCount))
  }

  /// A unit that replaces another shares its ports, so both stay in one branch, in order.
  @Test func unitsWithTheSamePortStayInOrder() {
    var graph = description(3, [])
    graph.nodes[2] = .init(
      identity: NodeID(number: 9), id: "0", inputs: [], outputs: [.init(channelCount: 2)])
    #expect(graph.branches([0, 1, 2]).sections == [1, 2, 1])
  }

  /// Memory a step reads and writes, and units with event lists it uses.
  private struct Use {
    var reads: Set<BufferReference> = []
    var writes: Set<BufferReference> = []
    var units: Set<Int32> = []

    init(_ step: ScheduleStep, _ plan: SchedulePlan) {
      switch step.kind {
      case .render, .pull:
        let preparation = plan.units[Int(step.unit)].preparation
        let inputs = preparation.inputChannels.reduce(0, +)
        let bindings = plan.bindings[Int(step.unit)]
        reads = Set(bindings.prefix(inputs))
        if step.kind == .render { writes = Set(bindings.dropFirst(inputs)) }
        units = [step.unit]
      case .copy: (reads, writes) = ([step.source], [step.destination])
      case .add: (reads, writes) = ([step.source, step.destination], [step.destination])
      case .delay:
        (reads, writes, units) = ([step.source], [step.destination], [step.other])
      case .transferMIDI, .transferParameters, .delayMIDI, .delayParameters:
        units = [step.unit, step.other]
      case .endMIDI, .delayPortMIDI: units = [step.other]
      }
    }

    mutating func add(_ other: Use) {
      reads.formUnion(other.reads)
      writes.formUnion(other.writes)
      units.formUnion(other.units)
    }

    func disturbs(_ other: Use) -> Bool {
      !writes.isDisjoint(with: other.reads) || !writes.isDisjoint(with: other.writes)
        || !reads.isDisjoint(with: other.writes)
    }
  }

  /// No branch writes memory of another one or sends to its units. Senders to several branches are
  /// rendered before them.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func branchesShareNothing(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 2...24, using: &random)
    var graph = description(count, [])
    for unit in 0..<count {
      graph.nodes[unit].sendsMIDI = true
      graph.nodes[unit].takesMIDI = true
      for source in 0..<unit where Int.random(in: 0..<count, using: &random) < 2 {
        let bus = { GraphBus(unit: $0, bus: 0) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: graph.edges.midi.append(GraphConnection(from: source, to: unit))
        case 1: graph.edges.parameters.append(GraphConnection(from: source, to: unit))
        default: graph.edges.audio.append(GraphConnection(from: bus(source), to: bus(unit)))
        }
      }
    }
    let options = CompileOptions(
      sampleRate: 48_000, maximumFrames: 64, helper: RenderHelper(.always))
    let plan = try graph.plan(options)
    var alone = options
    alone.helper = nil
    #expect(Set(plan.steps.map(\.kind)) == Set(try graph.plan(alone).steps.map(\.kind)))
    #expect(plan.steps.count == (try graph.plan(alone)).steps.count)
    let uses = plan.branches.steps.map { steps in
      steps.reduce(into: Use(plan.steps[steps.lowerBound], plan)) {
        $0.add(Use(plan.steps[$1], plan))
      }
    }
    let rendered = plan.branches.steps.map { steps in
      Set(plan.steps[steps].filter { $0.kind == .render }.map(\.unit))
    }
    for (first, use) in uses.enumerated() {
      for (second, other) in uses.enumerated() where second != first {
        #expect(!use.disturbs(other))
        #expect(use.units.isDisjoint(with: rendered[second]))
      }
    }
  }

  /// Every unit comes after the units that feed it.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func twoThreadsRenderTheSameAsOne(seed: UInt64) throws {
    var outputs: [[[Float]]] = []
    let helper = RenderHelper(.always)
    for helper in [nil, helper] {
      var random = SeededRandom(seed: seed)
      let graph = Graph()
      for unit in 0..<20 {
        try graph.add(
          ProbeUnit(unit % 5 == 0 ? .sendsNotes : .passesMIDI), id: "u\(unit)")
        for source in 0..<unit where Int.random(in: 0..<12, using: &random) == 0 {
          try graph.connect(source, unit)
        }
        for source in 0..<unit where Int.random(in: 0..<12, using: &random) == 0 {
          try graph.connectMIDI(from: source, to: unit)
        }
      }
      let renderer = OfflineRenderer(
        try graph.compile(
          CompileOptions(
            sampleRate: 48_000, maximumFrames: 64, midiEventsPerPort: 256,
            midiBytesPerPort: 1024, isOffline: true, helper: helper)))
      let inputs = graph.nodes.indices.map { Signal.noise(frames: 3000, seed: seed + UInt64($0)) }
      outputs.append(
        renderer.run(frames: 3000, periods: .random(upTo: 200, seed: seed), input: inputs))
    }
    #expect(outputs[0].count == outputs[1].count)
    for (one, two) in zip(outputs[0], outputs[1]) { #expect(firstBitDifference(one, two) == nil) }
  }

  /// Two costly branches over several cycles: the second thread renders some of them.
  @Test func theHelperHelps() throws {
    let helper = try #require(RenderHelper(.always))
    let graph = Graph()
    for unit in 0..<8 { try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "u\(unit)") }
    let renderer = OfflineRenderer(
      try graph.compile(
        CompileOptions(
          sampleRate: 48_000, maximumFrames: 8192, isOffline: true, helper: helper)))
    var cycles = 0
    while helper.helpedCount == 0 && cycles < 100_000 {
      _ = renderer.render(frameCount: 8192)
      cycles += 1
    }
    #expect(helper.helpedCount > 0)
  }

  @Test func workThatCostsLessThanWakingIsNotShared() {
    let helperState = HelperState(isAlwaysUsed: false)
    defer { helperState.deallocate() }
    // Without calibration it is unknown whether the thread wakes at all.
    #expect(!helperState.pays(total: 1_000_000, longest: 500_000, isShared: false))
  }
}
