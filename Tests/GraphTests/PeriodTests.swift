// The output of a graph does not depend on how its time is divided into cycles.

import Effects
import Graph
import GraphRender
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct PeriodTests {
  static let frames = 20_000

  /// Two filters in a row and one in parallel, mixed into a fourth, with events at random frames.
  private func render(_ periods: Periods, maximumFrames: Int = 1024) throws -> [[Float]] {
    let graph = Graph()
    let units = try (0..<4).map { _ in try FilterUnit() }
    let names = ["first", "second", "beside", "mix"]
    for (unit, name) in zip(units, names) { try graph.add(unit, id: name) }
    try graph.connect(0, 1)
    try graph.connect(1, 3)
    try graph.connect(2, 3)
    try graph.exposeOutput(GraphBus(unit: 0, bus: 0))
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: maximumFrames))
    var random = SeededRandom(seed: 5)
    for unit in units {
      for _ in 0..<60 {
        let isCutoff = Bool.random(using: &random)
        try unit.scheduleParameter(
          isCutoff ? unit.$cutoff.address : unit.$resonance.address,
          value: isCutoff
            ? .random(in: 100...9000, using: &random) : .random(in: -9...9, using: &random),
          at: .frame(.random(in: 0..<FrameTime(Self.frames), using: &random)),
          rampFrames: .random(in: 0...2000, using: &random))
      }
    }
    // Noise, silence in which everything rings out, noise again.
    let input = (0..<4).map { channel in
      Signal.noise(frames: 6000, seed: channel) + Signal.silence(frames: 9000)
        + Signal.noise(frames: 5000, seed: channel + 9)
    }
    let output = renderer.run(frames: Self.frames, periods: periods, input: input)
    for unit in units {
      for count in UnitSwitches.Count.allCases { #expect(unit.switches.value(of: count) == 0) }
    }
    return output
  }

  @Test func filtersInARowAndAMixAreBitIdenticalAtAnyPeriod() throws {
    let expected = try render(.fixed(512))
    #expect(expected.count == 4)
    #expect(expected.allSatisfy { peakDecibels($0) > -40 })
    for periods in Periods.withSlices {
      let output = try render(periods)
      for port in expected.indices {
        #expect(
          firstBitDifference(output[port], expected[port]) == nil,
          "port \(port), period \(periods.testDescription)")
      }
    }
  }

  @Test(arguments: [1, 37, 64, 8192])
  func theSlicesOfALongCycleCannotBeHeard(maximumFrames: Int) throws {
    let expected = try render(.fixed(512))
    let output = try render(.fixed(4001), maximumFrames: maximumFrames)
    for port in expected.indices {
      #expect(firstBitDifference(output[port], expected[port]) == nil, "port \(port)")
    }
  }

  /// A bypass divides the cycle; a unit without busses has the session's sample rate.
  @Test(arguments: [44_100, 96_000] as [Double])
  func theMusicalContextMovesOnAtTheSampleRate(sampleRate: Double) throws {
    let graph = Graph()
    let unit = try ProbeUnit(.sendsBeats, inputs: [], outputs: [])
    try graph.add(unit, id: "u")
    let renderer = OfflineRenderer(try graph.compile(CompileOptions(sampleRate: sampleRate)))
    var context = MusicalContext()
    context.valid = UInt32(kMusicalContextTempo) | UInt32(kMusicalContextBeatPosition)
    context.transportFlags = UInt32(kTransportMoving)
    // A thousandth of a beat a frame.
    context.tempo = sampleRate * 60 / 1000
    try unit.scheduleBypass(true, at: .frame(48))
    _ = renderer.render(frameCount: 64, context: context)
    #expect(renderer.midiOutput(ofUnit: 0).map(\.bytes) == [[0x90, 0, 1], [0x90, 48, 1]])
  }

  @Test func theMusicalContextMovesOnWithTheSlicesOfACycle() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(.showsContext, inputs: [], outputs: [5]), id: "u")
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 64))
    var context = MusicalContext()
    context.valid =
      UInt32(kMusicalContextTempo) | UInt32(kMusicalContextBeatPosition)
      | UInt32(kMusicalContextMeasure) | UInt32(kTransportPosition)
    context.transportFlags = UInt32(kTransportMoving) | UInt32(kTransportChanged)
    // 100 frames a beat, three beats a measure, 28 frames before a beat. The third slice begins on
    // a beat.
    context.tempo = 28_800
    context.timeSignatureNumerator = 3
    context.measureDownbeat = 6
    context.beatPosition = 6.72
    context.sampleOffsetToNextBeat = 28
    context.samplePosition = 672
    let output = renderer.render(frameCount: 640, context: context)
    for slice in 0..<10 {
      let frame = slice * 64
      let position = 672 + frame
      #expect(abs(output[0][frame] - Float(position) / 100) < 1e-4)
      #expect(output[1][frame] == Float((100 - position % 100) % 100))
      #expect(output[2][frame] == Float(position / 300 * 3))
      #expect(output[3][frame] == Float(kTransportMoving | (slice == 0 ? kTransportChanged : 0)))
      #expect(output[4][frame] == Float(position))
    }
    context.transportFlags = UInt32(kTransportChanged)
    let still = renderer.render(frameCount: 128, context: context)
    #expect([still[0][64], still[1][64], still[4][64]] == [6.72, 28, 672])
    #expect([still[3][0], still[3][64]] == [Float(kTransportChanged), 0])
  }
}
