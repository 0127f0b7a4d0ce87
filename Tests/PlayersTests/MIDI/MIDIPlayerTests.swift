// A MIDI file as a unit: each message on its frame, at any period.

import Graph
import MediaFiles
import OfflineBackend
import Players
import Realtime
import TestSupport
import Testing
import UnitModel

/// The renderers' type: `TestSupport` has another type of this name.
private typealias TimedMIDI = OfflineBackend.TimedMIDI

@Suite struct MIDIPlayerTests {
  private let player: MIDIPlayerUnit

  init() throws { player = try MIDIPlayerUnit() }

  /// Returns a file of messages on frames of 48 kHz.
  private func file(_ messages: [TimedMIDI], endFrame: Int = 0) throws -> MIDIFile {
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    for message in messages {
      file.add(
        message.bytes[0] == 0xF0 ? .systemExclusive(message.bytes) : .message(message.bytes),
        at: Int(message.frame))
    }
    return try MIDIFile(bytes: file.bytes(endTick: endFrame), file: "song.mid")
  }

  private func compile(
    sampleRate: Double = 48_000, events: Int = 4096
  ) throws -> CompiledGraph {
    let graph = Graph()
    try graph.add(player, id: "player")
    return try graph.compile(
      CompileOptions(
        sampleRate: sampleRate, maximumFrames: 256, midiEventsPerPort: events, isOffline: true))
  }

  /// Returns the messages sent while `frames` frames are rendered.
  private func render(
    _ renderer: OfflineRenderer, _ frames: Int, period: Int = 1024
  ) -> [TimedMIDI] {
    var sent: [TimedMIDI] = []
    let end = renderer.frame + FrameTime(frames)
    while renderer.frame < end {
      _ = renderer.render(frameCount: min(period, Int(end - renderer.frame)))
      sent += renderer.midiOutput(ofUnit: 0)
    }
    return sent
  }

  private func moved(_ messages: [TimedMIDI], by frames: Int) -> [TimedMIDI] {
    messages.map { TimedMIDI(frame: $0.frame + FrameTime(frames), bytes: $0.bytes) }
  }

  /// Returns messages of all kinds, in order; every note has its end.
  private func piece() -> [TimedMIDI] {
    var random = SeededRandom(seed: 9)
    var messages: [TimedMIDI] = []
    for index in 0..<300 {
      let frame = FrameTime.random(in: 0..<20_000, using: &random)
      let key = UInt8.random(in: 0..<128, using: &random)
      switch index % 4 {
      case 0:
        messages.append(TimedMIDI(frame: frame, bytes: [0x93, UInt8(index % 128), 9]))
        messages.append(TimedMIDI(frame: frame + 400, bytes: [0x83, UInt8(index % 128), 9]))
      case 1: messages.append(TimedMIDI(frame: frame, bytes: [0xB0, 7, key]))
      case 2: messages.append(TimedMIDI(frame: frame, bytes: [0xC1, key]))
      default: messages.append(TimedMIDI(frame: frame, bytes: [0xF0, key, 1, 2, 3, 0xF7]))
      }
    }
    return messages.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }

  @Test(arguments: [16, 100, 256, 1024, 8192])
  func everyMessageLeavesOnItsFrameAtAnyPeriod(period: Int) throws {
    let messages = piece()
    let song = try file(messages)
    let renderer = OfflineRenderer(try compile())
    #expect(render(renderer, 500, period: period).isEmpty, "it waits until it is asked to play")
    try player.play(song, afterSeconds: 0.01)
    let sent = render(renderer, 24_000, period: period)
    #expect(firstDifference(sent, moved(messages, by: 500 + 480)) == nil)
    #expect(player.positionSeconds == Double(24_000 - 480) / 48_000)
  }

