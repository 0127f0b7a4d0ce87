// `auricle ctl save`, `undo` and `redo` on a live server.

import Foundation
import Remotes
import Session
import TestSupport
import Testing

@Suite(.serialized) struct ControlDocumentTests {
  private let rig: ControlRig
  private let font: URL

  init() throws {
    rig = try ControlRig()
    font = rig.directory.file("font.sf2")
    let zone = SoundFontMaker.Zone(sample: .constant())
    try SoundFontMaker(presets: [
      .init(name: "One", zones: [zone]), .init(program: 1, name: "Two", zones: [zone]),
    ]).write(to: font)
  }

  private func value(_ path: String) throws -> Float? {
    let session = try rig.connect()
    try session.send(SessionWire.encode(.get(path: path)))
    guard case .parameter(let reading) = try SessionWire.answer(session.nextLine()) else {
      return nil
    }
    return reading.value
  }

  /// Saves a playing session, and gets the same session when the file is started.
  @Test func aRunningSessionIsSavedAndComesBack() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Configurations.filter(), on: server)
    let clean = try await rig.ctl("status")
    #expect(clean.contains("session.toml, as it was saved\n"), "\(clean)")
    _ = try await rig.ctl("set", "lowpass/cutoff", "4000", "--ramp", "30000")
    _ = try await rig.ctl("set", "lowpass/resonance", "-3.5")
    _ = try await rig.ctl("bypass", "lowpass", "on")
    #expect(try await rig.ctl("status").contains("session.toml, changed since it was saved\n"))
    let file = rig.directory.file("live set.toml")
    #expect(try await rig.ctl("save", file.path) == "saved to \(file.path)\n")
    #expect(try await rig.ctl("status").contains("live set.toml, as it was saved\n"))
    #expect(
      try await rig.refusal("save", "/none/x.toml")
        == "auricle: cannot save: there is no folder /none; accepted: an existing folder\n"
    )
    try await auricle.expectEnd()

    let text = try String(contentsOf: file, encoding: .utf8)
    let again = try await rig.run(text, on: server)
    // The ramp is saved as its end value.
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "4000\n")
    #expect(try await rig.ctl("get", "lowpass/resonance") == "-3.50\n")
    #expect(try await rig.ctl("list") == "lowpass  filter  Prominent  bypassed\n")
    try await again.expectEnd()
  }

  @Test func settingsInPlaceOfTheFilesAreNotSaved() async throws {
    let server = try await JackServer.start()
    let file = try rig.directory.write(Configurations.filter(), to: "own.toml")
    let child = try await rig.run(file, "--set", "lowpass/cutoff=3000", on: server)
    let status = try await rig.ctl("status")
    #expect(status.contains("own.toml, changed since it was saved\n"), "\(status)")
    _ = try await rig.ctl("save", rig.directory.file("other.toml").path)
    #expect(try await rig.ctl("status").contains("other.toml, as it was saved\n"))
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  /// Applies edits of the file while it plays; errors and edits that need a restart change nothing.
  @Test func aRunningSessionFollowsItsFile() async throws {
    let server = try await JackServer.start()
    let other = rig.directory.file("other.sf2")
    try FileManager.default.copyItem(at: font, to: other)
    let source = """
      [client]
      name = "auricle"
      [[unit]]
      id = "lowpass"
      component = "filter"
      parameters = { cutoff = 900, resonance = 1 }
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "\(font.path)"
      midi = [ { stage = "transpose", semitones = 1 } ]
      """
    let auricle = try await rig.run(source, on: server)
    let status = try await rig.ctl("status", "--json")
    let path = try #require(
      status.split(separator: "\"").first { $0.hasSuffix("session.toml") }.map {
        String($0).replacing("\\/", with: "/")
      })
    func write(_ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
    func line(_ text: String) async throws {
      _ = try await auricle.child.waitForLine(containing: text, in: .standardError)
    }
    // Values changed by hand stay, unless the file changes them too.
    _ = try await rig.ctl("set", "lowpass/resonance", "5")
    _ = try await rig.ctl("set", "piano/gain", "-3")
    _ = try await rig.ctl("save")
    let saved = try String(contentsOfFile: path, encoding: .utf8)
    let edited = saved.replacing("cutoff = 900", with: "cutoff = 1234")
      .replacing("semitones = 1 ", with: "semitones = 7 ")
      .replacing(font.path, with: other.path).replacing(
        "id = \"piano\"", with: "id = \"piano\"\nbypass = true")
    _ = try await rig.ctl("set", "piano/pan", "11")
    try write(edited)
    try await line("was written; changed: lowpass, piano")
    #expect(try value("lowpass/cutoff") == 1234)
    #expect(try value("lowpass/resonance") == 5)
    #expect(try value("piano/midi/transpose/semitones") == 7)
    #expect(try value("piano/pan") == 11)
    #expect(try await rig.ctl("list").contains("bypassed"))
    // A mistake with its line, invalid TOML, and an edit that needs a restart.
    try write(edited.replacing("cutoff = 1234", with: "cutoff = 1"))
    try await line("session.toml:10:")
    try write(edited.replacing("cutoff = 1234", with: "cutoff ="))
    try await line("not valid TOML")
    try write(
      edited.replacing("cutoff = 1234", with: "cutoff = 4")
        .replacing("name = \"auricle\"", with: "name = \"other\""))
    try await line("nothing changed: [client] takes a restart")
    #expect(try value("lowpass/cutoff") == 1234)
    // The edit is one change, undone like any other.
    try write(edited.replacing("cutoff = 1234", with: "cutoff = 55"))
    #expect(try await eventually(within: .seconds(20)) { try value("lowpass/cutoff") == 55 })
    #expect(try await rig.ctl("undo") == "undone: session.toml: lowpass/cutoff from 1234 to 55\n")
    #expect(try value("lowpass/cutoff") == 1234)
    try await auricle.expectEnd()
  }
}
