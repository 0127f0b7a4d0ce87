// Outputs of graphs of any shape, by their connections.

import Graph
import OfflineBackend
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct RandomGraphTests {
  /// A graph of units with a gain of one, and the expected samples of its outputs.
  private struct Sample {
    let graph = Graph()
    /// Expected outputs, by unit and channel.
    var outputs: [[[Float]]] = []
    var inputs: [[Float]] = []
    var ports: [[Float]] = []
  }

  /// Makes a graph of units that only hear earlier ones, and computes the expectation meanwhile.
  private func sample(seed: UInt64, frames: Int) throws -> Sample {
    var random = SeededRandom(seed: seed)
    var sample = Sample()
    var heard: Set<Int> = []
    var exposed: Set<Int> = []
    for unit in 0..<15 {
      let channels = Int.random(in: 1...2, using: &random)
      try sample.graph.add(ProbeUnit(inputs: [channels], outputs: [channels]), id: "u\(unit)")
      let sources = (0..<unit).filter { source in
        [1, channels].contains(sample.outputs[source].count)
          && Int.random(in: 0..<4, using: &random) == 0
      }.shuffled(using: &random)
      var given: [[[Float]]] = []
      let isExposed = Bool.random(using: &random)
      if isExposed { try sample.graph.exposeInput(GraphBus(unit: unit, bus: 0)) }
      if sources.isEmpty || isExposed {
        let port = (0..<channels).map {
          Signal.noise(frames: frames, seed: seed + UInt64(unit * 2 + $0))
        }
        sample.inputs += port
        given.append(port)
      }
      for source in sources {
        try sample.graph.connect(source, unit)
        heard.insert(source)
        given.append(sample.outputs[source])
      }
      sample.outputs.append(
        (0..<channels).map { channel in
          let parts = given.map { $0.count == 1 ? $0[0] : $0[channel] }
          return (0..<frames).map { frame in
            parts.dropFirst().reduce(parts[0][frame]) { $0 + $1[frame] }
          }
        })
      if Int.random(in: 0..<4, using: &random) == 0 {
        try sample.graph.exposeOutput(GraphBus(unit: unit, bus: 0))
        exposed.insert(unit)
      }
    }
    for unit in 0..<15 where !heard.contains(unit) || exposed.contains(unit) {
      sample.ports += sample.outputs[unit]
    }
    return sample
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func everyOutputIsTheSumOfItsConnections(seed: UInt64) throws {
    let frames = 150
    let sample = try sample(seed: seed * 100, frames: frames)
    let renderer = OfflineRenderer(try sample.graph.compile(maximumFrames: 64))
    let output = renderer.run(frames: frames, periods: .fixed(100), input: sample.inputs)
    #expect(output.count == sample.ports.count)
    for (port, expected) in zip(output, sample.ports) {
      #expect(firstBitDifference(port, expected) == nil)
    }
  }
}
