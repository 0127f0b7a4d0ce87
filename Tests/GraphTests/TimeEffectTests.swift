// Units with more or fewer input than output frames, and the units before them.

import Effects
import Foundation
import Graph
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct TimeEffectTests {
  /// Notes that set the voice's level.
  private static func notes(_ count: Int, frames: Int, seed: UInt64) -> [TimedMIDI] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in Int.random(in: 0..<frames, using: &random) }.sorted().map {
      TimedMIDI(frame: FrameTime($0), bytes: [0x90, UInt8.random(in: 0...127, using: &random), 1])
    }
  }

  private static func schedule(_ filter: FilterUnit, frames: Int, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<20 {
      try filter.scheduleParameter(
        filter.$cutoff.address, value: Float.random(in: 100...10_000, using: &random),
        at: .frame(FrameTime(Int.random(in: 0..<frames, using: &random))),
        rampFrames: [0, 1, 700].randomElement(using: &random)!)
    }
  }

  /// A voice that plays notes, a filter, time effects after it, and a last unit with its own voice.
  private func chain(_ effects: [HoldUnit], _ filter: FilterUnit) throws -> Graph {
    let graph = Graph()
    var last = try graph.add(ProbeUnit(inputs: []), id: "voice")
    let units: [AudioUnit] = [filter] + effects
    for (number, unit) in units.enumerated() {
      let place = try graph.add(unit, id: "effect\(number)")
      try graph.connect(last, place)
      last = place
    }
    let sum = try graph.add(ProbeUnit(), id: "sum")
    try graph.connect(last, sum)
    return graph
  }

  @Test(arguments: [1, 16, 100, 1024, 3000])
  func atRate1AllIsAsWithoutTheEffectToTheBit(period: Int) throws {
    let frames = period == 1 ? 2_000 : 9_000
    let notes = Self.notes(60, frames: frames, seed: 1)
    let outputs = try [0, 1, 2].map { count in
      let filter = try FilterUnit()
      let graph = try chain((0..<count).map { _ in try HoldUnit() }, filter)
      let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
      try Self.schedule(filter, frames: frames, seed: 2)
      return renderer.run(frames: frames, periods: .fixed(period), midi: [notes])[0]
    }
    #expect(Set(outputs[0]).count > 1_000)
    for output in outputs.dropFirst() { #expect(firstBitDifference(outputs[0], output) == nil) }
  }

  @Test(arguments: [0.25, 0.5, 0.75, 1, 1.25, 2, 3.5, 4] as [Double])
  func anEventTakesEffectOnTheFrameThatIsMadeForItsOwn(rate: Double) throws {
    let frames = 3_000
    let notes = Self.notes(40, frames: frames, seed: 3)
    // The chain's next frame when the effect outputs `frame`, and the frame that it plays.
    func next(_ frame: Int) -> Int { frame == 0 ? 0 : Int(Double(frame - 1) * rate) + 1 }
    func played(_ frame: Int) -> Int { Int(Double(frame) * rate) }
    let expected = (0..<frames).map { frame in
      notes.last { next(Int($0.frame)) <= played(frame) }.map { Float($0.bytes[1]) } ?? 0
    }
    for periods in Periods.withSlices + [.fixed(1)] {
      let graph = Graph()
      try graph.add(ProbeUnit(inputs: []), id: "voice")
      try graph.add(HoldUnit(rate: Float(rate)), id: "hold")
      try graph.connect(0, 1)
      let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
      let output = renderer.run(frames: frames, periods: periods, midi: [notes])[0]
      #expect(firstBitDifference(output, expected) == nil, "\(periods)")
    }
  }

  @Test func theOutputDoesNotDependOnThePeriod() throws {
    let frames = 12_000
    let notes = Self.notes(100, frames: frames, seed: 4)
    let outputs = try (Periods.withSlices + [.fixed(1)]).map { periods in
      let holds = try [1, 0.75].map { try HoldUnit(rate: $0) }
      let filter = try FilterUnit()
      let renderer = OfflineRenderer(try chain(holds, filter).compile(maximumFrames: 512))
      try Self.schedule(filter, frames: frames, seed: 5)
      var random = SeededRandom(seed: 6)
      for hold in holds {
        for _ in 0..<10 {
          try hold.scheduleParameter(
            0, value: Float.random(in: 0.25...4, using: &random),
            at: .frame(FrameTime(Int.random(in: 0..<frames, using: &random))))
        }
      }
      return renderer.run(frames: frames, periods: periods, midi: [notes])[0]
    }
    #expect(Set(outputs[0]).count > 1_000)
    for output in outputs.dropFirst() { #expect(firstBitDifference(outputs[0], output) == nil) }
  }

  @Test func midiOfAUnitInsideComesOnItsFrameToo() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(.sendsNotes, inputs: [], outputs: []), id: "sequencer")
    try graph.add(ProbeUnit(inputs: []), id: "voice")
    try graph.add(HoldUnit(rate: 2), id: "hold")
    try graph.connectMIDI(from: 0, to: 1)
    try graph.connect(1, 2)
    for period in [1, 64, 333, 2048] {
      let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
      let output = renderer.run(frames: 2_000, periods: .fixed(period))[0]
      let expected = (0..<2_000).map { Float($0 / 100) }
      #expect(firstBitDifference(output, expected) == nil, "period \(period)")
    }
  }

  @Test func theChainsTransportIsWhereItStartedAndFromThereTheChains() throws {
    let graph = Graph()
    let song = try SongUnit()
    try graph.add(song, id: "song")
    try graph.add(HoldUnit(rate: 2), id: "hold")
    try graph.connect(0, 1)
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 64))
    var context = MusicalContext()
    var output: [Float] = []
    for (start, cycles) in [(1_000.0, 5), (40.0, 5)] {
      for cycle in 0..<cycles {
        context.valid = UInt32(kTransportPosition)
        context.transportFlags = UInt32(kTransportMoving)
        context.samplePosition = start + Double(cycle * 100)
        output += renderer.render(frameCount: 100, context: context)[0]
      }
    }
    // After the song's jump, the effect first leaves out one frame.
    let expected = [1_000, 41].flatMap { start in (0..<500).map { Float(start + 2 * $0) } }
    #expect(firstBitDifference(output, expected) == nil)
  }

  @Test func aBypassInTheChainComesOnTheSessionsFrame() throws {
    let graph = Graph()
    let filter = try FilterUnit()
    filter.shouldBypassEffect = true
    try graph.add(ProbeUnit(inputs: []), id: "voice")
    try graph.add(filter, id: "filter")
    try graph.add(HoldUnit(rate: 4), id: "hold")
    try graph.connect(0, 1)
    try graph.connect(1, 2)
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
    _ = renderer.run(frames: 2_000, periods: .fixed(100))
    filter.shouldBypassEffect = false
    _ = renderer.run(frames: 100, periods: .fixed(100))
    let switches = renderer.graph.hostings[1].hosted.switches
    #expect(switches.frame(ofBypass: switches.bypassRequest) == 2_000)
  }
}
