// Changes of units and connections in a session that plays, on a live server.

import Foundation
import Session
import TestSupport
import Testing

@Suite(.serialized) struct StructureTests {
  private let rig: ControlRig
  private let source = """
    [client]
    name = "live"
    [[unit]]
    id = "first"
    component = "filter"
    [[unit]]
    id = "second"
    component = "filter"
    """

  init() throws { rig = try ControlRig() }

  /// Waits for the ports of the session, since JACK reports ports of other clients late.
  private func own(_ client: JackTestClient, _ wanted: String...) async throws {
    let names = wanted.map { "live:\($0)" }.sorted()
    let isSo = await eventually(within: .seconds(20)) {
      client.ports(matching: "live:").sorted() == names
    }
    #expect(isSo, "\(client.ports(matching: "live:")), not \(names)")
  }

  @Test func unitsAndConnectionsChangeWhileOthersPlay() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(source, on: server)
    let client = try JackTestClient(server, "peer", audioInputs: 2, audioOutputs: 2)
    let first = ["first_in_1", "first_in_2", "first_out_1", "first_out_2"]
    let second = ["second_in_1", "second_in_2", "second_out_1", "second_out_2"]
    try await own(
      client, first[0], first[1], first[2], first[3], second[0], second[1], second[2], second[3])
    try await client.connect("peer:audio_out_1", to: "live:first_in_1")
    try await client.connect("live:first_out_1", to: "peer:audio_in_1")
    try await client.connect("live:second_out_1", to: "peer:audio_in_2")

