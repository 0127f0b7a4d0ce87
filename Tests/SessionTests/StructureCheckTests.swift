// Structures that are only checked, or refused: playing units stay unchanged.

import BuiltInUnits
import Configuration
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct StructureCheckTests {
  private let folder: TemporaryDirectory
  private let rig: DocumentRig
  private let inputs: BusArray

  init() async throws {
    folder = try TemporaryDirectory()
    rig = try await DocumentRig(
      try folder.write(
        """
        [[unit]]
        id = "voice"
        component = "filter"
        [[unit]]
        id = "desk"
        component = "mixer"
        [[connect]]
        from = "voice"
        to = "desk"
        """, to: "session.toml"))
    inputs = try #require(rig.control.units.first { $0.id == "desk" }).unit.inputBusses
  }

  /// Executes a command as a session does. If its plan is taken, opens the inputs.
  private func ask(_ command: SessionCommand, taking: Bool = false) async throws {
    var control = rig.control
    let editor = SessionEditor(control.units)
    // Used by one thread at a time.
    nonisolated(unsafe) let plan = rig.plan
    editor.executeAtOnce { edit, structure in
      do {
        let next = try plan.following(structure)
        try next.graph.check()
        if taking { try next.graph.openInputs() }
        edit.finish(nil)
      } catch { edit.refuse(error) }
    }
    control.editor = editor
    guard case .later(let late) = try control.execute(command) else { return }
    _ = try await late.work().get()
  }

  @Test(arguments: ["cutoff", "=1", "cut off=1", "cutoff=1\nbypass=true", "name=\u{1}"])
  func aSettingIsAKeyAndAValueOnOneLine(setting: String) {
    #expect(throws: SessionCommandError.self) {
      try SessionControl.lines(of: [setting], for: "[[unit]]")
    }
  }

  @Test func aRefusedChangeMakesNoInput() async throws {
    let before = inputs.count
    for wrong in [("desk", "voice"), ("voice", "desk:5"), ("voice", "desk:17")] {
      await #expect(throws: SessionCommandError.self) {
        try await ask(
          .together([
            .connect(from: "voice", to: "desk:5"), .connect(from: wrong.0, to: wrong.1),
          ]))
      }
    }
    await #expect(throws: SessionCommandError.self) {
      try await ask(.connect(from: "desk", to: "desk:9"))
    }
    #expect(inputs.count == before)
  }

  @Test func aPlanMakesInputsOnceItIsTaken() async throws {
    let before = inputs.count
    try await ask(.connect(from: "voice", to: "desk:5"))
    #expect(inputs.count == before)
    try await ask(.connect(from: "voice", to: "desk:5"), taking: true)
    #expect(inputs.count == 5)
  }

  @Test func aSceneThatIsCheckedMakesNoInput() throws {
    let before = inputs.count
    let configuration = try SessionConfiguration(
      toml: """
        [[unit]]
        id = "voice"
        component = "filter"
        [[unit]]
        id = "desk"
        component = "mixer"
        [[scene]]
        name = "Wide"
        connections = [{ from = "voice", to = "desk:8" }]
        """, file: "scenes.toml", kinds: BuiltInComponents.configurable)
    let builder = SessionBuilder(registry: rig.plan.origin.registry)
    try builder.check(configuration.scenes, units: rig.control.units)
    #expect(inputs.count == before)
  }

  /// Inputs added by the same change are known by their names, in any order.
  @Test func anInputOfTheSameChangeIsKnownByItsName() async throws {
    try await ask(
      .together([
        .add(unit: "other", component: "filter"), .connect(from: "voice", to: "desk:5"),
        .connect(from: "other", to: "desk:Input 4"),
      ]))
  }
}
