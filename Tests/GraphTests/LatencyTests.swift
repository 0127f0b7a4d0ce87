// Parallel paths are aligned to the latest of them.

import Foundation
import Graph
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct LatencyTests {
  /// A source that feeds a mixing unit in two ways: directly, and through a unit with latency.
  private func parallel(_ late: AudioUnit, after former: Graph? = nil) throws -> Graph {
    let graph = former.map { Graph(following: $0) } ?? Graph()
    if let former {
      for node in former.nodes { try graph.keep(node) }
    } else {
      try graph.add(ProbeUnit(), id: "source")
      try graph.add(late, id: "late")
      try graph.add(ProbeUnit(), id: "sum")
    }
    try graph.connect(0, 1)
    try graph.connect(0, 2)
    try graph.connect(1, 2)
    return graph
  }

  @Test(arguments: [1, 7, 100, 127, 128, 129, 1000, 9000])
  func theDryAndTheLatePathMakeTwiceTheSignal(latency: Int) throws {
    let frames = 12_000
    let noise = Signal.noise(frames: frames, seed: 7)
    let expected = (0..<frames).map { $0 < latency ? 0 : 2 * noise[$0 - latency] }
    for period in [1, 13, 64, 100, 1024, 1500, 2048] {
      // With periods of one frame, all frames would take too many cycles.
      let length = period == 1 ? 2_000 : frames
      let graph = try parallel(LateUnit(latency))
      let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
      let output = renderer.run(frames: length, periods: .fixed(period), input: [noise])
      #expect(
        firstBitDifference(output[0], Array(expected.prefix(length))) == nil, "period \(period)")
    }
  }

  @Test func externalInputIsDelayedToo() throws {
    let noise = Signal.noise(frames: 4_000, seed: 8)
    let graph = Graph()
    try graph.add(LateUnit(300), id: "late")
    try graph.add(ProbeUnit(), id: "sum")
    try graph.connect(0, 1)
    try graph.exposeInput(GraphBus(unit: 1, bus: 0))
    let renderer = OfflineRenderer(try graph.compile())
    let output = renderer.run(frames: 4_000, periods: .fixed(441), input: [noise, noise])
    let expected = (0..<4_000).map { $0 < 300 ? 0 : 2 * noise[$0 - 300] }
    #expect(firstBitDifference(output[0], expected) == nil)
  }

  /// - Parameter start: the frame of the bypass. Earlier input is still heard.
  @Test(arguments: [0, 500, 2_000])
  func aBypassedUnitIsAsLate(start: Int) throws {
    let noise = Signal.noise(frames: 4_000, seed: 9)
    let late = try LateUnit(300)
    let renderer = OfflineRenderer(try parallel(late).compile())
    let expected = (0..<4_000).map { $0 < 300 ? 0 : 2 * noise[$0 - 300] }
    var output: [Float] = []
    for period in 0..<40 {
      late.shouldBypassEffect = period * 100 >= start
      output +=
        renderer.render(
          frameCount: 100, input: [Array(noise[period * 100..<(period + 1) * 100])])[0]
    }
    #expect(firstBitDifference(output, expected) == nil)
  }

  @Test(arguments: [1, 64, 1024])
  func midiWaitsForTheAudioBesideIt(period: Int) throws {
    let graph = Graph()
    try graph.add(LateUnit(250), id: "late")
    try graph.add(ProbeUnit(.passesMIDI), id: "keys")
    try graph.add(ProbeUnit(.passesMIDI), id: "voice")
    try graph.connect(0, 2)
    try graph.connectMIDI(from: 1, to: 2)
    try graph.connectMIDI(from: 0, to: 2)
    try graph.exposeMIDIInput(2)
    let messages = (0..<20).map { number in
      let status: UInt8 = number % 2 == 0 ? 0x90 : 0x80
      return TimedMIDI(frame: FrameTime(number * 97), bytes: [status, UInt8(number), 1])
    }
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
    let ports = renderer.graph.ports.midiInputs.map(\.unitID)
    #expect(ports == ["late", "keys", "voice"])
    var sent: [TimedMIDI] = []
    for start in stride(from: 0, to: 3_000, by: period) {
      let now = messages.filter { $0.frame >= start && $0.frame < start + period }
      _ = renderer.render(frameCount: period, midi: [now, now, now])
      sent += renderer.midiOutput(ofUnit: 2)
    }
    // Messages arrive by all three paths at once, none before the audio.
    let expected = messages.flatMap { message in
      Array(repeating: TimedMIDI(frame: message.frame + 250, bytes: message.bytes), count: 3)
    }
    #expect(sent == expected)
  }

  @Test func moreEventsThanCanWaitGoOnEarlyAndNoneIsLost() throws {
    let graph = Graph()
    try graph.add(LateUnit(8_000), id: "late")
    try graph.add(ProbeUnit(.passesMIDI), id: "voice")
    try graph.connect(0, 1)
    let renderer = OfflineRenderer(try graph.compile())
    #expect(renderer.graph.ports.midiInputs.map(\.unitID) == ["late", "voice"])
    var sent: [[UInt8]] = []
    var expected: [[UInt8]] = []
    for cycle in 0..<200 {
      let frame = FrameTime(cycle * 64)
      let bytes: [[UInt8]] = (0..<5).map { [0x90, UInt8(cycle % 128), UInt8($0 + 1)] }
      if cycle < 60 { expected += bytes }
      _ = renderer.render(
        frameCount: 64,
        midi: [[], cycle < 60 ? bytes.map { TimedMIDI(frame: frame, bytes: $0) } : []])
      sent += renderer.midiOutput(ofUnit: 1).map(\.bytes)
    }
    #expect(sent == expected)
    #expect(graph.nodes[1].unit.switches.value(of: .earlyEvents) == 60 * 5 - 256)
    #expect(graph.nodes[1].unit.switches.value(of: .droppedEvents) == 0)
  }

  @Test func systemExclusiveMessagesWaitInOrderWithTheRest() throws {
    let graph = Graph()
    try graph.add(LateUnit(500), id: "late")
    try graph.add(ProbeUnit(.passesMIDI), id: "voice")
    try graph.connect(0, 1)
    let renderer = OfflineRenderer(try graph.compile())
    var random = SeededRandom(seed: 4)
    var sent: [TimedMIDI] = []
    var expected: [TimedMIDI] = []
    for cycle in 0..<300 {
      var now: [TimedMIDI] = []
      if cycle < 280, Int.random(in: 0..<3, using: &random) == 0 {
        let length = Int.random(in: 1...90, using: &random)
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...127, using: &random) }
        now.append(TimedMIDI(frame: FrameTime(cycle * 64 + 3), bytes: [0xF0] + bytes + [0xF7]))
        now.append(TimedMIDI(frame: FrameTime(cycle * 64 + 3), bytes: [0x80, 60, 64]))
      }
      _ = renderer.render(frameCount: 64, midi: [[], now])
      expected += now.map { TimedMIDI(frame: $0.frame + 500, bytes: $0.bytes) }
      sent += renderer.midiOutput(ofUnit: 1)
    }
    #expect(sent == expected && expected.count > 100)
  }

  // MARK: Changes while it plays

  private static func sine(_ frame: Int) -> Float {
    frame < 0 ? 0 : 0.5 * Float(sin(Double(frame) * 0.02))
  }

  /// The late unit only receives silence, so that only the path delayed for it is heard.
  private func waiting(for late: LateUnit) throws -> Graph {
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "source")
    try graph.add(late, id: "late")
    try graph.add(ProbeUnit(), id: "sum")
    try graph.connect(0, 2)
    try graph.connect(1, 2)
    return graph
  }

  @Test(arguments: [16, 100, 1024])
  func latencyThatChangesWhileItPlaysMakesNoStep(period: Int) throws {
    let late = try LateUnit(0)
    let graph = try waiting(for: late)
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 512))
    var output: [Float] = []
    let render = {
      let input = (output.count..<output.count + period).map(Self.sine)
      output += renderer.render(frameCount: period, input: [input])[0]
    }
    for latency in [0, 100, 3_000, 20, 12_000, 0, 700] {
      late.lateBy = latency
      try renderer.follow(graph, render)
      let end = output.count + 14_000
      while output.count < end { render() }
      for frame in output.count - 1_000..<output.count {
        #expect(output[frame] == Self.sine(frame - latency))
      }
    }
    // The slope of the sine, and the slopes of a crossfade.
    let steps = zip(output, output.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max()! <= 0.5 * 0.02 + 2 * 0.5 / 128)
  }

  @Test func aPathBesideALateOneFadesIn() throws {
    let late = try LateUnit(1_000)
    let graph = try waiting(for: late)
    let apart = Graph(following: graph)
    for node in graph.nodes { try apart.keep(node) }
    try apart.connect(1, 2)
    let renderer = OfflineRenderer(try apart.compile())
    var output: [Float] = []
    let render = {
      let ones = [Float](repeating: 1, count: 64)
      output += renderer.render(frameCount: 64, input: [ones]).last!
    }
    for _ in 0..<10 { render() }
    let start = output.count
    try renderer.follow(graph, render)
    while output.count < start + 3_000 { render() }
    let expected = (0..<3_000).map { Float(min(max($0 - 999, 0), 128)) / 128 }
    #expect(Array(output[start..<start + 3_000]) == expected)
  }

  /// A silent late unit is added in parallel, so the path of the source gets a delay.
  @Test(arguments: [1, 127, 500, 9_000])
  func aNeighbourKeepsItsLevelWhilePathsAreRealigned(latency: Int) throws {
    let graph = Graph()
    try graph.add(ProbeUnit(), id: "source")
    try graph.add(ProbeUnit(), id: "sum")
    try graph.connect(0, 1)
    let renderer = OfflineRenderer(try graph.compile())
    var output: [Float] = []
    let render = {
      let zeros = [Float](repeating: 0, count: 100)
      let inputs = renderer.graph.ports.audioInputs.map {
        $0.unitID == "source" ? [Float](repeating: 1, count: 100) : zeros
      }
      output += renderer.render(frameCount: 100, input: inputs)[0]
    }
    for _ in 0..<10 { render() }
    let next = Graph(following: graph)
    for node in graph.nodes { try next.keep(node) }
    try next.add(LateUnit(latency), id: "late")
    try next.connect(0, 1)
    try next.connect(2, 1)
    try renderer.follow(next, render)
    for _ in 0..<10 { render() }
    #expect(output.allSatisfy { abs($0 - 1) < 1e-6 })
  }

  /// Covers the events of a port and of a connection.
  @Test func eventsAreNotLostWhenTheirDelayChanges() throws {
    let late = try LateUnit(2_000)
    let graph = Graph()
    try graph.add(late, id: "late")
    try graph.add(ProbeUnit(.passesMIDI), id: "keys")
    try graph.add(ProbeUnit(.passesMIDI), id: "voice")
    try graph.connect(0, 2)
    try graph.connectMIDI(from: 1, to: 2)
    try graph.exposeMIDIInput(2)
    let renderer = OfflineRenderer(try graph.compile())
    var sent: [[UInt8]] = []
    var cycle = 0
    let render = {
      let frame = FrameTime(cycle * 64)
      let number = UInt8(cycle % 128)
      _ = renderer.render(
        frameCount: 64,
        midi: [
          [], [TimedMIDI(frame: frame, bytes: [0x90, number, 1])],
          [TimedMIDI(frame: frame + 9, bytes: [0x91, number, 1])],
        ])
      sent += renderer.midiOutput(ofUnit: 2).map(\.bytes)
      cycle += 1
    }
    for latency in [2_000, 500, 6_000, 0, 900] {
      late.lateBy = latency
      try renderer.follow(graph, render)
      for _ in 0..<50 { render() }
    }
    let count = cycle
    for _ in 0..<20 { render() }
    for channel in 0...1 as ClosedRange<UInt8> {
      let numbers = sent.filter { $0[0] == 0x90 | channel }.map { Int($0[1]) }
      #expect(Array(numbers.prefix(count)) == (0..<count).map { $0 % 128 })
    }
  }

  @Test func aLatencyThatNobodyCanCompensateIsRefused() throws {
    for frames in [-1, 1 << 21] {
      #expect(throws: GraphError.self) { try parallel(LateUnit(frames)).compile() }
    }
  }

  @Test func delayedNotesDoNotBeginAfterAReset() throws {
    let graph = Graph()
    try graph.add(LateUnit(500), id: "late")
    try graph.add(ProbeUnit(.passesMIDI), id: "voice")
    try graph.connect(0, 1)
    let renderer = OfflineRenderer(try graph.compile())
    let messages: [[UInt8]] = [[0x90, 60, 1], [0x80, 60, 0], [0xB0, 7, 9]]
    _ = renderer.render(
      frameCount: 64, midi: [[], messages.map { TimedMIDI(frame: 10, bytes: $0) }])
    graph.nodes[1].unit.reset()
    var sent: [[UInt8]] = []
    for _ in 0..<20 {
      _ = renderer.render(frameCount: 64)
      sent += renderer.midiOutput(ofUnit: 1).map(\.bytes)
    }
    #expect(sent == Array(messages.dropFirst()))
  }

  @Test func portsTellHowLateTheyAre() throws {
    let graph = Graph()
    try graph.add(LateUnit(300), id: "first")
    try graph.add(ProbeUnit(), id: "dry")
    try graph.add(LateUnit(50), id: "second")
    try graph.connect(0, 2)
    try graph.connect(1, 2)
    try graph.exposeOutput(GraphBus(unit: 1, bus: 0))
    let latencies = try graph.compile().portLatencies()
    let outputs = ["dry_out_1", "second_out_1", "first_midi_out", "second_midi_out"]
    #expect(latencies.map(\.output) == outputs)
    #expect(latencies.map(\.frames) == [0, 350, 300, 350])
    #expect(latencies[0].inputs == ["dry_in_1", "dry_midi_in"])
    #expect(
      latencies[1].inputs == [
        "first_in_1", "first_midi_in", "dry_in_1", "dry_midi_in", "second_midi_in",
      ])
  }
}
