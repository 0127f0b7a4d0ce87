// MIDI into, between and out of the units of a graph: on its frame, in order, and complete.

import Graph
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct MIDITests {
  /// A unit that plays notes as offsets, fed by a unit in the mode `first`.
  private func chain(_ first: ProbeKernel.Mode) throws -> (Graph, CompiledGraph) {
    let graph = Graph()
    let sender = try graph.add(ProbeUnit(first, inputs: [], outputs: []), id: "sender")
    let player = try graph.add(ProbeUnit(inputs: [], outputs: [1]), id: "player")
    try graph.connectMIDI(from: sender, to: player)
    return (graph, try graph.compile(maximumFrames: 256))
  }

  @Test(arguments: Periods.withSlices)
  func messagesOfAUnitPlayTheNextOnTheirFrame(periods: Periods) throws {
    let (graph, compiled) = try chain(.sendsNotes)
    let output = OfflineRenderer(compiled).run(frames: 20_000, periods: periods)[0]
    #expect(firstDifference(output, (0..<20_000).map { Float($0 / 100 % 128) }) == nil)
    for node in graph.nodes { #expect(node.unit.switches.value(of: .droppedEvents) == 0) }
  }

  @Test(arguments: Periods.withSlices)
  func messagesSentAheadArriveOnceAndInOrder(periods: Periods) throws {
    let graph = Graph()
    let modes: [ProbeKernel.Mode] = [.sendsNotesAhead, .passesMIDI]
    for mode in modes { try graph.add(ProbeUnit(mode, inputs: [], outputs: []), id: "\(mode)") }
    try graph.connectMIDI(from: 0, to: 1)
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 256))
    var keys: [Int] = []
    for length in periods.lengths(frames: 20_000) {
      let cycle = renderer.frame..<(renderer.frame + FrameTime(length))
      _ = renderer.render(frameCount: length)
      let sent = renderer.midiOutput(ofUnit: 1)
      keys += sent.map { Int($0.bytes[1]) }
      // On their frame if it is in the cycle, otherwise on the cycle's last frame.
      #expect(sent.allSatisfy { $0.frame % 100 == 0 || $0.frame == cycle.upperBound - 1 })
    }
    let sent = keys.indices.map { $0 % 128 }
    #expect(keys == sent)
    #expect(keys.count >= 200)
  }

  @Test func aNoteSentAheadWithinALongCycleKeepsItsFrame() throws {
    // Slices of 256 frames in a cycle of 8192: notes sent ahead of a slice are still in the cycle.
    let (_, compiled) = try chain(.sendsNotesAhead)
    let renderer = OfflineRenderer(compiled)
    let output = renderer.render(frameCount: 8192)[0]
    #expect(firstDifference(Array(output[..<8191]), (0..<8191).map { Float($0 / 100) }) == nil)
    #expect(renderer.midiOutput(ofUnit: 0).count == 83)
  }

  @Test(arguments: Periods.withSlices)
  func aPortsMIDIPassesThroughAUnitInOrder(periods: Periods) throws {
    var random = SeededRandom(seed: 3)
    let (_, compiled) = try chain(.passesMIDI)
    #expect(compiled.ports.midiInputs.map(\.name) == ["sender_midi_in"])
    let notes = (0..<400).map { _ in
      TimedMIDI(
        frame: FrameTime.random(in: 0..<20_000, using: &random),
        bytes: [0x90, UInt8.random(in: 0..<128, using: &random), 1])
    }.sorted { $0.frame < $1.frame }
    var expected = [Float](repeating: 0, count: 20_000)
    for note in notes {
      for frame in Int(note.frame)..<20_000 { expected[frame] = Float(note.bytes[1]) }
    }
    let renderer = OfflineRenderer(compiled)
    let output = renderer.run(frames: 20_000, periods: periods, midi: [notes])[0]
    #expect(firstDifference(output, expected) == nil)
    #expect(renderer.refusedMIDI == 0)
  }

  @Test func systemExclusivePassesFromUnitToUnitWhole() throws {
    let graph = Graph()
    for index in 0..<3 {
      try graph.add(ProbeUnit(.passesMIDI, inputs: [], outputs: []), id: "u\(index)")
    }
    try graph.connectMIDI(from: 0, to: 1)
    try graph.connectMIDI(from: 1, to: 2)
    let renderer = OfflineRenderer(try graph.compile(maximumFrames: 64))
    let messages = [
      TimedMIDI(frame: 3, bytes: [0xF0] + (0..<500).map { UInt8($0 % 128) } + [0xF7]),
      TimedMIDI(frame: 3, bytes: [0x90, 60, 1]),
      TimedMIDI(frame: 77, bytes: [0xF0, 0x7E, 0xF7]),
      TimedMIDI(frame: 99, bytes: [0xF8]),
    ]
    _ = renderer.render(frameCount: 100, midi: [messages])
    #expect(renderer.midiOutput(ofUnit: 2) == messages)
    _ = renderer.render(frameCount: 100)
    #expect(renderer.midiOutput(ofUnit: 2) == [])
  }

  @Test func severalFullPortsFindRoomInOneUnit() throws {
    let graph = Graph()
    let player = try graph.add(ProbeUnit(.passesMIDI, inputs: [], outputs: [1]), id: "player")
    for index in 0..<4 {
      let sender = try graph.add(ProbeUnit(.passesMIDI, inputs: [], outputs: []), id: "s\(index)")
      try graph.connectMIDI(from: sender, to: player)
    }
    try graph.exposeMIDIInput(player)
    let renderer = OfflineRenderer(try graph.compile())
    // The limit that `midiEventsPerPort` sets, on each of five ports.
    let full = (0..<256).map { TimedMIDI(frame: FrameTime($0), bytes: [0x90, 1, 1]) }
    _ = renderer.render(frameCount: 256, midi: Array(repeating: full, count: 5))
    #expect(renderer.midiOutput(ofUnit: player).count == 1280)
    #expect(renderer.refusedMIDI == 0)
    for node in graph.nodes { #expect(node.unit.switches.value(of: .droppedEvents) == 0) }
  }

  @Test func everyScheduledSystemExclusiveThatWasTakenArrivesBesideAFullPort() throws {
    let graph = Graph()
    let unit = try ProbeUnit(
      .passesMIDI, inputs: [], outputs: [1], systemExclusiveCapacity: 60_000)
    try graph.add(unit, id: "u")
    let renderer = OfflineRenderer(
      try graph.compile(CompileOptions(sampleRate: 48_000, midiBytesPerPort: 4096)))
    try unit.scheduleMIDI([0xF0] + [UInt8](repeating: 1, count: 59_998) + [0xF7], at: .frame(1))
    let played = [0xF0] + [UInt8](repeating: 2, count: 4094) + [0xF7]
    let list = renderer.graph.schedule.unit(0).events
    _ = renderer.render(frameCount: 16, midi: [[TimedMIDI(frame: 0, bytes: played)]])
    #expect(renderer.refusedMIDI == 0)
    // The unit's list had both messages; messages that the unit sends are not counted here.
    #expect(list.count == 2)
  }

  @Test func messagesWithoutRoomAreCounted() throws {
    let (_, compiled) = try chain(.passesMIDI)
    let renderer = OfflineRenderer(compiled)
    // The port's events, and the room for control-side events with and without a frame.
    let room = 256 + 2 * 1024
    let notes = (0..<room + 7).map { _ in TimedMIDI(frame: 0, bytes: [0x90, 1, 1]) }
    _ = renderer.render(frameCount: 16, midi: [notes])
    #expect(renderer.refusedMIDI == 7)
    _ = renderer.render(
      frameCount: 16,
      midi: [
        [
          TimedMIDI(frame: 3, bytes: [0x90, 2, 1]), TimedMIDI(frame: 20, bytes: [0x90]),
          TimedMIDI(frame: 21, bytes: []), TimedMIDI(frame: 32, bytes: [0x90, 3, 1]),
        ]
      ])
    #expect(renderer.refusedMIDI == 10)
    // A message from before the period takes effect on its first frame.
    #expect(
      renderer.midiOutput(ofUnit: 0) == [TimedMIDI(frame: 16, bytes: [0x90, 2, 1])])
  }
}
