// Changes of a playing graph start on their frame.

import Effects
import Graph
import JackBackend
import TestSupport
import Testing
import UnitModel

@Suite(.serialized) struct EditFrameTests {
  /// Exposes the output of unit 0, a counter, and the input of unit 1, a bypassed filter.
  private func expose(_ graph: Graph) throws {
    try graph.exposeOutput(GraphBus(unit: 0, bus: 0))
    try graph.exposeInput(GraphBus(unit: 1, bus: 0))
  }

  @Test(arguments: [0, 1, 77, 1023])
  func aConnectionComesOnItsFrameWithinACycle(offset: Int) async throws {
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
    let graph = Graph()
    try graph.add(CounterUnit(), id: "counter")
    let pass = try FilterUnit()
    pass.shouldBypassEffect = true
    try graph.add(pass, id: "pass")
    try expose(graph)
    let rig = try BackendRig(graph, on: server)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    try await recorder.connect("auricle:counter_out_1", to: "recorder:audio_in_1")
    try await recorder.connect("auricle:pass_out_1", to: "recorder:audio_in_2")
    let next = Graph(following: graph)
    for node in graph.nodes { try next.keep(node) }
    try expose(next)
    try next.connect(GraphBus(unit: 0, bus: 0), to: GraphBus(unit: 1, bus: 0))
    let passages = try next.compile(following: rig.compiled)
    // Twelve cycles ahead, at an offset within a cycle.
    var start: Int64 = 0
    var answer: Int64?
    let take = try await JackTestClient.run([recorder], frames: 96_000) {
      start = (Int64(rig.backend.statistics.frame) / 1024 + 12) * 1024 + Int64(offset)
      answer = try rig.follow(passages, from: start)
    }[0]
    #expect(answer == start)
    #expect(rig.backend.statistics.skippedCycles == 0)
    let first = try #require(take.audio[1].firstIndex { $0 != 0 })
    // It counts from 1, starting at frame 0, without a gap.
    let counts = take.audio[0]
    #expect(Int64(counts[first]) == start + 1)
    #expect((1..<counts.count).allSatisfy { counts[$0] == counts[$0 - 1] + 1 })
    // The fade-in is complete 128 frames later.
    #expect(take.audio[1][first] == counts[first] / 128)
    let whole = first + 127..<counts.count
    #expect(whole.allSatisfy { take.audio[1][$0] == counts[$0] })
    // Stops before the rendered graphs are released.
    rig.backend.stop()
    withExtendedLifetime(passages) {}
  }
}