  @Test func excessMessagesContinueInTheNextCycleInOrder() throws {
    let flood = (0..<5_000).map { TimedMIDI(frame: 10, bytes: [0xB0, 7, UInt8($0 % 128)]) }
    let song = try file(flood)
    // Room for the events of a port and those that the control side may schedule.
    let renderer = OfflineRenderer(try compile(events: 1_000))
    try player.play(song)
    let sent = render(renderer, 10_240)
    #expect(sent.map(\.bytes) == flood.map(\.bytes))
    let onTime = sent.count { $0.frame == 10 }
    #expect((1_000..<5_000).contains(onTime))
    #expect(player.lateMessages == 5_000 - onTime && player.lostMessages == 0)
  }

  @Test func aMessageThatNoCycleTakesIsLeftOutAndCounted() throws {
    let long = [0xF0] + [UInt8](repeating: 1, count: 300_000) + [0xF7]
    let notes: [TimedMIDI] = [
      TimedMIDI(frame: 5, bytes: [0x90, 60, 1]), TimedMIDI(frame: 9, bytes: [0x80, 60, 64]),
    ]
    let song = try file([notes[0], TimedMIDI(frame: 6, bytes: long), notes[1]])
    let renderer = OfflineRenderer(try compile())
    try player.play(song)
    #expect(render(renderer, 10_240).map(\.bytes) == notes.map(\.bytes))
    #expect(player.lostMessages == 1)
  }

  @Test func notesHeldAtTheEndOfTheFileEndThere() throws {
    let held: [TimedMIDI] = [
      TimedMIDI(frame: 5, bytes: [0x92, 60, 1]), TimedMIDI(frame: 6, bytes: [0xB2, 64, 127]),
    ]
    let song = try file(held, endFrame: 3_000)
    let renderer = OfflineRenderer(try compile())
    try player.play(song)
    let ends: [TimedMIDI] = [
      TimedMIDI(frame: 3_000, bytes: [0x82, 60, 64]),
      TimedMIDI(frame: 3_000, bytes: [0xB2, 64, 0]),
    ]
    #expect(render(renderer, 10_240) == held + ends)
  }

  @Test func anEarlyEndEndsHeldNotesAndSendsNothingMore() throws {
    let song = try file([
      TimedMIDI(frame: 5, bytes: [0x90, 60, 1]), TimedMIDI(frame: 4_000, bytes: [0x90, 62, 1]),
    ])
    let renderer = OfflineRenderer(try compile())
    try player.play(song)
    #expect(render(renderer, 1_024).count == 1)
    #expect(!player.isIdle)
    player.end()
    #expect(render(renderer, 8_192) == [TimedMIDI(frame: 1_024, bytes: [0x80, 60, 64])])
    #expect(player.isIdle)
  }

