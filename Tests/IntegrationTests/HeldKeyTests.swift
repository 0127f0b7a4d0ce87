// Notes begun at a MIDI port are released, however their source or the session ends.

import CRealtime
import CTestSupport
import Foundation
import MIDIEffectUnit
import TestSupport
import Testing

@Suite(.serialized) struct HeldKeyTests {
  private static let through = """
    [[unit]]
    id = "keys"
    component = "midi"
    """

  /// Chords on two channels, a key struck twice, pedals, and notes with a note-off and All Notes
  /// Off.
  private static let playing: [TimedMIDI] = [
    [0x90, 60, 100], [0x90, 64, 100], [0x90, 64, 100], [0x9F, 0, 1], [0x9F, 127, 127],
    [0xB0, 64, 127], [0xB2, 66, 127], [0xB3, 65, 127], [0x90, 67, 100], [0x80, 67, 0],
    [0x94, 50, 100], [0xB4, 123, 0],
  ].map { TimedMIDI(frame: 1000, bytes: $0) }

  private static let ends: Set<[UInt8]> = [
    [0x80, 60, 64], [0x80, 64, 64], [0x8F, 0, 64], [0x8F, 127, 64], [0xB0, 64, 0], [0xB2, 66, 0],
  ]

  /// Plays through the effect, acts on it or on the player, and returns the messages that the
  /// recorder received after the played ones.
  private func heard(
    _ playing: [TimedMIDI] = Self.playing,
    while action: (RunningAuricle, inout JackTestClient?) async throws -> Void
  ) async throws -> [[UInt8]] {
    let server = try await JackServer.start(period: 256)
    let auricle = try await RunningAuricle(Self.through, on: server)
    var player: JackTestClient? = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", midiInputs: 1)
    try await recorder.connect("player:midi_out_1", to: "auricle:keys_midi_in")
    try await recorder.connect("auricle:keys_midi_out", to: "recorder:midi_in_1")
    player!.script.midi = playing
    let take = try await JackTestClient.run([recorder], frames: 240_000) {
      _ = try await player!.run(frames: 4_000)
      try await action(auricle, &player)
    }[0]
    let messages = take.midi.map(\.bytes)
    #expect(Array(messages.prefix(playing.count)) == playing.map(\.bytes))
    if auricle.child.isRunning { _ = try await auricle.end() }
    return Array(messages.dropFirst(playing.count))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func heldNotesEndWithTheSession(signal: Int32) async throws {
    let ends = try await heard { auricle, _ in
      let status = try await auricle.end(with: signal)
      #expect(status == .exited(0), "\(auricle.child.transcript)")
    }
    #expect(Set(ends) == Self.ends)
    // A key struck twice is released twice, for receivers that count.
    #expect(ends.count == Self.ends.count + 1)
  }

  @Test func heldNotesEndWhenTheirSourceIsDisconnected() async throws {
    let ends = try await heard { _, player in
      try await player!.disconnect("player:midi_out_1", from: "auricle:keys_midi_in")
    }
    #expect(Set(ends) == Self.ends)
  }

  @Test func heldNotesEndWhenTheirSourceLeaves() async throws {
    let ends = try await heard { _, player in player = nil }
    #expect(Set(ends) == Self.ends)
  }

  @Test func endedNotesAreNotEndedAgain() async throws {
    let playing =
      Self.playing
      + [0x80, 0x81, 0x8F].flatMap { status in
        [[status, 60, 0], [status, 64, 0], [status, 64, 0], [status, 0, 0], [status, 127, 0]]
          .map { TimedMIDI(frame: 2000, bytes: $0) }
      } + [[0xB0, 64, 0], [0xB2, 121, 0]].map { TimedMIDI(frame: 2000, bytes: $0) }
    let ends = try await heard(playing) { auricle, _ in _ = try await auricle.end() }
    #expect(ends == [])
  }

  @Test func aServerThatIsGoneDoesNotHoldUpTheEnd() async throws {
    let server = try await JackServer.start(period: 256)
    let rig = try BackendRig(try MIDIEffectUnit(), id: "keys", on: server)
    try await server.stop()
    let begin = ContinuousClock.now
    rig.backend.stop()
    // Half a second for the last cycle, which never starts, and two for the last notification.
    #expect(ContinuousClock.now - begin < .seconds(10))
  }

  @Test(
    .enabled(if: realtimeSanitizerIsLinked() == 0, "libjack logs what it loses, with a lock"))
  func eventsThatJACKLosesAreReportedOnce() async throws {
    let server = try await JackServer.start(period: 1024)
    let auricle = try await RunningAuricle(Self.through, on: server)
    let players = try ["one", "two"].map { try JackTestClient(server, $0, midiOutputs: 1) }
    for player in players {
      try await player.connect("\(player.name):midi_out_1", to: "auricle:keys_midi_in")
      player.script.midi = (0..<10).flatMap { cycle in
        (0..<2000).map {
          TimedMIDI(frame: cycle * 1024 + $0 / 2, bytes: [0xB0, 20, UInt8($0 & 127)])
        }
      }
    }
    _ = try await JackTestClient.run(players, frames: 120_000)
    try await auricle.expectEnd()
    let lines = auricle.child.standardError.split(separator: "\n").filter { $0.contains("lost") }
    #expect(lines.count == 1, "\(auricle.child.standardError)")
    #expect(lines.first?.contains("keys_midi_in: MIDI events lost") == true)
  }
}
