// The connections of a scene.

import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct SceneTests {
  /// All of the units that it names, by whatever, also to the outside, and none of others.
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
    // Nothing renders: whatever the connections are, they are so at once.
    editor.open(
      {
        store.adopt($0.structure)
        $0.finish(.success(nil))
      }, errands: { _ in })
    control.editor = editor
    guard case .later(let load) = try control.carryOut(.scene(.load(name))) else {
      Issue.record("it is loaded at once")
      return
    }
    _ = try await load.work().get()
    let connections = store.origin.configuration.connections
    #expect(connections.map { "\($0.from.value.text) \($0.to.value.text)" }.sorted() == left)
  }
}
