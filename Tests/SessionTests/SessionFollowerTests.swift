// A session that follows its file, without a server.

import Configuration
import Foundation
import Logging
import TestSupport
import Testing
import UnitModel

@testable import Session

@Suite struct SessionFollowerTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A session of a file, which is written and followed.
  private struct Rig {
    let file: URL
    let session: DocumentRig
    let follower: SessionFollower

    init(_ text: String, in folder: TemporaryDirectory) async throws {
      file = try folder.write(text, to: "session.toml")
      session = try await DocumentRig(file)
      let store = try #require(session.control.store)
      follower = SessionFollower(
        store: store, history: session.control.history,
        editor: SessionEditor(session.control.units), log: Logger(label: "test"))
    }

    func write(_ text: String) async throws {
      try Data(text.utf8).write(to: file)
      await follower.follow(file)
    }

    func unit(_ id: String) -> AudioUnit? { session.control.units.first { $0.id == id }?.unit }

    /// As the session would be saved.
    var text: String { session.document?.configuration.toml ?? "" }
  }

  private static let echo = "[[unit]]\nid = \"echo\"\ncomponent = \"delay\"\n"

  @Test func aUnitGoesOnWhenItIsToBeResetWithTheTransport() async throws {
    let rig = try await Rig(Self.echo, in: folder)
    let unit = try #require(rig.unit("echo"))
    try await rig.session.ask(.set(path: "echo/feedback", value: .number(33)))
    let key = "reset-with-transport = true\n"
    try await rig.write(Self.echo + key)
    #expect(unit.resetsWithTransport)
    #expect(rig.session.control.history.counts.undo == 2)
    #expect(unit.parameterTree.parameter(keyPath: "feedback")?.value == 33)
    #expect(rig.text.contains(key), "\(rig.text)")
    // Undone it is saved so, and a file that says the same as before changes nothing.
    try await rig.session.ask(.undo(steps: 1))
    #expect(!unit.resetsWithTransport)
    #expect(rig.text.contains("reset-with-transport = false\n"))
    try await rig.session.ask(.redo(steps: 1))
    #expect(unit.resetsWithTransport)
    try await rig.write(Self.echo)
    #expect(!unit.resetsWithTransport)
    #expect(unit.parameterTree.parameter(keyPath: "feedback")?.value == 33)
    #expect(!rig.text.contains(key))
  }

  /// What is wrong with a unit later names its line in the file as it was saved.
  @Test func whatWasSavedStandsWhereItIsInItsFile() async throws {
    let rig = try await Rig("# Comments\n# are not kept.\n\n\n" + Self.echo, in: folder)
    try await rig.session.ask(.save(file: nil))
    let lines = try String(contentsOf: rig.file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let place = rig.session.control.store?.origin.configuration.units[0].id.location
    #expect(place?.line == lines.firstIndex(of: "id = \"echo\"").map { $0 + 1 })
    #expect(place?.file == rig.file.path)
  }
}
