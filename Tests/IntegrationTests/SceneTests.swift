// `auricle ctl scene` on a live server.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct SceneTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  @Test func scenesAreSavedListedCompletedAndLoaded() async throws {
    let server = try await JackServer.start()
    let running = try await rig.run(Configurations.filter(), on: server)
    #expect(try await rig.ctl("scene", "save", "Verse") == "")
    #expect(try await rig.ctl("scene", "save", "Low", "lowpass/cutoff") == "")
    let list = try await rig.ctl("scene", "list")
    #expect(list.contains("1 bypass, connections\nLow    1 value\n"), "\(list)")
    #expect(try await rig.ctl("status").contains("changed since"))
    let (_, names) = try await auricle(
      [
        "---completion", "ctl", "scene", "load", "--", "positional@0", "4", "0", "auricle", "ctl",
        "scene", "load", "",
      ], environment: rig.environment)
    #expect(names.standardOutput.split(separator: "\n").sorted() == ["Low", "Verse"])
    let before = try await rig.ctl("get", "lowpass/cutoff")
    _ = try await rig.ctl("set", "lowpass/cutoff", "5000")
    #expect(try await rig.ctl("scene", "load", "Verse", "--json").contains("\"frame\" : "))
    #expect(try await rig.ctl("get", "lowpass/cutoff") == before)
    #expect(try await rig.ctl("undo") == "undone: scene 'Verse'\n")
    #expect(try await rig.ctl("scene", "delete", "Low") == "")
    try await running.expectEnd()
  }
}
