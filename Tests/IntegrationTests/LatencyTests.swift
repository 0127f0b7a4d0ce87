// Latencies of units, as reported to other clients.

import Graph
import JackBackend
import TestSupport
import Testing
import UnitModel

/// A unit that reports a latency.
private final class LateCounterUnit: AudioUnit, @unchecked Sendable {
  private let seconds: Double

  init(seconds: Double) throws {
    self.seconds = seconds
    super.init(
      componentDescription: ComponentDescription(
        type: .effect, subtype: "late", manufacturer: "Test"),
      inputBusses: BusArray(.input, [try Bus(.input)]),
      outputBusses: BusArray(.output, [try Bus(.output)]),
      parameterTree: try ParameterTree(children: []))
  }

  override var latency: Double { seconds }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(MarkerKernel(), for: self, render: markerRender, reset: markerReset)
  }
}

@Suite(.serialized) struct LatencyTests {
  @Test func latenciesOfPortsAreReportedToJACK() async throws {
    let server = try await JackServer.start()
    let graph = Graph()
    try graph.add(LateCounterUnit(seconds: 0.01), id: "late")
    try graph.add(LateCounterUnit(seconds: 0), id: "dry")
    let rig = try BackendRig(graph, on: server)
    let client = try JackTestClient(server, "peer", audioInputs: 2, audioOutputs: 2)
    let late = 480...480
    try await client.connect("auricle:late_out_1", to: "peer:audio_in_1")
    try await client.connect("auricle:dry_out_1", to: "peer:audio_in_2")
    #expect(
      await eventually { client.latency(of: "auricle:late_out_1", isCapture: true) == late })
    #expect(client.latency(of: "auricle:late_in_1", isCapture: false) == late)
    #expect(client.latency(of: "auricle:dry_out_1", isCapture: true) == 0...0)
    // The latencies of a following graph are reported, too.
    let next = Graph(following: graph)
    try next.keep(graph.nodes[0])
    try next.keep(graph.nodes[1])
    let other = try next.add(LateCounterUnit(seconds: 0.02), id: "other")
    try next.connect(GraphBus(unit: 0, bus: 0), to: GraphBus(unit: other, bus: 0))
    let passages = try next.compile(following: rig.compiled)
    try rig.follow(passages)
    #expect(
      await eventually {
        client.latency(of: "auricle:other_out_1", isCapture: true) == 1_440...1_440
      })
    // Stops before the rendered graphs are released.
    rig.backend.stop()
    withExtendedLifetime(passages) {}
  }
}
