// Measurements of a schedule while its meters are on.

import Graph
import GraphRender
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct MeterTests {
  /// A sender of a note every hundred frames, its player, and a parallel unit: two outputs.
  private func makeRenderer(maximumFrames: Int = 256) throws -> OfflineRenderer {
    let graph = Graph()
    let sender = try graph.add(ProbeUnit(.sendsNotes, inputs: [], outputs: []), id: "sender")
    let player = try graph.add(ProbeUnit(inputs: [], outputs: [1]), id: "player")
    try graph.add(ProbeUnit(), id: "beside")
    try graph.connectMIDI(from: sender, to: player)
    return OfflineRenderer(try graph.compile(maximumFrames: maximumFrames))
  }

  @Test func nothingIsMeasuredUntilItIsAskedFor() throws {
    let renderer = try makeRenderer()
    _ = renderer.run(frames: 1000, input: [Signal.noise(frames: 1000, seed: 1)])
    let measured = renderer.graph.schedule.meters.take()
    #expect(measured.frames == 0)
    #expect(measured.units == [.init(), .init(peaks: [0]), .init(peaks: [0, 0])])
  }

  @Test(arguments: Periods.withSlices)
  func eventsAndPeaksAreThoseOfAllFrames(periods: Periods) throws {
    let renderer = try makeRenderer()
    let meters = renderer.graph.schedule.meters
    meters.isOn = true
    var input = [Float](repeating: 0.25, count: 10_000)
    input[7_777] = -0.75
    _ = renderer.run(frames: 10_000, periods: periods, input: [input])
    let measured = meters.take()
    #expect(measured.frames == 10_000)
    #expect(measured.units.map(\.eventsSent) == [100, 0, 0])
    #expect(measured.units.map(\.eventsTaken) == [0, 100, 0])
    // The keys of the notes are the player's offsets.
    #expect(measured.units.map(\.peaks) == [[], [99], [0.75, 0.75]])
    #expect(measured.units.allSatisfy { $0.nanoseconds > 0 && $0.worstShare > 0 })

    let later = meters.take()
    #expect(later.frames == 0)
    #expect(later.units == [.init(), .init(peaks: [0]), .init(peaks: [0, 0])])
  }

  /// A time effect takes its input in pieces, here four in a cycle.
  @Test func theWholeInputOfATimeEffectIsMeasured() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(inputs: []), id: "voice")
    try graph.add(HoldUnit(rate: 4), id: "hold")
    try graph.connect(0, 1)
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
    renderer.graph.schedule.meters.isOn = true
    let notes = [(1, 100), (30, 5)].map { frame, key in
      TimedMIDI(frame: frame, bytes: [0x90, key, 1])
    }
    _ = renderer.run(frames: 512, periods: .fixed(512), midi: [notes])
    let measured = renderer.graph.schedule.meters.take()
    #expect(measured.units.map(\.peaks) == [[100], [100, 100]])
  }

  @Test func theWorstShareIsThatOfTheCyclesTime() throws {
    let renderer = try makeRenderer()
    let meters = renderer.graph.schedule.meters
    meters.isOn = true
    _ = renderer.render(frameCount: 480)
    let measured = meters.take()
    for unit in measured.units {
      let share = Double(unit.nanoseconds) / 1e9 / 0.01
      #expect(abs(Double(unit.worstShare) / share - 1) < 1e-4)
    }
  }

  @Test func measuringChangesNoBit() throws {
    let input = Signal.noise(frames: 10_000, seed: 3)
    func render(isMeasured: Bool) throws -> [[Float]] {
      let renderer = try makeRenderer()
      renderer.graph.schedule.meters.isOn = isMeasured
      return renderer.run(frames: 10_000, periods: .random(upTo: 300, seed: 2), input: [input])
    }
    let (plain, measured) = (try render(isMeasured: false), try render(isMeasured: true))
    for port in plain.indices {
      #expect(firstBitDifference(plain[port], measured[port]) == nil)
    }
  }

  @Test func measurementsAddUp() {
    func one(_ share: Float, _ peak: Float) -> ScheduleMeasurement {
      ScheduleMeasurement(
        frames: 10,
        units: [
          .init(
            nanoseconds: 5, worstShare: share, eventsTaken: 2, eventsSent: 1, peaks: [0, peak])
        ])
    }
    var sum = one(0.5, 0.1)
    sum.add(one(0.25, 0.3))
    #expect(sum.frames == 20)
    #expect(
      sum.units == [
        .init(
          nanoseconds: 10, worstShare: 0.5, eventsTaken: 4, eventsSent: 2, peaks: [0, 0.3])
      ])
    sum.add(one(0, .nan))
    sum.add(one(0, 1))
    #expect(sum.units[0].peaks[1].isNaN)
  }
}