    // Ports that are no longer needed are removed; the others keep their connections.
    #expect(try await rig.ctl("connect", "first", "second") == "")
    try await own(client, first[0], first[1], second[2], second[3])
    #expect(client.connections(of: "live:first_in_1") == ["peer:audio_out_1"])
    #expect(client.connections(of: "live:second_out_1") == ["peer:audio_in_2"])
    #expect(
      try await rig.refusal("connect", "second", "first")
        == "auricle: the connections go round in a circle: second -> first -> second; remove one of them\n"
    )
    #expect(
      try await rig.refusal("connect", "first", "second")
        == "auricle: 'first' is connected to 'second' already\n")
    #expect(try await rig.refusal("connect", "first", "secnd").contains("did you mean 'second'?"))

    // A port that returns is connected as before.
    #expect(try await rig.ctl("undo") == "undone: first connected to second\n")
    #expect(
      await eventually(within: .seconds(20)) {
        client.connections(of: "live:first_out_1") == ["peer:audio_in_1"]
      })
    #expect(
      try await rig.refusal("disconnect", "first", "second").hasPrefix(
        "auricle: 'first' is not connected to 'second'"))
    #expect(try await rig.ctl("redo") == "redone: first connected to second\n")
    #expect(try await rig.ctl("disconnect", "first", "second", "--json").hasPrefix("{"))

    #expect(try await rig.ctl("add", "third", "filter", "parameters.cutoff=500") == "")
    #expect(try await rig.ctl("connect", "second", "third") == "")
    #expect(try await rig.ctl("set", "third/resonance", "7") == "")
    #expect(try await rig.refusal("add", "third", "filter").contains("a unit 'third' already"))
    #expect(try await rig.refusal("add", "x", "filtr").contains("unknown component 'filtr'"))
    #expect(
      try await rig.refusal("add", "x", "filter", "parameters.cutoff=0").contains(
        "12 to 20000"))
    #expect(try await rig.refusal("add", "x", "filter", "cutoff").contains("KEY=VALUE"))
    #expect(try await rig.ctl("remove", "third") == "")
    #expect(try await rig.refusal("remove", "third").contains("third"))
    #expect(try await rig.ctl("list") == "first   filter\nsecond  filter\n")
    // The unit returns with its connection and its settings.
    #expect(try await rig.ctl("undo") == "undone: third: removed\n")
    #expect(try await rig.ctl("get", "third/resonance") == "7.00\n")
    #expect(try await rig.ctl("get", "third/cutoff") == "500\n")
    try await own(
      client, first[0], first[1], first[2], first[3], second[0], second[1], "third_out_1",
      "third_out_2")
    #expect(try await rig.ctl("replace", "third", "filter", "parameters.cutoff=600") == "")
    #expect(try await rig.ctl("get", "third/cutoff") == "600\n")

    let file = rig.directory.file("edited.toml")
    _ = try await rig.ctl("save", file.path)
    let saved = try String(contentsOf: file, encoding: .utf8)
    #expect(saved.contains("id = \"third\"") && saved.contains("to = \"third\""))
    // The file is followed, too: a mistake in it changes nothing.
    try Data((saved + "\n[[unit]]\nid = \"fourth\"\ncomponent = \"filtr\"\n").utf8).write(to: file)
    _ = try await auricle.child.waitForLine(
      containing: "unknown component 'filtr'", in: .standardError)
    try Data((saved + "\n[[unit]]\nid = \"fourth\"\ncomponent = \"filter\"\n").utf8).write(to: file)
    _ = try await auricle.child.waitForLine(containing: "changed: the units", in: .standardError)
    #expect(try await rig.ctl("list").contains("fourth"))
    #expect(client.connections(of: "live:first_out_1") == ["peer:audio_in_1"])
    try await auricle.expectEnd()
  }

  @Test func aWatchContinuesWithTheReplacementOfAUnit() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(source, on: server)
    let watch = try rig.start(["watch", "second/cutoff", "first"])
    _ = try await watch.waitForLine(containing: "second/cutoff")
    _ = try await rig.ctl("replace", "second", "filter", "parameters.cutoff=611")
    _ = try await watch.waitForLine(containing: "second/cutoff  611 Hz")
    _ = try await rig.ctl("set", "second/cutoff", "622")
    _ = try await watch.waitForLine(containing: "second/cutoff  622 Hz")
    _ = try await rig.ctl("remove", "second")
    _ = try await rig.ctl("set", "first/cutoff", "633")
    _ = try await watch.waitForLine(containing: "first/cutoff  633 Hz")
    // A unit that returns has its former values.
    let before = watch.standardOutput.split(separator: "\n").count { $0.contains("622") }
    _ = try await rig.ctl("undo", "2")
    #expect(
      await eventually {
        watch.standardOutput.split(separator: "\n").count { $0.contains("622") } == before + 1
      })
    _ = try await rig.ctl("set", "second/cutoff", "644")
    _ = try await watch.waitForLine(containing: "second/cutoff  644 Hz")
    #expect(!watch.standardOutput.contains("second/resonance"))
    try await auricle.expectEnd()
  }

  /// Ends a note held by a port that is removed, since nothing else does.
  @Test func notesHeldByARemovedPortEnd() async throws {
    let font = rig.directory.file("font.sf2")
    try SoundFontMaker(presets: [
      .init(name: "Sine", zones: [.init(sample: .sine(), releaseSeconds: 0.01)])
    ]).write(to: font)
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      """
      [client]
      name = "live"
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "\(font.path)"
      [[unit]]
      id = "keys"
      component = "midi"
      """, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await recorder.connect("player:midi_out_1", to: "live:piano_midi_in")
    try await recorder.connect("live:piano_out_1", to: "recorder:audio_in_1")
    player.script.midi = [TimedMIDI(frame: 0, bytes: [0x90, 60, 127])]
    func peak() async throws -> Float {
      let takes = try await JackTestClient.run([player, recorder], frames: 4_800)
      player.script.midi = []
      return takes[1].audio[0].map(abs).max()!
    }
    #expect(try await peak() > 0.01)
    #expect(try await peak() > 0.01)
    #expect(try await rig.ctl("connect", "keys", "piano") == "")
    #expect(recorder.connections(of: "live:piano_out_1") == ["recorder:audio_in_1"])
    _ = try await peak()
    #expect(try await peak() == 0)
    try await auricle.expectEnd()
  }

  @Test func theTailOfAUnitThatIsRemovedRingsOut() async throws {
    let font = rig.directory.file("font.sf2")
    try SoundFontMaker(presets: [
      .init(name: "Sine", zones: [.init(sample: .sine(), releaseSeconds: 10)])
    ]).write(to: font)
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      """
      [client]
      name = "live"
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "\(font.path)"
      [[unit]]
      id = "other"
      component = "filter"
      """, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await recorder.connect("player:midi_out_1", to: "live:piano_midi_in")
    try await recorder.connect("live:piano_out_1", to: "recorder:audio_in_1")
    player.script.midi = [TimedMIDI(frame: 0, bytes: [0x90, 60, 127])]
    func peak() async throws -> Float {
      let takes = try await JackTestClient.run([player, recorder], frames: 4_800)
      player.script.midi = []
      return takes[1].audio[0].map(abs).max()!
    }
    let held = try await peak()
    #expect(held > 0.01)
    #expect(try await rig.ctl("remove", "piano", "--ring-out") == "")
    // Its tail is heard; the session no longer lists it, and has no input port for it.
    let tail = try await peak()
    #expect(tail > 0.001)
    #expect(try await rig.ctl("list") == "other  filter\n")
    #expect(recorder.ports(matching: "live:piano_midi_in").isEmpty)
    // It returns while it rings, with its port. Removed again, it rings to its end.
    #expect(try await rig.ctl("undo") == "undone: piano: removed\n")
    #expect(recorder.connections(of: "live:piano_out_1") == ["recorder:audio_in_1"])
    #expect(try await rig.ctl("remove", "piano", "--ring-out") == "")
    #expect(recorder.connections(of: "live:piano_out_1") == ["recorder:audio_in_1"])
    #expect(
      await eventually(within: .seconds(30)) {
        recorder.ports(matching: "live:piano_out_1").isEmpty
      })
    #expect(try await rig.ctl("undo") == "undone: piano: removed\n")
    #expect(try await rig.ctl("list").contains("piano"))
    try await auricle.expectEnd()
  }
}
