// Arbitrary events at kernels: rendering continues, with finite output.

import Effects
import Foundation
import Graph
import GraphRender
import MIDIEffectUnit
import MIDIStages
import Realtime
import SamplerUnit
import TestSupport
import Testing
import UnitModel
import UnitRender

@Suite(.serialized) struct OutsideValueTests {
  private static let values: [Float] = [
    0, -0.0, 1, -1, 64, 127, 128, -128, 1e-30, 1e9, -1e9, 2_147_483_648, 9.3e18, -9.3e18, 3e38,
    -3e38, .infinity, -.infinity, .nan, .signalingNaN, .leastNonzeroMagnitude,
  ]

  /// Returns a parameter event that no control side would pass on.
  private static func event(
    _ addresses: [UInt64], _ cycle: RenderCycle, _ random: inout SeededRandom
  ) -> RenderEvent {
    let frames: [FrameTime] = [
      cycle.frame, cycle.frame &+ FrameTime(Int.random(in: 0..<cycle.frameCount, using: &random)),
      cycle.frame &- 1, cycle.frame &+ FrameTime(cycle.frameCount), .min, .max, 0,
    ]
    var event = RenderEvent.parameter(
      address: Int.random(in: 0..<20, using: &random) == 0
        ? random.next() : addresses.randomElement(using: &random)!,
      value: values.randomElement(using: &random)!,
      rampFrames: [0, 0, 1, 64, .max].randomElement(using: &random)!,
      at: frames.randomElement(using: &random)!)
    if Int.random(in: 0..<20, using: &random) == 0 {
      event.kind = UInt8(truncatingIfNeeded: random.next()) & 3
    }
    return event
  }

  private static func graph(_ directory: TemporaryDirectory) async throws -> (Graph, [AudioUnit]) {
    let zone = SoundFontMaker.Zone(sample: .sine(periodFrames: 100), releaseSeconds: 0.1)
    let font = try SoundFontMaker(presets: [.init(name: "Sine", zones: [zone])])
      .write(to: directory.file("sine.sf2"))
    let sampler = try SamplerUnit(midiStages: [.velocity, .channel])
    try await sampler.load(soundFont: font)
    let units: [AudioUnit] = [
      try MIDIEffectUnit(midiStages: MIDIStageKind.allCases), sampler, try FilterUnit(),
    ]
    let graph = Graph()
    for (index, unit) in units.enumerated() { try graph.add(unit, id: "unit\(index)") }
    try graph.connectMIDI(from: 0, to: 1)
    try graph.connect(GraphBus(unit: 1, bus: 0), to: GraphBus(unit: 2, bus: 0))
    return (graph, units)
  }

  @Test(arguments: 0..<3) func noParameterAndNoByteEndsTheRenderThread(seed: UInt64) async throws {
    let directory = try TemporaryDirectory()
    let (graph, units) = try await Self.graph(directory)
    let compiled = try graph.compile(CompileOptions(sampleRate: 48_000, maximumFrames: 64))
    var random = SeededRandom(seed: seed)
    var parser = MIDIStreamParser()
    let buffers = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 256) }
    defer {
      parser.deallocate()
      for buffer in buffers { buffer.deallocate() }
    }
    let addresses = units.map { $0.parameterTree.allParameters.map(\.address) }
    var frame: FrameTime = 0
    for _ in 0..<300 {
      let count = [1, 16, 64, 200].randomElement(using: &random)!
      let cycle = RenderCycle(frame: frame, frameCount: count)
      for (port, buffer) in buffers.enumerated() {
        compiled.schedule.setExternalOutput(port, buffer)
      }
      compiled.schedule.begin(cycle)
      for unit in units.indices {
        let list = compiled.schedule.unit(unit).events
        for _ in 0..<8 { _ = list.insert(Self.event(addresses[unit], cycle, &random)) }
      }
      var bytes = random.bytes(60)
      // Mostly notes, so that the parameters have a sound to spoil.
      for place in stride(from: 0, to: 30, by: 3) { bytes[place] = 0x90 | bytes[place] & 15 }
      _ = parser.read(bytes, count: bytes.count, at: frame, into: compiled.schedule.unit(0).events)
      compiled.schedule.render(cycle)
      compiled.schedule.end()
      for buffer in buffers {
        let samples = Array(UnsafeBufferPointer(start: buffer, count: count))
        #expect(samples.allSatisfy { $0.isFinite })
      }
      frame += FrameTime(count)
    }
  }
}
