// Connections refused for time effects, and time effects added and removed while rendering.

import Graph
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct TimeEffectEditTests {
  private static let reason = "may need more input than it puts out, or less: "

  private func refusal(_ edit: () throws -> Void) -> String? {
    do { try edit() } catch { return "\(error)" }
    return nil
  }

  @Test func liveInputIsRefusedWhereverItComesIn() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "strip")
    try graph.add(HoldUnit(), id: "speed")
    try graph.connect(0, 1)
    let text =
      "' would get live input, which cannot give more frames than have come; feed the time effect"
      + " with a player or another unit that makes its sound"
    let first = GraphBus(unit: 0, bus: 0)
    #expect(
      refusal { try graph.exposeInput(first) }
        == "the time effect 'speed' " + Self.reason + "'strip" + text)
    #expect(
      refusal { try graph.exposeInput(GraphBus(unit: 1, bus: 0)) }
        == "the time effect 'speed' " + Self.reason + "'speed" + text)
    // The refusals change nothing, and an unconnected unit is silent without ports.
    let renderer = OfflineRenderer(try graph.compile())
    #expect(renderer.graph.ports.audioInputs.isEmpty)
    #expect(renderer.run(frames: 300)[0].allSatisfy { $0 == 0 })

    let other = Graph()
    try other.add(ProbeUnit(), id: "strip")
    try other.add(HoldUnit(), id: "speed")
    try other.exposeInput(first)
    #expect(
      refusal { try other.connect(0, 1) }
        == "the time effect 'speed' " + Self.reason + "'strip" + text)
    #expect(other.receivers(of: 0).isEmpty)
  }

  @Test func aUnitThatFeedsATimeEffectFeedsNothingElse() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(inputs: []), id: "voice")
    try graph.add(HoldUnit(), id: "speed")
    try graph.add(ProbeUnit(), id: "sum")
    try graph.add(HoldUnit(), id: "other")
    try graph.connect(0, 1)
    try graph.connect(1, 2)
    func text(_ other: String) -> String {
      "the time effect 'speed' \(Self.reason)'voice' feeds it and \(other) as well, which needs"
        + " other frames; connect that behind the time effect, or give it a unit of its own"
    }
    #expect(refusal { try graph.connect(0, 2) } == text("'sum'"))
    #expect(
      refusal { try graph.exposeOutput(GraphBus(unit: 0, bus: 0)) } == text("ports of its own"))
    #expect(refusal { try graph.connect(0, 3) }?.contains("'voice' feeds it and") == true)
    #expect(graph.receivers(of: 0) == ["speed"])
    #expect(try graph.compile().ports.audioOutputs.map(\.unitID) == ["sum", "other"])
  }

  @Test func aThirdTimeEffectBehindTheOthersIsRefused() throws {
    let graph = Graph()
    for id in ["one", "two", "three"] { try graph.add(HoldUnit(), id: id) }
    try graph.connect(0, 1)
    #expect(
      refusal { try graph.connect(1, 2) }
        == "the time effect 'three' \(Self.reason)one -> two -> three are behind each other, and"
        + " each may need four times the frames of the next; 2 may be")
  }

  @Test func aUnitThatOnlyReceivesIsPartOfTheChain() throws {
    let graph = Graph()
    try graph.add(SongUnit(), id: "song")
    try graph.add(HoldUnit(rate: 2), id: "speed")
    try graph.add(ProbeUnit(outputs: []), id: "tap")
    try graph.connect(0, 1)
    try graph.connect(0, 2)
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 64))
    #expect(renderer.run(frames: 500, periods: .fixed(100)).count == 1)
  }

  @Test func noEventIsLostWhereTheChainStandsStillOrIsLeft() throws {
    let graph = Graph()
    try graph.add(ProbeUnit(.passesMIDI, inputs: []), id: "voice")
    try graph.add(HoldUnit(rate: 0.25), id: "hold")
    try graph.connect(0, 1)
    let renderer = OfflineRenderer(try graph.compile())
    var given: [[UInt8]] = []
    var taken: [[UInt8]] = []
    var played: [Float] = []
    let render = {
      given.append([0x90, UInt8(renderer.frame % 128), 1])
      let note = TimedMIDI(frame: renderer.frame, bytes: given.last!)
      played += renderer.render(frameCount: 1, midi: [[note]])[0]
      taken += renderer.midiOutput(ofUnit: 0).map(\.bytes)
    }
    // The chain renders a frame on every fourth frame of the session.
    for _ in 0..<400 { render() }
    let expected = (0..<400).map { frame in Float((frame - frame % 4) % 128) }
    #expect(firstBitDifference(played, expected) == nil)
    // Waiting messages stay with the voice when it leaves the chain.
    for edit in 0..<6 {
      let next = try graph.emptied()
      if edit % 2 == 1 { try next.connect(0, 1) }
      for passage in try next.compile(following: renderer.graph) {
        renderer.go(on: passage)
        // A host does not change to the next passage at once.
        for _ in 0..<(edit + 600) { render() }
      }
    }
    #expect(given.count - taken.count < 4)
    #expect(taken == Array(given.prefix(taken.count)))
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func editsOfTimeEffectsLeaveTheRestAsItIsToTheBit(seed: UInt64) throws {
    let noise = Signal.noise(frames: 200_000, seed: seed)
    var random = SeededRandom(seed: seed)
    var graph = Graph()
    try graph.add(ProbeUnit(), id: "untouched")
    try graph.exposeInput(GraphBus(unit: 0, bus: 0))
    for number in 0..<3 {
      try graph.add(ProbeUnit(inputs: []), id: "voice\(number)")
      try graph.add(HoldUnit(rate: [0.5, 1, 3][number]), id: "hold\(number)")
    }
    try graph.add(ProbeUnit(), id: "sum")
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 200))
    var untouched: [Float] = []
    let render = {
      let period = Int.random(in: 1...400, using: &random)
      let input = Array(noise[untouched.count..<untouched.count + period])
      untouched += renderer.render(frameCount: period, input: [input])[0]
    }
    var edits = 0
    var refused = 0
    for _ in 0..<40 {
      let next = try graph.emptied()
      try next.exposeInput(GraphBus(unit: 0, bus: 0))
      for _ in 0..<8 {
        let from = Int.random(in: 1..<8, using: &random)
        let to = Int.random(in: 1..<8, using: &random)
        // Some of these are refused, and then leave the graph unchanged.
        do throws(GraphError) { try next.connect(from, to) } catch { refused += 1 }
      }
      try renderer.follow(next, render)
      for _ in 0..<3 { render() }
      graph = next
      edits += 1
      if untouched.count > 190_000 { break }
    }
    #expect(edits > 20 && refused > 20)
    #expect(firstBitDifference(untouched, Array(noise.prefix(untouched.count))) == nil)
  }
}
