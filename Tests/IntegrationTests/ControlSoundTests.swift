// `auricle ctl` and its effect on the sound.

import ControlSocket
import Foundation
import Remotes
import Session
import TestSupport
import Testing

@Suite(.serialized) struct ControlSoundTests {
  private let rig: ControlRig
  private let font: URL
  private let other: URL

  init() throws {
    rig = try ControlRig()
    font = rig.directory.file("font.sf2")
    other = rig.directory.file("other.sf2")
    // Releases that outlast every test, unless they are cut.
    for (url, level) in [(font, 0.0), (other, 60)] {
      let zone = SoundFontMaker.Zone(
        sample: .constant(), releaseSeconds: 60, attenuationDecibels: level, tracksKey: false)
      try SoundFontMaker(presets: [.init(name: "Endless", zones: [zone])]).write(to: url)
    }
  }

  private func sampler(_ more: String = "") -> String {
    """
    [client]
    name = "auricle"
    [[unit]]
    id = "piano"
    component = "sampler"
    soundfont = "\(font.path)"
    \(more)
    """
  }

  /// The peak of the last 2,400 frames of a take.
  private func level(
    _ player: JackTestClient, _ recorder: JackTestClient, _ midi: [TimedMIDI] = []
  ) async throws -> Float {
    player.script.midi = midi
    let take = try await JackTestClient.run([player, recorder], frames: 9_600)[1]
    return take.audio[0].suffix(2_400).map(abs).max() ?? 0
  }

