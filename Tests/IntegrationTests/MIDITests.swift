// MIDI through JACK: every message, on its own frame, in order.

import JackBackend
import TestSupport
import Testing
import UnitRender

@Suite(.serialized) struct MIDITests {
  /// Recordings of a player with `ports` sources: `direct` only through JACK, `through` by way of a
  /// marker unit, with the unit's audio.
  private struct Passage {
    let audio: [[Float]]
    let through: [TimedMIDI]
    let direct: [TimedMIDI]
    let refusedByJack: Int
    let statistics: JackStatistics
    let droppedByUnit: Int
  }

  private func pass(
    _ midi: [TimedMIDI], ports: Int = 1, period: Int, frames: Int
  ) async throws -> Passage {
    let server = try await JackServer.start(period: period)
    let unit = try MarkerUnit()
    let rig = try BackendRig(unit, id: "marker", on: server)
    let player = try JackTestClient(server, "player", midiOutputs: ports)
    let recorder = try JackTestClient(
      server, "recorder", audioInputs: 2, midiInputs: 2, capacityEvents: 400_000)
    for port in 1...ports {
      try await player.connect("player:midi_out_\(port)", to: "auricle:marker_midi_in")
      try await player.connect("player:midi_out_\(port)", to: "recorder:midi_in_2")
    }
    try await player.connect("auricle:marker_midi_out", to: "recorder:midi_in_1")
    for channel in 1...2 {
      try await player.connect(
        "auricle:marker_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    player.script.midi = midi
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: frames)
    try await player.setFreewheel(false)
    #expect(takes[1].isComplete && takes[1].startsInCycle == 0)
    #expect(takes[0].missedFrames == 0 && takes[0].lateEvents == 0)
    return Passage(
      audio: takes[1].audio, through: takes[1].midi.filter { $0.port == 0 },
      direct: takes[1].midi.filter { $0.port == 1 }.map {
        TimedMIDI(frame: $0.frame, bytes: $0.bytes)
      }, refusedByJack: takes[0].refusedEvents, statistics: rig.backend.statistics,
      droppedByUnit: unit.switches.value(of: .droppedEvents))
  }

  /// The marker's expected outputs for these messages.
  private func expectation(_ midi: [TimedMIDI], frames: Int) -> [[Float]] {
    var codes = [Float](repeating: 0, count: frames)
    var counts = codes
    for message in midi {
      codes[message.frame] = MarkerUnit.code(message.bytes)
      counts[message.frame] += 1
    }
    return [codes, counts]
  }

  private func expectExact(_ passage: Passage, _ expected: [TimedMIDI], frames: Int) {
    #expect(firstDifference(passage.through, expected) == nil)
    let audio = expectation(expected, frames: frames)
    #expect(firstDifference(passage.audio[0], audio[0]) == nil)
    #expect(firstDifference(passage.audio[1], audio[1]) == nil)
    #expect(passage.statistics.midiInputRefused == 0)
    #expect(passage.statistics.midiOutputRefused == 0)
    #expect(passage.droppedByUnit == 0)
  }

  private func message(_ random: inout SeededRandom) -> [UInt8] {
    let data = random.bytes(2).map { $0 & 0x7F }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: return [0x90 | UInt8.random(in: 0..<16, using: &random)] + data
    case 3: return [0x80 | UInt8.random(in: 0..<16, using: &random)] + data
    case 4..<6: return [0xB0 | UInt8.random(in: 0..<16, using: &random)] + data
    case 6: return [0xE0] + data
    case 7: return [0xC3, data[0]]
    case 8: return [[0xF8, 0xFA, 0xFC, 0xFE][Int(data[0] & 3)]]
    default:
      return [0xF0] + random.bytes(Int.random(in: 0..<300, using: &random)).map { $0 & 0x7F }
        + [0xF7]
    }
  }

  @Test(arguments: [16, 100, 256, 1024, 2048])
  func everyMessageShowsExactlyAtItsFrame(period: Int) async throws {
    var random = SeededRandom(seed: UInt64(period))
    let frames = 20_003
    let midi = (0..<600)
      .map { _ in
        TimedMIDI(frame: Int.random(in: 0..<frames, using: &random), bytes: message(&random))
      }
      .sorted { $0.frame < $1.frame }
    let passage = try await pass(midi, period: period, frames: frames)
    expectExact(passage, midi, frames: frames)
    #expect(passage.statistics.malformedMIDI == 0)
  }

