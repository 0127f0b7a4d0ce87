// Edits of a graph while it is rendered.

import Effects
import Graph
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel

extension OfflineRenderer {
  /// Changes to another graph, and renders until all fades have ended.
  ///
  /// - Parameter render: renders one period.
  func follow(_ graph: Graph, _ render: () -> Void) throws {
    let passages = try graph.compile(following: self.graph)
    for passage in passages.dropLast() {
      go(on: passage)
      repeat { render() } while !passage.schedule.isSettled
    }
    go(on: passages.last!)
  }
}

extension Graph {
  /// A graph of the same units without connections.
  func emptied() throws -> Graph {
    let graph = Graph(following: self)
    for node in nodes { try graph.keep(node) }
    return graph
  }
}

@Suite struct EditTests {
  private static func ones(_ count: Int) -> [Float] { Array(repeating: 1, count: count) }

  /// A source that passes its input on, and an effect. They are not connected yet.
  private func pair() throws -> Graph {
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "source")
    try graph.add(ProbeUnit(), id: "effect")
    try graph.exposeInput(GraphBus(unit: 0, bus: 0))
    try graph.exposeOutput(GraphBus(unit: 0, bus: 0))
    try graph.exposeInput(GraphBus(unit: 1, bus: 0))
    return graph
  }

  /// The last port's output, from the first passage on.
  private func edit(
    _ renderer: OfflineRenderer, to graph: Graph, period: Int, frames: Int
  ) throws -> [Float] {
    var output: [Float] = []
    let render = {
      output += renderer.render(frameCount: period, input: [Self.ones(period)]).last!
    }
    try renderer.follow(graph, render)
    while output.count < frames { render() }
    return Array(output.prefix(frames))
  }

  @Test(arguments: [16, 48, 100, 1024, 8192])
  func connectionsFadeInAndOutWithin128Frames(period: Int) throws {
    let graph = try pair()
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
    #expect(
      renderer.render(frameCount: period, input: [Self.ones(period)]).last!.allSatisfy { $0 == 0 })
    let connected = try graph.emptied()
    for unit in 0..<2 { try connected.exposeInput(GraphBus(unit: unit, bus: 0)) }
    try connected.exposeOutput(GraphBus(unit: 0, bus: 0))
    try connected.connect(0, 1)
    let rising = try edit(renderer, to: connected, period: period, frames: 300)
    #expect(rising == (1...300).map { Float(min($0, 128)) / 128 })
    let falling = try edit(renderer, to: graph, period: period, frames: 300)
    #expect(falling == rising.map { 1 - $0 })
  }

  @Test func aUnitThatGoesIsHeardUntilItHasFadedAndThenFree() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "kept")
    weak var gone: AudioUnit?
    do {
      let unit = try ProbeUnit()
      gone = unit
      try graph.add(unit, id: "gone")
    }
    let renderer = OfflineRenderer(try graph.compile())
    let smaller = Graph(following: graph)
    try smaller.keep(graph.nodes[0])
    var output: [Float] = []
    try renderer.follow(smaller) {
      let ones = Self.ones(48)
      let rendered = renderer.render(frameCount: 48, input: [ones, ones])
      #expect(rendered[0] == ones)
      output += rendered[1]
    }
    #expect(output == (1...144).map { 1 - Float(min($0, 128)) / 128 })
    #expect(renderer.graph.ports.audioOutputs.map(\.name) == ["kept_out_1"])
    // The former graph still has the unit, but is no longer rendered.
    try graph.nodes[1].unit.deallocateRenderResources()
    #expect(gone != nil)
  }

  /// The crossfade begins once the new unit's own input has faded in.
  @Test func aUnitInThePlaceOfAnotherCrossfadesAtItsPorts() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "effect")
    let renderer = OfflineRenderer(try graph.compile())
    let replaced = Graph(following: graph)
    try replaced.add(ProbeUnit(), id: "effect")
    var output: [Float] = []
    try renderer.follow(replaced) {
      #expect(renderer.graph.ports.audioOutputs.count == 1)
      replaced.nodes[0].unit.parameterTree.parameter(address: 0)?.value = 3
      output += renderer.render(frameCount: 128, input: [Self.ones(128)])[0]
    }
    #expect(output == Self.ones(128) + (1...128).map { 1 + Float($0) / 64 })
  }

  @Test func unitsChangeTheirOrder() throws {
    let graph = Graph()
    for id in ["first", "second", "third"] { try graph.add(ProbeUnit(), id: id) }
    try graph.connect(0, 1)
    try graph.connect(1, 2)
    let renderer = OfflineRenderer(try graph.compile())
    let other = try graph.emptied()
    try other.connect(1, 0)
    try other.connect(0, 2)
    var greatestStep: Float = 0
    var last: Float = 1
    try renderer.follow(other) {
      for sample in renderer.render(
        frameCount: 32, input: Array(repeating: Self.ones(32), count: 2)
      ).last! {
        greatestStep = max(greatestStep, abs(sample - last))
        last = sample
      }
    }
    // Three fades, one after the other.
    #expect(last == 1 && greatestStep <= 3 / 128)
    #expect(renderer.graph.ports.audioInputs.map(\.name) == ["second_in_1"])
  }

  @Test func notesHeldThroughAMIDIConnectionThatGoesEnd() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(.passesMIDI), id: "keys")
    try graph.add(ProbeUnit(.passesMIDI), id: "synth")
    try graph.connectMIDI(from: 0, to: 1)
    let renderer = OfflineRenderer(try graph.compile())
    _ = renderer.render(
      frameCount: 64,
      midi: [
        [[0x90, 60, 1], [0x91, 61, 1], [0x90, 62, 1], [0xB0, 64, 127], [0x80, 62, 0]]
          .map { TimedMIDI(frame: 5, bytes: $0) }
      ])
    var sent: [TimedMIDI] = []
    try renderer.follow(try graph.emptied()) {
      _ = renderer.render(frameCount: 64)
      sent += renderer.midiOutput(ofUnit: 1)
    }
    #expect(sent.map(\.bytes) == [[0x80, 60, 64], [0x81, 61, 64], [0xB0, 64, 0]])
    #expect(sent.allSatisfy { $0.frame == 64 })
  }

  @Test func aUnitThatRingsOutTakesNothingAndIsHeardWhereItWas() throws {
    let graph = Graph()
    for id in ["kept", "bell", "sender"] { try graph.add(ProbeUnit(.passesMIDI), id: id) }
    try graph.connect(1, 0)
    try graph.exposeOutput(GraphBus(unit: 1, bus: 0))
    try graph.connectMIDI(from: 2, to: 1)
    let renderer = OfflineRenderer(try graph.compile())
    var sent: [TimedMIDI] = []
    func render(_ count: Int, midi: [[TimedMIDI]] = []) -> [[Float]] {
      let ones = Self.ones(count)
      let inputs = renderer.graph.ports.audioInputs.map { _ in ones }
      return renderer.render(frameCount: count, input: inputs, midi: midi)
    }
    #expect(renderer.graph.ports.midiInputs.map(\.unitID) == ["kept", "sender"])
    _ = render(64, midi: [[], [TimedMIDI(frame: 3, bytes: [0x90, 7, 1])]])
    // The input, and the note.
    #expect(render(64)[1].last == 8)

    // The removed unit comes after the kept ones.
    let without = Graph(following: graph)
    for unit in [0, 2] { try without.keep(graph.nodes[unit]) }
    let ringing = Graph(copying: without)
    try ringing.ringOut(graph.nodes[1], of: graph)
    var output: [[Float]] = [[], []]
    try renderer.follow(ringing) {
      let rendered = render(64)
      for port in output.indices { output[port] += rendered[port] }
      let place = renderer.graph.hostings.firstIndex { $0.unit === graph.nodes[1].unit }!
      sent += renderer.midiOutput(ofUnit: place)
    }
    let falling = (1...128).map { 7 + 1 - Float($0) / 128 }
    let bell = renderer.graph.ports.audioOutputs.firstIndex { $0.unitID == "bell" }!
    #expect(output.contains(Array(falling)))
    #expect(sent.map(\.bytes) == [[0x80, 7, 64]])
    #expect(renderer.graph.ports.audioInputs.map(\.unitID) == ["sender"])
    #expect(Set(renderer.graph.ports.audioOutputs.map(\.unitID)) == ["kept", "bell", "sender"])
    #expect(render(64)[bell] == Array(repeating: 7, count: 64))

    // The port disappears with the last of the unit.
    try renderer.follow(without) { _ = render(64) }
    #expect(Set(renderer.graph.ports.audioOutputs.map(\.unitID)) == ["kept", "sender"])
  }

  @Test func aUnitThatRingsOutReturnsUnchanged() throws {
    let graph = Graph()
    for id in ["kept", "bell"] { try graph.add(ProbeUnit(.passesMIDI), id: id) }
    let renderer = OfflineRenderer(try graph.compile())
    _ = renderer.render(frameCount: 64, midi: [[], [TimedMIDI(frame: 3, bytes: [0x90, 7, 1])]])
    let without = Graph(following: graph)
    try without.keep(graph.nodes[0])
    let ringing = Graph(copying: without)
    try ringing.ringOut(graph.nodes[1], of: graph)
    try renderer.follow(ringing) { _ = renderer.render(frameCount: 64) }
    try renderer.follow(graph) { _ = renderer.render(frameCount: 64) }
    #expect(renderer.render(frameCount: 64)[1] == Array(repeating: 7, count: 64))
    #expect(renderer.graph.ports.audioInputs.count == 2)
  }

  @Test func anImpossibleEditChangesNothing() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(inputs: [], outputs: [3]), id: "three")
    try graph.add(ProbeUnit(inputs: [2], outputs: [2]), id: "two")
    let renderer = OfflineRenderer(try graph.compile())
    let wrong = try graph.emptied()
    try wrong.connect(0, 1)
    #expect(throws: GraphError.self) { try wrong.compile(following: renderer.graph) }
    _ = renderer.render(frameCount: 64)
    #expect(graph.nodes.allSatisfy { $0.unit.renderResourcesAllocated })
  }

  // MARK: Units outside of edits

  /// Three units outside of all edits, whose ports are the first. Other units may receive their
  /// output.
  private struct Storm {
    var graph = Graph()
    var random: SeededRandom
    private var count = 0

    init(seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      try graph.add(FilterUnit(), id: "filter")
      try graph.add(ProbeUnit(.sendsNotes), id: "keys")
      try graph.add(ProbeUnit(), id: "voice")
      try graph.connectMIDI(from: 1, to: 2)
      try expose(graph)
    }

    private func expose(_ graph: Graph) throws {
      for unit in 0..<3 {
        try graph.exposeInput(GraphBus(unit: unit, bus: 0))
        try graph.exposeOutput(GraphBus(unit: unit, bus: 0))
      }
    }

    /// Adds and removes other units, late ones too. Makes new connections, also from the first
    /// three.
    mutating func edit() throws {
      let next = Graph(following: graph)
      for (place, node) in graph.nodes.enumerated() {
        if place > 2 && Int.random(in: 0..<4, using: &random) == 0 { continue }
        try next.keep(node)
      }
      while next.nodes.count < 4 || (next.nodes.count < 10 && Bool.random(using: &random)) {
        count += 1
        let mode: ProbeKernel.Mode = Bool.random(using: &random) ? .passesMIDI : .sendsNotes
        let isLate = Int.random(in: 0..<3, using: &random) == 0
        try next.add(
          isLate
            ? LateUnit(0, channels: 2) : ProbeUnit(mode, inputs: [2], outputs: [2]),
          id: "u\(count)")
      }
      for node in next.nodes {
        guard let late = node.unit as? LateUnit, Bool.random(using: &random) else { continue }
        late.lateBy = Int.random(in: 0...3_000, using: &random)
      }
      try next.connectMIDI(from: 1, to: 2)
      try expose(next)
      for _ in 0..<12 {
        let from = Int.random(in: 0..<next.nodes.count, using: &random)
        let to = Int.random(in: 3..<next.nodes.count, using: &random)
        // Existing connections and cycles are left out.
        if Bool.random(using: &random) {
          try? next.connect(from, to)
        } else {
          try? next.connectMIDI(from: from, to: to)
        }
      }
      graph = next
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func outputThatNoEditTouchesIsUnchangedToTheBit(seed: UInt64) throws {
    let frames = 4000
    // Edits may take more than `frames`.
    let noise = Signal.noise(frames: 64 * frames, seed: seed)
    func rendering(edits: Int) throws -> [[Float]] {
      var storm = try Storm(seed: seed)
      var random = SeededRandom(seed: seed + 1000)
      let renderer = OfflineRenderer(try storm.graph.compile(maximumFrames: 256))
      let ports = renderer.graph.ports.audioOutputs.count
      var output = [[Float]](repeating: [], count: ports)
      func render() {
        let length = Int.random(in: 1...(edits > 0 ? 400 : 64), using: &random)
        let input = Array(noise[output[0].count...].prefix(length))
        let inputs = Array(repeating: input, count: renderer.graph.ports.audioInputs.count)
        let rendered = renderer.render(frameCount: length, input: inputs)
        for port in 0..<ports { output[port] += rendered[port] }
      }
      for _ in 0..<edits {
        try storm.edit()
        try renderer.follow(storm.graph, render)
        render()
      }
      while output[0].count < frames { render() }
      return output.map { Array($0.prefix(frames)) }
    }
    let calm = try rendering(edits: 0)
    let stormy = try rendering(edits: 10)
    #expect(calm.contains { $0.contains { $0 != 0 } })
    for (port, expected) in zip(stormy, calm) {
      #expect(firstBitDifference(port, expected) == nil)
    }
  }
}
