// MIDI effects in a session: before other units, next to their own ports, live and bounced.

import BuiltInUnits
import Configuration
import Foundation
import SessionModel
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@Suite(.serialized) struct MIDIEffectTests {
  private func problem(_ unit: String) async throws -> String {
    let configuration = try SessionConfiguration(
      builtIn: "[[unit]]\nid = \"a\"\n\(unit)\n", file: "test.toml")
    do throws(ConfigurationError) {
      _ = try await SessionBuilder(registry: try! BuiltInComponents.makeRegistry())
        .build(configuration, file: nil)
      return ""
    } catch {
      return error.description
    }
  }

  @Test func stagesAndSoundFontsAreForTheUnitsThatHaveThem() async throws {
    #expect(try await problem("component = \"midi\"\nmidi = [{ stage = \"scale\" }]") == "")
    #expect(try await problem("component = \"aumi/mchn/Aurc\"") == "")
    #expect(
      try await problem("component = \"filter\"\nmidi = [{ stage = \"scale\" }]")
        == "test.toml:4:9: component 'filter' has no 'midi'; accepted: preset, parameters")
    #expect(
      try await problem("component = \"midi\"\nsoundfont = \"a.sf2\"")
        == "test.toml:4:13: component 'midi' has no 'soundfont'; accepted: midi, preset, parameters"
    )
  }

  @Test func theCommandListsTheEffect() async throws {
    let directory = try TemporaryDirectory()
    let (status, list) = try await auricle(
      ["units", "midi"], environment: ["XDG_DATA_HOME": directory.url.path])
    #expect(status == .exited(0))
    for line in ["midi  aumi/mchn/Aurc", "outputs: none", "MIDI: in, out"] {
      #expect(list.standardOutput.contains(line), "\(list.standardOutput)")
    }
  }

  @Test(arguments: [16, 256, 1024])
  func messagesPassTwoEffectsOnTheirFrame(period: Int) async throws {
    let server = try await JackServer.start(period: period)
    let auricle = try await RunningAuricle(
      """
      [client]
      name = "auricle"
      [[unit]]
      id = "up"
      component = "midi"
      midi = [{ stage = "transpose", semitones = 12 }]
      [[unit]]
      id = "merge"
      component = "midi"
      midi = [{ stage = "channel", mode = "merge", merge = 3 }]
      [[connect]]
      from = "up"
      to = "merge"
      [[connect]]
      from = "up"
      to = "later:*"
      """, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", midiInputs: 2)
    #expect(
      Set(player.ports(matching: "^auricle:"))
        == ["auricle:up_midi_in", "auricle:up_midi_out", "auricle:merge_midi_out"])
    try await player.connect("player:midi_out_1", to: "auricle:up_midi_in")
    try await recorder.connect("auricle:up_midi_out", to: "recorder:midi_in_1")
    try await recorder.connect("auricle:merge_midi_out", to: "recorder:midi_in_2")
    let frames = 20_000
    var random = SeededRandom(seed: 4)
    let midi = (0..<300).map { index -> TimedMIDI in
      let key = UInt8.random(in: 0..<100, using: &random)
      let bytes: [UInt8] =
        switch index % 4 {
        case 0: [0x95, key, 1]
        case 1: [0xB0, 7, key]
        case 2: [0xF0] + random.bytes(Int(key)).map { $0 & 0x7F } + [0xF7]
        default: [0xF8]
        }
      return TimedMIDI(frame: Int.random(in: 0..<frames, using: &random), bytes: bytes)
    }.sorted { $0.frame < $1.frame }
    player.script.midi = midi
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: frames)
    try await player.setFreewheel(false)
    try await auricle.expectEnd()
    func expected(_ change: (inout [UInt8]) -> Void) -> [TimedMIDI] {
      midi.map {
        var bytes = $0.bytes
        if bytes[0] < 0xF0 { change(&bytes) }
        return TimedMIDI(frame: $0.frame, bytes: bytes)
      }
    }
    let up = expected { if $0[0] & 0xF0 == 0x90 { $0[1] += 12 } }
    let merged = expected {
      if $0[0] & 0xF0 == 0x90 { $0[1] += 12 }
      $0[0] = $0[0] & 0xF0 | 2
    }
    for (port, wanted) in [up, merged].enumerated() {
      let got = takes[1].midi.filter { $0.port == port }
        .map { TimedMIDI(frame: $0.frame, bytes: $0.bytes) }
      #expect(firstDifference(got, wanted) == nil)
    }
  }

  @Test func theNameOfTheHeldChordIsSaid() async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(
      """
      [client]
      name = "auricle"
      [[unit]]
      id = "keys"
      component = "midi"
      midi = [{ stage = "chord" }]
      """, on: server, arguments: ["--verbose"])
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:keys_midi_in")
    player.script.midi = [52, 57, 60, 67].map { TimedMIDI(frame: 10, bytes: [0x90, $0, 1]) }
    _ = try await player.run(frames: 1024)
    _ = try await auricle.child.waitForLine(containing: "keys: Am7/E", in: .standardError)
    try await auricle.expectEnd()
  }
}