  @Test func bypassedItStandsStillAndHoldsNothing() throws {
    let song = try file([
      TimedMIDI(frame: 5, bytes: [0x90, 60, 1]), TimedMIDI(frame: 2_000, bytes: [0x90, 62, 1]),
      TimedMIDI(frame: 2_100, bytes: [0x80, 62, 64]),
    ])
    let renderer = OfflineRenderer(try compile())
    try player.play(song)
    #expect(render(renderer, 1_024).count == 1)
    player.shouldBypassEffect = true
    #expect(render(renderer, 4_096) == [TimedMIDI(frame: 1_024, bytes: [0x80, 60, 64])])
    player.shouldBypassEffect = false
    #expect(
      render(renderer, 2_048) == [
        TimedMIDI(frame: 4_096 + 2_000, bytes: [0x90, 62, 1]),
        TimedMIDI(frame: 4_096 + 2_100, bytes: [0x80, 62, 64]),
      ])
  }

  /// The unit is allocated again at another sample rate, as for another server.
  @Test func aNewAllocationContinuesAtThePosition() throws {
    let messages: [TimedMIDI] = [
      TimedMIDI(frame: 0, bytes: [0xC0, 5]), TimedMIDI(frame: 10, bytes: [0x90, 60, 1]),
      TimedMIDI(frame: 4_000, bytes: [0x80, 60, 64]),
      TimedMIDI(frame: 9_600, bytes: [0x90, 62, 1]),
      TimedMIDI(frame: 9_700, bytes: [0x80, 62, 64]),
    ]
    let song = try file(messages)
    var first: CompiledGraph? = try compile()
    try player.play(song)
    do {
      let renderer = OfflineRenderer(try #require(first))
      first = nil
      #expect(render(renderer, 4_800).count == 3)
    }
    let renderer = OfflineRenderer(try compile(sampleRate: 96_000))
    #expect(player.positionSeconds == 0.1)
    #expect(
      render(renderer, 19_200) == [
        TimedMIDI(frame: 0, bytes: [0xC0, 5]),
        TimedMIDI(frame: 2 * (9_600 - 4_800), bytes: [0x90, 62, 1]),
        TimedMIDI(frame: 2 * (9_700 - 4_800), bytes: [0x80, 62, 64]),
      ])
  }

  /// Returns messages that end a held note and release its pedal.
  private func note(_ key: UInt8, from start: FrameTime, to end: FrameTime) -> [TimedMIDI] {
    [
      TimedMIDI(frame: start, bytes: [0x90, key, 1]),
      TimedMIDI(frame: end, bytes: [0x80, key, 64]),
    ]
  }

  @Test(arguments: [16, 100, 256, 1024, 8192])
  func aLoopBeginsAnewOnTheFrameOfItsEnd(period: Int) throws {
    let piece = [TimedMIDI(frame: 0, bytes: [0xC0, 5])] + note(60, from: 10, to: 2_000)
    let held = TimedMIDI(frame: 4_990, bytes: [0x90, 70, 1])
    let release = TimedMIDI(frame: 5_000, bytes: [0x80, 70, 64])
    let pass = piece + [held, release]
    try player.play(file(piece + [held], endFrame: 5_000), loops: true)
    let renderer = OfflineRenderer(try compile())
    let sent = render(renderer, 25_000, period: period)
    let wanted = (0..<5).flatMap { moved(pass, by: 5_000 * $0) }.filter { $0.frame < 25_000 }
    #expect(firstDifference(sent, wanted) == nil)
    #expect(player.positionSeconds == Double(5_000) / 48_000)
  }

  @Test func aLoopOfAFewFramesHasOnePassACycle() throws {
    try player.play(file(note(60, from: 0, to: 5), endFrame: 10), loops: true)
    let sent = render(OfflineRenderer(try compile()), 100 * 256, period: 256)
    #expect((2 * 99...2 * 101).contains(sent.count), "\(sent.count)")
  }

  @Test func aLoopThatResumesInItsMiddleIsWholeAfterwards() throws {
    let piece = [TimedMIDI(frame: 0, bytes: [0xC0, 5])] + note(60, from: 10, to: 2_000)
    let song = try file(piece, endFrame: 5_000)
    try player.play(song, loops: true)
    do {
      let renderer = OfflineRenderer(try compile())
      #expect(render(renderer, 1_024).count == 2)
    }
    let renderer = OfflineRenderer(try compile())
    let wanted =
      [
        TimedMIDI(frame: 0, bytes: [0xC0, 5]), TimedMIDI(frame: 976, bytes: [0x80, 60, 64]),
      ] + moved(piece, by: 5_000 - 1_024) + moved(piece, by: 10_000 - 1_024)
    #expect(firstDifference(render(renderer, 13_000 - 1_024, period: 256), wanted) == nil)
  }

  @Test func aFileThatFollowsAnotherBeginsWithAReset() throws {
    let renderer = OfflineRenderer(try compile())
    try player.play(file(note(60, from: 10, to: 20)))
    #expect(throws: PlaybackError.self) { try player.play(file([])) }
    #expect(render(renderer, 1_024).count == 2)
    player.end()
    #expect(render(renderer, 1_024).isEmpty && player.isIdle)
    let second = note(62, from: 0, to: 20)
    try player.play(file(second), afterSeconds: 0.01, isFollowing: true)
    let reset = TimedMIDI(frame: 2_048, bytes: [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7])
    #expect(render(renderer, 4_096) == [reset] + moved(second, by: 2_048 + 480))
  }
}
