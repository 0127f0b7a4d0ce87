// Mappings of controllers to parameters: in configurations, bounced, and live.

import BuiltInUnits
import Configuration
import Foundation
import MediaFiles
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite(.serialized) struct MappingTests {
  private static let units = """
    [client]
    name = "filter"
    [[unit]]
    id = "lowpass"
    component = "filter"
    parameters = { cutoff = 900.0 }
    """
  private static let mapped =
    units + """

      [[map]]
      parameter = "lowpass/cutoff"
      controller = 74
      range = [200, 8000]
      [[map]]
      parameter = "lowpass/resonance"
      controller14 = 2
      range = [12, -6]
      curve = "logarithmic"
      [[map]]
      parameter = "lowpass/resonance"
      controller = 16
      mode = "relative"
      """

  private func problem(_ map: String, in units: String = units) async throws -> String {
    let error = await #expect(throws: ConfigurationError.self) {
      _ = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry()).build(
        SessionConfiguration(builtIn: units + "\n" + map, file: "s.toml"), file: nil)
    }
    return error.map { "\($0)" } ?? ""
  }

  // MARK: Refusals

  @Test func impossibleMappingsAreRefusedWithTheirPosition() async throws {
    let sampler = "[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\n"
    func map(_ parameter: String, _ others: String = "") -> String {
      "[[map]]\nparameter = \"\(parameter)\"\ncontroller = 1\n\(others)"
    }
    #expect(
      try await problem(map("lowpas/cutoff"))
        == "s.toml:8:13: unknown unit 'lowpas' in [[map]]: did you mean 'lowpass'? Accepted: lowpass"
    )
    #expect(
      try await problem(map("lowpass/cutof")).hasPrefix(
        "s.toml:8:13: unknown parameter 'lowpass/cutof' in [[map]]: did you mean 'lowpass/cutoff'?")
    )
    #expect(try await problem(map("lowpass")).contains("unknown parameter 'lowpass'"))
    #expect(try await problem(map("control/x")).contains("unknown unit 'control'"))
    #expect(
      try await problem(map("lowpass/cutoff", "range = [200, 30000]"))
        == "s.toml:10:15: cutoff = 30000 is out of range; accepted: 12 to 20000 Hz")
    #expect(
      try await problem(map("lowpass/cutoff", "range = [200, 200]"))
        == "s.toml:10:15: both ends of 'range' are the same; accepted: two values, in any order")
    #expect(
      try await problem(map("piano/synths"), in: sampler).contains(
        "'piano/synths' takes time to change: no controller moves it; accepted: piano/gain"))
    #expect(
      try await problem(map("piano/pan", "ramp = 10"), in: sampler).contains(
        "'piano/pan' cannot ramp"))
    let circle = """
      [[unit]]
      id = "keys"
      component = "midi"
      midi = [{ stage = "transpose", semitones = 1 }]
      [[connect]]
      from = "keys"
      to = "control"
      """
    #expect(
      try await problem(map("keys/midi/transpose/semitones"), in: circle).contains(
        "the connections go round in a circle: control -> keys -> control"))
    #expect(
      try await problem(
        map("lowpass/cutoff") + "[[connect]]\nfrom = \"control:1\"\nto = \"synth:in\"\n"
      ).contains("unit 'control' has no output bus 1"))
  }

  // MARK: Exactness

  private func song() -> (file: Data, events: [TimedMIDI]) {
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    var random = SeededRandom(seed: 11)
    var events: [TimedMIDI] = []
    var frame = 0
    while frame < 29_000 {
      frame += Int.random(in: 1..<200, using: &random)
      let number = [74, 2, 34, 16].randomElement(using: &random)!
      let value = UInt8.random(in: 0..<128, using: &random)
      events.append(TimedMIDI(frame: frame, bytes: [0xB0, UInt8(number), value]))
      file.add(events.last!.bytes, at: frame)
    }
    return (Data(file.bytes()), events)
  }

  @Test func theMovedSoundIsTheSameBitsAtAnyPeriodAndLive() async throws {
    let frames = 30_011
    let input = (1...2).map { Signal.noise(frames: frames, seed: UInt64($0), amplitude: 0.5) }
    let rig = try BounceRig(Self.mapped)
    let writer = try AudioFileWriter(
      url: rig.folder.file("in.wav"), sampleRate: 48_000, channelCount: 2)
    try writer.write(input)
    try writer.finish()
    let song = song()
    try song.file.write(to: rig.folder.file("song.mid"))
    var first: [[Float]] = []
    for period in [16, 64, 441, 1024, 2048] {
      let (status, child) = try await rig.run(
        "--midi", "song.mid", "--input", "in.wav", "--output", "out.wav", "--period", "\(period)",
        "--tail", "0", "--overwrite")
      #expect(status == .exited(0), "\(child.transcript)")
      let output = try rig.read("out.wav")
      if first.isEmpty { first = output }
      for channel in 0..<2 { #expect(firstDifference(output[channel], first[channel]) == nil) }
    }
    let unmoved = try BounceRig(Self.units)
    try FileManager.default.copyItem(
      at: rig.folder.file("in.wav"), to: unmoved.folder.file("in.wav"))
    _ = try await unmoved.run("--input", "in.wav", "--output", "out.wav", "--tail", "0")
    let start = song.events[0].frame
    let difference = try #require(firstDifference(try unmoved.read("out.wav")[0], first[0]))
    #expect((start...start + 200).contains(difference), "\(difference), \(start)")

    let live = try await play(input, song.events)
    for channel in 0..<2 {
      #expect(firstDifference(live[channel], first[channel].prefix(frames).map { $0 }) == nil)
    }
  }

  @Test func aScenesBypassIsTheSameBitsAtAnyPeriod() async throws {
    let rig = try BounceRig(
      Self.units + """

        [[scene]]
        name = "A"
        bypass = { lowpass = true }
        [[scene]]
        name = "B"
        bypass = { lowpass = false }
        [[map]]
        scene = "A"
        program = 1
        [[map]]
        scene = "B"
        program = 2
        """)
    try rig.noise(frames: 20_000)
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    for (program, frame) in [(1, 4_477), (2, 9_001), (1, 14_477)] {
      file.add([0xC0, UInt8(program)], at: frame)
    }
    try Data(file.bytes()).write(to: rig.folder.file("song.mid"))
    var first: [[Float]] = []
    for period in [64, 441, 1024, 2048] {
      let (status, child) = try await rig.run(
        "--midi", "song.mid", "--input", "in.wav", "--output", "out.wav", "--period", "\(period)",
        "--tail", "0", "--overwrite")
      #expect(status == .exited(0), "\(child.transcript)")
      let output = try rig.read("out.wav")
      if first.isEmpty { first = output }
      for channel in 0..<2 { #expect(firstDifference(output[channel], first[channel]) == nil) }
    }
    let input = try rig.read("in.wav")
    for range in [5_437..<9_001, 15_437..<20_000] {
      #expect(Array(first[0][range]) == Array(input[0][range]))
    }
    #expect(first[0][4_476] != input[0][4_476] && first[0][12_000] != input[0][12_000])
  }

  // MARK: Live

  /// Removes the port with its last mapping; its connections return with it.
  @Test func mappingsHaveAPort() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(Self.units, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let port = "filter:control_midi_in"
    func hasPort() -> Bool { player.ports(matching: "filter:").contains(port) }
    #expect(!hasPort())
    #expect(
      try await rig.ctl("map", "lowpass/cutoff", "controller=74", "range=[200, 8000]") == "")
    #expect(try await rig.ctl("map") == "lowpass/cutoff  controller=74 range=[200, 8000]\n")
    #expect(await eventually(within: .seconds(20)) { hasPort() })
    try await player.connect("player:midi_out_1", to: port)
    _ = try await rig.ctl("map", "lowpass/resonance", "note=C4", "mode=toggle")
    #expect(player.connections(of: port) == ["player:midi_out_1"])
    for path in ["lowpass/cutoff", "lowpass/resonance"] { _ = try await rig.ctl("unmap", path) }
    #expect(await eventually(within: .seconds(20)) { !hasPort() })
    #expect(try await rig.ctl("list") == "lowpass  filter\n")
    _ = try await rig.ctl("undo")
    #expect(
      await eventually(within: .seconds(20)) {
        player.connections(of: port) == ["player:midi_out_1"]
      })
    try await auricle.expectEnd()
  }

  /// Also ends notes at other clients, by a controller that is mapped while it plays.
  @Test func aPanicByAControllerEndsNotesAtOthers() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      """
      [client]
      name = "filter"
      [[unit]]
      id = "keys"
      component = "midi"
      midi = [{ stage = "transpose", semitones = 12 }]
      """, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let listener = try JackTestClient(server, "listener", midiInputs: 1)
    #expect(try await rig.ctl("map", "panic=true", "controller=119") == "")
    #expect(try await rig.ctl("map") == "panic=true  controller=119\n")
    try await player.connect("player:midi_out_1", to: "filter:control_midi_in")
    try await player.connect("player:midi_out_1", to: "filter:keys_midi_in")
    try await listener.connect("filter:keys_midi_out", to: "listener:midi_in_1")
    player.script.midi = [
      TimedMIDI(frame: 5, bytes: [0x90, 60, 1]), TimedMIDI(frame: 4_005, bytes: [0xB0, 119, 127]),
    ]
    let take = try await JackTestClient.run([player, listener], frames: 24_000)[1]
    let heard = take.midi.map(\.bytes)
    #expect(heard.first == [0x90, 72, 1])
    #expect(heard.contains([0x80, 72, 0]) || heard.contains([0x80, 72, 64]), "\(heard)")
    #expect(heard.contains([0xB0, 120, 0]))
    #expect(try await rig.ctl("unmap", "panic=true") == "")
    try await auricle.expectEnd()
  }

  @Test func aParameterLearnsWhichControlMovesIt() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(Self.units, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let port = "filter:control_midi_in"
    func hasPort() -> Bool { player.ports(matching: "filter:").contains(port) }
    // The port exists as long as a command listens.
    #expect(
      try await rig.refusal("learn", "lowpass/cutoff", "--timeout", "1").contains(
        "no control was moved in time"))
    #expect(await eventually(within: .seconds(20)) { !hasPort() })
    let child = try rig.start(["learn", "lowpass/resonance", "mode=toggle", "--notes"])
    #expect(await eventually(within: .seconds(20)) { hasPort() })
    try await player.connect("player:midi_out_1", to: port)
    player.script.midi = [TimedMIDI(frame: 0, bytes: [0x90, 60, 1])]
    // Repeats the note until the command has received it.
    while child.isRunning { _ = try await JackTestClient.run([player], frames: 4_800) }
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput == "lowpass/resonance  note=C4 channel=1 mode=toggle\n")
    _ = try await rig.ctl("undo")
    #expect(await eventually(within: .seconds(20)) { !hasPort() })
    try await auricle.expectEnd()
  }

  private func play(_ input: [[Float]], _ midi: [TimedMIDI]) async throws -> [[Float]] {
    let server = try await JackServer.start(period: 256)
    let auricle = try await RunningAuricle(Self.mapped, on: server)
    let player = try JackTestClient(server, "player", audioOutputs: 2, midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    for channel in 1...2 {
      try await player.connect("player:audio_out_\(channel)", to: "filter:lowpass_in_\(channel)")
      try await recorder.connect(
        "filter:lowpass_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    try await player.connect("player:midi_out_1", to: "filter:control_midi_in")
    player.script.audio = input
    player.script.midi = midi
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: input[0].count)
    try await player.setFreewheel(false)
    #expect(takes.allSatisfy { $0.isComplete && $0.startsInCycle == 0 })
    try await auricle.expectEnd()
    return takes[1].audio
  }
}
