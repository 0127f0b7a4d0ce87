// The connections, bypasses and number of scenes.

import Configuration
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct SceneTests {
  /// A scene restores all connections of the units it names, in any of its parts, also those to
  /// outside ports. Connections of other units stay.
  @Test(arguments: [
    ("Connections", ["a b", "b c", "c system:playback_2"]),
    ("Values", ["a b", "b system:playback_1"]),
  ])
  func aSceneHasAllConnectionsOfItsUnits(_ name: String, _ left: [String]) async throws {
    let folder = try TemporaryDirectory()
    let ids = ["a", "b", "c"]
    let rig = try await DocumentRig(
      try folder.write(
        ids.map { "[[unit]]\nid = \"\($0)\"\ncomponent = \"filter\"\n" }.joined()
          + [("a", "b"), ("b", "c"), ("b", "system:playback_1"), ("c", "system:playback_2")].map {
            Configurations.connection(from: $0, to: $1)
          }.joined()
            + """
            [[scene]]
            name = "Connections"
            connections = [{ from = "a", to = "b" }]
            [[scene]]
            name = "Values"
            parameters = { c.cutoff = 500 }
            connections = [{ from = "b", to = "system:playback_1" }]
            """, to: "scenes.toml"))
    var control = rig.control
    let editor = SessionEditor(control.units)
    let store = try #require(control.store)
    // Nothing renders: connections change at once.
    editor.executeAtOnce { edit, structure in
      store.adopt(structure)
      edit.finish(nil)
    }
    control.editor = editor
    guard case .later(let load) = try control.execute(.scene(.load(name))) else {
      Issue.record("it is loaded at once")
      return
    }
    _ = try await load.work().get()
    let connections = store.origin.configuration.connections
    #expect(connections.map { "\($0.from.value.text) \($0.to.value.text)" }.sorted() == left)
  }

  // MARK: Unchanged parts

  private func units(_ units: (id: String, component: String)...) -> String {
    units.map { "[[unit]]\nid = \"\($0.id)\"\ncomponent = \"\($0.component)\"\n" }.joined()
  }

  /// The unit was bypassed before, and stays bypassed when the scene is undone.
  @Test func aSceneTakesBackNoBypassThatItHasNotMade() async throws {
    let folder = try TemporaryDirectory()
    let rig = try await DocumentRig(
      try folder.write(
        units(("a", "filter"), ("b", "filter")) + """
          [[scene]]
          name = "Dull"
          bypass = { a = true }
          parameters = { b.cutoff = 500 }
          [[scene]]
          name = "Around"
          bypass = { a = true }

          """, to: "scenes.toml"))
    let unit = rig.control.units[0].unit
    try await rig.ask(.bypass(unit: "a", isOn: true))
    try await rig.ask(.scene(.load("Dull")))
    #expect(rig.values["b/cutoff"] == 500 && rig.control.history.counts == (2, 0))
    // The other scene changes nothing.
    try await rig.ask(.scene(.load("Around")))
    #expect(rig.control.history.counts == (2, 0))
    #expect(rig.control.history.journal.reading(since: nil).changes.count == 2)
    try await rig.ask(.undo(steps: 1))
    #expect(rig.values["b/cutoff"] == 20_000 && unit.shouldBypassEffect)
    try await rig.ask(.undo(steps: 1))
    #expect(!unit.shouldBypassEffect)
    try await rig.ask(.scene(.load("Around")))
    #expect(unit.shouldBypassEffect && rig.control.history.counts == (1, 0))
  }

  // MARK: Limits

  private func scenes(of rig: DocumentRig) -> [String] {
    rig.control.store?.origin.configuration.scenes.map(\.name.value) ?? []
  }

  @Test func aSceneHasSoManyValuesAtMost() async throws {
    let folder = try TemporaryDirectory()
    let equalizers = (1...40).map {
      "[[unit]]\nid = \"eq\($0)\"\ncomponent = \"eq\"\nbands = 16\n"
    }
    let rig = DocumentRig.editable(
      try await DocumentRig(folder.write(equalizers.joined(), to: "many.toml")).plan)
    let most = SceneConfiguration.maximumValueCount
    let paths = rig.running.flatMap { id, unit in
      unit.parameterTree.allParameters.filter(\.isMovable).map {
        SessionPath(unit: id, keyPath: $0.keyPath).text
      }
    }.prefix(most + 1)
    try #require(paths.count == most + 1)
    try await rig.ask(now: .scene(.save("All", paths: paths.dropLast())))
    #expect(
      await refusal(.scene(.save("More", paths: Array(paths))), rig)
        == "a scene of 2049 values; accepted: up to 2048: name the units or parameters that it is "
        + "to have")
    #expect(scenes(of: rig) == ["All"])
  }

  @Test func aSessionHasSoManyScenesAtMost() async throws {
    let folder = try TemporaryDirectory()
    let most = SceneConfiguration.maximumCount
    let names = (1...most).map { "Scene \($0)" }
    let rig = DocumentRig.editable(
      try await DocumentRig(
        folder.write(
          units(("a", "filter"))
            + names.map { "[[scene]]\nname = \"\($0)\"\nbypass = { a = true }\n" }.joined(),
          to: "many.toml")
      ).plan)
    #expect(await refusal(.scene(.save("More")), rig) == "129 scenes; accepted: up to 128")
    #expect(await refusal(.scene(.save("")), rig) == "'name' is empty")
    #expect(scenes(of: rig) == names)
    try await rig.ask(now: .scene(.save("Scene 7")))
    #expect(scenes(of: rig) == names)
    try await rig.ask(now: .scene(.delete("Scene 1")))
    try await rig.ask(now: .scene(.save("More")))
    #expect(scenes(of: rig) == names.dropFirst() + ["More"])
  }

  /// A saved session must be readable again.
  @Test func aSessionHasNoMoreScenesThanAFileHasRoomFor() async throws {
    let folder = try TemporaryDirectory()
    let rig = try await FollowedRig(
      "[[unit]]\nid = \"a\"\ncomponent = \"scenes\"\nlabel = \"Act\"\n", in: folder
    ).session
    func room() throws -> Int {
      let store = try #require(rig.control.store)
      return SessionConfiguration.maximumBytes - store.origin.configuration.toml.utf8.count
    }
    // Next to a scene "x" there is room for so many more letters of its name.
    try await rig.ask(now: .scene(.save("x")))
    let withOne = try room()
    let long = String(repeating: "x", count: withOne)
    try await rig.ask(now: .scene(.delete("x")))
    #expect(
      await refusal(.scene(.save(long + "xx")), rig)
        == "there is no room for it in a file; accepted: fewer scenes, or scenes of fewer values: "
        + "name units or parameters")
    #expect(scenes(of: rig) == [])
    try await rig.ask(now: .scene(.save(long + "x")))
    #expect(try room() == 0)
  }

  private func refusal(_ command: SessionCommand, _ rig: DocumentRig) async -> String {
    do { return "\(try await rig.ask(now: command))" } catch { return "\(error)" }
  }
}