  @Test func severalSourcesMergeInOrder() async throws {
    var random = SeededRandom(seed: 5)
    let frames = 10_000
    let midi = (0..<900).map { index in
      TimedMIDI(
        frame: Int.random(in: 0..<frames / 20, using: &random) * 20,
        bytes: [0x90 | UInt8(index % 3), UInt8(index & 0x7F), UInt8(index >> 7)], port: index % 3)
    }
    let passage = try await pass(midi, ports: 3, period: 256, frames: frames)
    expectExact(passage, passage.direct, frames: frames)
    #expect(passage.through.count == midi.count)
    for port in 0..<3 {
      let sent = midi.enumerated().filter { $1.port == port }
        .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      let received = passage.through.filter { $0.bytes[0] & 0x0F == UInt8(port) }
      #expect(
        firstDifference(
          received, sent.map { TimedMIDI(frame: $1.frame, bytes: $1.bytes) }) == nil)
    }
  }

  @Test func aByteStreamInPiecesBecomesWholeMessages() async throws {
    let long = [0xF0] + (0..<20_000).map { UInt8($0 & 0x7F) } + [0xF7]
    let midi: [(Int, [UInt8])] = [
      (0, [0x90, 60, 100, 62, 101]),  // two notes, one status
      (10, [64, 102]),  // running status over events
      (20, [0xF8]),  // a clock leaves it as it is
      (30, [65]), (40, [0xFE, 103]),  // a byte at a time, with a byte in between
      (50, [0xB1, 7]), (60, [0xF8, 99]),
      (70, [0xF0, 1, 2]), (80, [3, 0xF8, 4]), (90, [5, 0xF7]),  // a SysEx in three
      (100, [66, 1]),  // which ended the running status: malformed, two bytes
      (300, long),
      (600, [0x90, 0x91, 60, 61]),  // a broken message, then a whole one
      (700, [0xF4, 0xF5, 0xFD]), (710, [0xF7]),  // nothing of this is MIDI
      (720, [0xC5, 12, 13]),
    ]
    let expected: [(Int, [UInt8])] = [
      (0, [0x90, 60, 100]), (0, [0x90, 62, 101]), (10, [0x90, 64, 102]), (20, [0xF8]),
      (40, [0xFE]), (40, [0x90, 65, 103]), (60, [0xF8]), (60, [0xB1, 7, 99]), (80, [0xF8]),
      (90, [0xF0, 1, 2, 3, 4, 5, 0xF7]), (300, long), (600, [0x91, 60, 61]), (720, [0xC5, 12]),
      (720, [0xC5, 13]),
    ]
    let passage = try await pass(
      midi.map { TimedMIDI(frame: $0, bytes: $1) }, period: 64, frames: 1000)
    expectExact(passage, expected.map { TimedMIDI(frame: $0, bytes: $1) }, frames: 1000)
    // 66, 1, 0xF4, 0xF5, 0xFD, 0xF7; a status byte before another one was no message yet.
    #expect(passage.statistics.malformedMIDI == 6)
  }

  @Test func aFloodLosesNothingThatJackDelivered() async throws {
    var random = SeededRandom(seed: 8)
    // In some periods more than a port's buffer holds.
    let midi = (0..<4).flatMap { (burst: Int) -> [TimedMIDI] in
      (0..<[100, 4000, 10, 3500][burst])
        .map { index in
          TimedMIDI(
            frame: burst * 1024 + Int.random(in: 0..<1024, using: &random),
            bytes: [0x90, UInt8(index & 0x7F), UInt8(index >> 7 & 0x7F)])
        }
        .sorted { $0.frame < $1.frame }
    }
    let passage = try await pass(midi, period: 1024, frames: 5 * 1024)
    #expect(passage.refusedByJack > 0, "the flood fills the buffer")
    #expect(passage.direct.count + passage.refusedByJack == midi.count)
    expectExact(passage, passage.direct, frames: 5 * 1024)
  }

  @Test func aBufferOfSingleBytesLosesNothing() async throws {
    // The most messages that a port can deliver in one period: each byte is one.
    let bytes = [UInt8](repeating: 0xF8, count: 30_000)
    let passage = try await pass(
      [TimedMIDI(frame: 77, bytes: bytes)], period: 256, frames: 1000)
    #expect(passage.direct.count == 1)
    #expect(passage.audio[1][77] == 30_000)
    #expect(passage.statistics.midiInputRefused == 0 && passage.droppedByUnit == 0)
    // At the output each is a separate event, and these do not all fit into one buffer.
    #expect(passage.through.count + passage.statistics.midiOutputRefused == 30_000)
    #expect(passage.statistics.midiOutputRefused > 0)
  }

  @Test func randomStreamsDoNoHarm() async throws {
    var random = SeededRandom(seed: 9)
    let frames = 40_000
    let midi =
      (0..<6000)
      .map { index in
        let stream =
          index % 2 == 0
          ? random.bytes(Int.random(in: 1...24, using: &random))
          : mutate(message(&random), using: &random)
        return TimedMIDI(
          frame: Int.random(in: 0..<frames, using: &random), bytes: stream.isEmpty ? [0] : stream,
          port: index % 4)
      }
      .sorted { $0.frame < $1.frame }
      + [
        // A whole message arrives, whatever precedes it.
        TimedMIDI(frame: frames + 500, bytes: [0x90, 60, 1])
      ]
    let passage = try await pass(midi, ports: 4, period: 512, frames: frames + 1000)
    #expect(passage.through.last == midi.last)
    #expect(passage.audio[0][frames + 500] == MarkerUnit.code([0x90, 60, 1]))
    #expect(passage.statistics.malformedMIDI > 1000)
    #expect(passage.statistics.midiInputRefused == 0 && passage.droppedByUnit == 0)
    // The output has whole messages only.
    for message in passage.through {
      #expect(MIDIMessage.form(of: message.bytes, count: message.bytes.count) != .malformed)
    }
  }
}
