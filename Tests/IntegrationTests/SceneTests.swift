// Scenes of a session that plays.

import Foundation
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite(.serialized) struct SceneTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  /// What takes a cycle or two, or is told twenty times a second.
  private func soon(_ isSo: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<200 {
      if try await isSo() { return true }
    }
    return false
  }

  private func writeFont(_ name: String = "font.sf2") throws -> URL {
    let font = rig.directory.file(name)
    let zone = SoundFontMaker.Zone(
      sample: .constant(), releaseSeconds: 60, attenuationDecibels: 0, tracksKey: false)
    try SoundFontMaker(presets: [.init(name: "Endless", zones: [zone])]).write(to: font)
    return font
  }

  @Test func scenesAreSavedLoadedDeletedAndTakenBack() async throws {
    let font = try writeFont()
    let server = try await JackServer.start()
    let configuration = """
      [client]
      name = "live"
      [[unit]]
      id = "keys"
      component = "sampler"
      soundfont = "\(font.path)"
      [[unit.entry]]
      number = 3
      name = "Soft"
      parameters = { gain = -12.0 }
      [[unit.entry]]
      number = 4
      name = "Loud"
      parameters = { gain = 6.0 }
      [[unit]]
      id = "first"
      component = "filter"
      parameters = { cutoff = 900.0 }
      [[unit]]
      id = "second"
      component = "filter"
      [[connect]]
      from = "keys"
      to = "first"
      """
    let running = try await rig.run(configuration, on: server)
    #expect(try await rig.ctl("scene", "list") == "")
    #expect(
      try await rig.refusal("scene", "load", "Verse")
        == "auricle: unknown scene 'Verse' in this session; accepted: none\n")
    #expect(try await rig.refusal("scene", "save", "").contains("'name' is empty"))
    #expect(
      try await rig.refusal("scene", "save", "Verse", "firs").contains("did you mean 'first'?"))
    #expect(try await rig.ctl("scene", "save", "Verse") == "")
    #expect(try await rig.ctl("scene", "save", "Low", "first/cutoff") == "")
    let list = try await rig.ctl("scene", "list")
    #expect(list.contains("3 bypasses, 1 entry, connections\nLow    1 value\n"), "\(list)")
    #expect(try await rig.ctl("status").contains("changed since"))
    let (_, names) = try await auricle(
      [
        "---completion", "ctl", "scene", "load", "--", "positional@0", "4", "0", "auricle", "ctl",
        "scene", "load", "",
      ], environment: rig.environment)
    #expect(names.standardOutput.split(separator: "\n").sorted() == ["Low", "Verse"])

    // Everything is another one, and all of it comes back as one.
    for arguments in [
      ["set", "first/cutoff", "5000"], ["set", "second/resonance", "7"],
      ["bypass", "second", "on"],
      ["entry", "keys", "Loud"], ["disconnect", "keys", "first"], ["connect", "keys", "second"],
    ] {
      #expect(try await rig.start(arguments).wait() == .exited(0), "\(arguments)")
    }
    #expect(try await soon { try await rig.ctl("list").contains("Loud") })
    func state() async throws -> [String] {
      [
        try await rig.ctl("get", "first/cutoff"), try await rig.ctl("get", "second/resonance"),
        try await rig.ctl("list"), try await rig.ctl("get", "keys/gain"),
      ]
    }
    func isConnected(_ id: String) async throws -> Bool {
      try await rig.ctl("status", "--json").contains(#""receivers" : ["#)
        && JackTestClient(server, "look", midiOutputs: 1).ports(matching: "live:")
          .contains("live:\(id)_in_1") == false
    }
    let after = try await state()
    #expect(after[0] == "5000\n" && after[2].contains("bypassed") && after[3] == "6\n")
    #expect(try await isConnected("second"))
    #expect(try await rig.ctl("scene", "load", "Verse", "--json").contains("\"frame\" : "))
    #expect(try await soon { try await rig.ctl("get", "keys/gain") == "-12\n" })
    let verse = try await state()
    #expect(verse[0] == "900\n" && verse[1] == "0\n" && !verse[2].contains("bypassed"))
    #expect(verse[2].contains("Soft"))
    #expect(try await isConnected("first"))
    #expect(try await rig.ctl("undo") == "undone: scene 'Verse'\n")
    #expect(try await soon { try await state() == after })
    #expect(try await isConnected("second"))
    #expect(try await rig.ctl("redo") == "redone: scene 'Verse'\n")
    #expect(try await isConnected("first"))
    #expect(try await soon { try await state() == verse })

    // What is new to the scene stays as it is.
    _ = try await rig.ctl("add", "third", "filter")
    _ = try await rig.ctl("connect", "second", "third")
    _ = try await rig.ctl("set", "first/cutoff", "300")
    _ = try await rig.ctl("scene", "load", "Low")
    #expect(try await rig.ctl("get", "first/cutoff") == "900\n")
    _ = try await rig.ctl("scene", "load", "Verse")
    #expect(
      try await rig.refusal("connect", "second", "third").contains("is connected to"))

    // With what goes the scenes lose what they say of it.
    _ = try await rig.ctl("disconnect", "keys", "first")
    _ = try await rig.ctl("replace", "first", "midi")
    #expect(!(try await rig.ctl("scene", "list")).contains("Low    1 value"))
    _ = try await rig.ctl("undo", "2")
    #expect(try await rig.ctl("scene", "list").contains("Low    1 value"))
    _ = try await rig.ctl("remove", "keys")
    let without = try await rig.ctl("scene", "list")
    #expect(without.contains("2 bypasses, connections"), "\(without)")
    #expect(try await rig.ctl("scene", "load", "Verse") == "")
    _ = try await rig.ctl("undo", "2")
    #expect(try await rig.ctl("scene", "delete", "Low") == "")
    #expect(try await rig.refusal("scene", "delete", "Low").contains("accepted: Verse"))
    #expect(try await rig.ctl("undo") == "undone: scene 'Low': deleted\n")

    // In its file, and by it.
    let saved = rig.directory.file("scenes.toml")
    _ = try await rig.ctl("save", saved.path)
    var text = try String(contentsOf: saved, encoding: .utf8)
    #expect(text.contains("[[scene]]\nname = \"Low\"\nparameters = { first.cutoff = 900 }\n"))
    text = text.replacing("{ first.cutoff = 900 }", with: "{ first.cutof = 900 }")
    try Data(text.utf8).write(to: saved)
    _ = try await running.child.waitForLine(
      containing: "unknown parameter 'cutof'", in: .standardError)
    text = text.replacing("{ first.cutof = 900 }", with: "{ first.cutoff = 400 }")
    try Data(text.utf8).write(to: saved)
    _ = try await running.child.waitForLine(containing: "changed: the scenes", in: .standardError)
    _ = try await rig.ctl("scene", "load", "Low")
    #expect(try await rig.ctl("get", "first/cutoff") == "400\n")
    try await running.expectEnd()
  }
}