  @Test func aWatchFollowsCommandsRampsAndMIDI() async throws {
    let server = try await JackServer.start()
    let stages =
      #"midi = [ { stage = "controller", source = "controller", sourceController = 1, "#
      + #"target = "parameter", parameter = "gain" } ]"#
    let auricle = try await rig.run(sampler(stages), on: server)
    let watch = try rig.start(["watch", "piano/gain", "piano/pan"])
    _ = try await watch.waitForLine(containing: "piano/gain  0 dB")
    _ = try await rig.ctl("set", "piano/gain", "-12", "--ramp", "400")
    _ = try await watch.waitForLine(containing: "piano/gain  -12 dB")
    let gains = watch.standardOutput.split(separator: "\n").filter { $0.hasPrefix("piano/gain") }
    #expect(gains.count > 2, "no value on the way: \(gains)")

    let player = try JackTestClient(server, "player", midiOutputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:piano_midi_in")
    player.script.midi = [TimedMIDI(frame: 100, bytes: [0xB0, 1, 127])]
    _ = try await player.run(frames: 1_000)
    _ = try await watch.waitForLine(containing: "piano/gain  24 dB")
    // A line of JSON for each value; the other watch reports the change too.
    let json = try rig.start(["watch", "piano/pan", "--json"])
    _ = try await json.waitForLine(containing: #""path":"piano/pan""#)
    _ = try await rig.ctl("set", "piano/pan", "17")
    _ = try await json.waitForLine(containing: #""value":17"#)
    _ = try await watch.waitForLine(containing: "piano/pan  17")

    #expect(try await rig.refusal("watch", "piano/gian").contains("did you mean 'piano/gain'?"))
    watch.signal(SIGINT)
    #expect(try await watch.wait() == .signalled(SIGINT))
    try await auricle.expectEnd()
    #expect(try await json.wait() == .exited(1))
    #expect(json.standardError == "auricle: the session 'auricle' has ended\n")
  }

  /// The note of `ctl note` sounds, and ends with the command, however that ends.
  @Test func aNoteIsHeardAndEndsWithItsCommand() async throws {
    let server = try await JackServer.start()
    // Notes that end at once.
    try SoundFontMaker.endless().write(to: font)
    let session = try await rig.run(sampler(), on: server)
    func voices() throws -> Int? { try rig.status()?.unitStatus?.first?.voices }
    let note = try rig.start(["note", "piano", "C4", "--seconds", "600"])
    #expect(try await eventually { try voices() == 1 })
    note.signal(SIGKILL)
    #expect(try await eventually { try voices() == 0 })
    #expect(try await rig.ctl("note", "piano", "60", "1", "--seconds", "0.01") == "")
    #expect(try await eventually { try voices() == 0 })
    #expect(try await rig.refusal("note", "pino", "60").contains("did you mean 'piano'?"))
    for mistake in [["H4"], ["128"], ["60", "0"], ["60", "--channel", "17"]] {
      let (status, child) = try await auricle(["ctl", "note", "piano"] + mistake)
      #expect(status == .exited(2), "\(mistake): \(child.transcript)")
    }
    try await session.expectEnd()
  }

  private func gain() throws -> Float? {
    let session = try rig.connect()
    try session.send(SessionWire.encode(.get(path: "piano/gain")))
    guard case .parameter(let reading) = try SessionWire.answer(session.nextLine()) else {
      return nil
    }
    return reading.value
  }

  /// Ends a latched arpeggio, a pedal and a tail, in the session and at its outputs.
  @Test func afterPanicNothingSoundsAnywhere() async throws {
    let server = try await JackServer.start()
    let arpeggio =
      """
      parameters = { reverb.on = true, reverb.roomSize = 1.0, reverb.level = 1.0 }
      [[unit]]
      id = "steps"
      component = "midi"
      midi = [ { stage = "arpeggiator", latch = true } ]
      [[connect]]
      from = "steps"
      to = "piano"
      [[connect]]
      from = "steps"
      to = "later:*"
      [[unit]]
      id = "through"
      component = "midi"
      """
    let auricle = try await rig.run(sampler(arpeggio), on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1, midiInputs: 2)
    for unit in ["steps", "through"] {
      try await player.connect("player:midi_out_1", to: "auricle:\(unit)_midi_in")
    }
    try await recorder.connect("auricle:piano_out_1", to: "recorder:audio_in_1")
    try await recorder.connect("auricle:steps_midi_out", to: "recorder:midi_in_1")
    try await recorder.connect("auricle:through_midi_out", to: "recorder:midi_in_2")
    for _ in 0..<2 {
      let keys: [UInt8] = [60, 64, 67]
      let held =
        keys.map { TimedMIDI(frame: 10, bytes: [0x90, $0, 100]) }
        + [91, 64].map { TimedMIDI(frame: 20, bytes: [0xB0, $0, 127]) }
      #expect(try await level(player, recorder, held) > 0.01)
      player.script.midi = []
      let take = try await JackTestClient.run([player, recorder], frames: 48_000) {
        _ = try await rig.ctl("panic")
      }[1]
      // All Sound Off arrives at each port, after the releases of the notes held there.
      for port in 0..<2 {
        let events = take.midi.filter { $0.port == port }.map(\.bytes)
        let silenced = try #require(events.lastIndex { $0[0] == 0xB0 && $0[1] == 120 })
        #expect(!events[silenced...].contains { $0[0] & 0xF0 == 0x90 && $0[2] > 0 })
      }
      let through = take.midi.filter { $0.port == 1 }.map(\.bytes)
      for key in keys { #expect(through.contains { $0[0] & 0xF0 == 0x80 && $0[1] == key }) }
      #expect(through.contains([0xB0, 64, 0]))
      for _ in 0..<2 {
        let rest = try await level(player, recorder)
        #expect(rest == 0)
      }
    }
    try await auricle.expectEnd()
  }

  @Test func aSoundFontIsExchangedWhileItPlays() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(sampler(), on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:piano_midi_in")
    try await recorder.connect("auricle:piano_out_1", to: "recorder:audio_in_1")
    let note = [TimedMIDI(frame: 0, bytes: [0x90, 60, 127])]
    let loud = try await level(player, recorder, note)
    _ = try await rig.ctl("panic")

    #expect(
      try await rig.refusal("soundfont", "piano", "none.sf2").contains("no SoundFont 'none.sf2'"))
    #expect(
      try await rig.refusal("soundfont", "piano", other.path, "--program", "9").contains(
        "program 9"))
    #expect(
      try await rig.refusal("soundfont", "piano", other.path, "--program", "128").contains(
        "0 to 127"))
    let child = try ChildProcess(
      builtProduct("auricle"), ["ctl", "soundfont", "piano", "other.sf2"],
      environment: rig.environment, workingDirectory: rig.directory.url)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let quiet = try await level(player, recorder, note)
    #expect(quiet > 0 && quiet < loud / 5)
    #expect(try await rig.ctl("preset", "list", "piano").contains("  0:0  chosen last"))

    // A bypassed instrument is silent, and sounds again afterwards.
    _ = try await rig.ctl("bypass", "piano", "on")
    #expect(try await rig.ctl("list").contains("bypassed"))
    _ = try await level(player, recorder)
    #expect(try await level(player, recorder) == 0)
    _ = try await rig.ctl("bypass", "piano", "off")
    _ = try await level(player, recorder)
    #expect(try await level(player, recorder) > 0)
    #expect(try await rig.refusal("entry", "piano", "Loud").contains("no live set"))
    try await auricle.expectEnd()
  }

  @Test func entriesAndPresetsAreChosen() async throws {
    let server = try await JackServer.start()
    let entries = """
      entry = [ { number = 3, name = "Loud", parameters = { gain = 6.0 } },
        { number = 8, name = "Quiet", parameters = { gain = -6.0 } } ]
      """
    let auricle = try await rig.run(sampler(entries), on: server)
    let watch = try rig.start(["watch", "piano/gain"])
    _ = try await watch.waitForLine(containing: "piano/gain  6 dB")
    _ = try await rig.ctl("entry", "piano", "Quiet")
    _ = try await watch.waitForLine(containing: "piano/gain  -6 dB")
    _ = try await rig.ctl("entry", "piano", "3", "--at", "0")
    #expect(try await eventually { try gain() == 6 })
    let wrong = try await rig.refusal("entry", "piano", "Lod")
    #expect(wrong.contains("did you mean 'Loud'? Accepted: Loud, Quiet"))
    #expect(try await rig.refusal("entry", "piano", "4").contains("accepted: 3, 8"))

    _ = try await rig.ctl("set", "piano/gain", "-33")
    _ = try await rig.ctl("preset", "save", "piano", "Far away")
    #expect(
      try await rig.ctl("preset", "list", "piano").contains("Far away  the user's  chosen last"))
    _ = try await rig.ctl("preset", "load", "piano", "Loud")
    _ = try await rig.ctl("preset", "load", "piano", "Far away")
    #expect(try await eventually { try gain() == -33 })
    _ = try await rig.ctl("preset", "delete", "piano", "Far away")
    #expect(try await rig.refusal("preset", "load", "piano", "Far away").contains("unknown preset"))
    try await auricle.expectEnd()
  }
}
