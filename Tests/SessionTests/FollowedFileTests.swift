// A followed file as one change, applied as a whole or not at all.

import Configuration
import Effects
import Foundation
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite(.timeLimit(.minutes(5))) struct FollowedFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let text = """
    [[unit]]
    id = "first"
    component = "filter"
    preset = "Warm"
    parameters = { cutoff = 900 }
    [[unit]]
    id = "stage"
    component = "scenes"
    label = "Act 1"
    [[unit]]
    id = "other"
    component = "scenes"
    label = "Act 1"
    [[unit]]
    id = "desk"
    component = "mixer"
    [[connect]]
    from = "first"
    to = "desk"

    """

  private static let third = """
    [[unit]]
    id = "third"
    component = "tone"
    [[connect]]
    from = "third"
    to = "desk"

    """

  /// Changed values, keys, a preset, switches, units and connections.
  private static let changed =
    text.replacing("900", with: "1234").replacing("Warm", with: "Prominent")
    .replacing(
      "id = \"stage\"\ncomponent = \"scenes\"\nlabel = \"Act 1\"",
      with: "id = \"stage\"\ncomponent = \"scenes\"\nlabel = \"Act 2\"\nbypass = true"
    ).replacing("id = \"desk\"", with: "id = \"desk\"\nreset-with-transport = true") + third

  /// Returns the session's state, independent of the file's text.
  private func state(_ rig: FollowedRig) -> [String] {
    rig.session.running.map { id, unit in
      let values = unit.parameterTree.allParameters.map { "\($0.keyPath) \($0.value)" }
      let switches = "\(unit.shouldBypassEffect) \(unit.resetsWithTransport)"
      return "\(id) \(switches) \(unit.currentPreset?.name ?? "none")"
        + " \((unit as? SceneUnit)?.label ?? "") \(values)"
    } + (rig.session.control.store?.origin.configuration.connections.map { "\($0)" } ?? [])
  }

  @Test func oneUndoTakesAllOfItBackAndOneRedoMakesItAgain() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let history = rig.session.control.history
    let before = state(rig)
    try await rig.write(Self.changed)
    let after = state(rig)
    #expect(after != before && history.counts == (1, 0) && !history.isDirty)
    #expect(rig.value("first", "cutoff") == 1234)
    #expect((rig.unit("stage") as? SceneUnit)?.label == "Act 2")
    #expect(rig.unit("third") != nil)
    let entries = history.journal.reading(since: nil).changes
    #expect(entries.map(\.path) == ["session.toml"])
    for words in [
      "session.toml: the units, the connections", "first: preset 'Prominent'", "stage: label",
      "first/cutoff from", "to 1234", "stage: bypass on", "desk: reset-with-transport on",
    ] {
      #expect(entries[0].text.contains(words), "\(entries[0].text)")
    }
    try await rig.session.ask(now: .undo(steps: 1))
    #expect(state(rig) == before && history.counts == (0, 1) && history.isDirty)
    try await rig.session.ask(now: .redo(steps: 1))
    #expect(state(rig) == after && history.counts == (1, 0) && !history.isDirty)
    #expect(history.journal.reading(since: nil).changes.count == 3)
  }

  /// An entry sets its values, and no key of its unit.
  @Test func aKeyThatChangesWithAnEntryIsMadeAgainWithIt() async throws {
    func text(_ label: String, _ preset: String) -> String {
      """
      [[unit]]
      id = "stage"
      component = "scenes"
      label = "\(label)"
      preset = "\(preset)"
      [[unit.scene]]
      name = "Dark"
      parameters = { level = 1 }
      [[unit.scene]]
      name = "Bright"
      parameters = { level = 8 }
      """
    }
    let rig = try await FollowedRig(text("Act 1", "Dark"), in: folder)
    let before = state(rig)
    try await rig.write(text("Act 2", "Bright"))
    let after = state(rig)
    #expect(rig.value("stage", "level") == 8)
    #expect((rig.unit("stage") as? SceneUnit)?.label == "Act 2")
    try await rig.session.ask(now: .undo(steps: 1))
    #expect(state(rig) == before)
    try await rig.session.ask(now: .redo(steps: 1))
    #expect(state(rig) == after)
  }

  /// A value set by hand is a separate step. It stays when the file's changes are undone, or fail.
  @Test func valuesSetByHandAreNotUndoneWithTheFile() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let stage = try #require(rig.unit("stage") as? SceneUnit)
    let size = try #require(stage.parameterTree.parameter(keyPath: "size"))
    let history = rig.session.control.history
    @Sendable func set(_ value: Float) {
      history.record(SessionStep(size, of: "stage", before: size.value, after: value))
      size.value = value
    }
    stage.before("Act 2") { set(5) }
    try await rig.write(Self.changed)
    #expect(stage.label == "Act 2" && rig.value("stage", "size") == 5)
    try await rig.session.ask(now: .undo(steps: 1))
    #expect(stage.label == "Act 1" && rig.value("stage", "size") == 5)
    try await rig.session.ask(now: .undo(steps: 1))
    #expect(rig.value("stage", "size") == 0)
    stage.before("Broken") { set(7) }
    try await rig.write(Self.changed.replacing("label = \"Act 2\"", with: "label = \"Broken\""))
    #expect(rig.lastMessage.contains("label 'Broken' cannot be borne"), "\(rig.lastMessage)")
    #expect(stage.label == "Act 1" && rig.value("stage", "size") == 7)
  }

  /// An error that appears only when a key is applied is found last. All other changes are undone.
  @Test func aFailedChangeUndoesAllOthers() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let before = state(rig)
    let broken = Self.changed.replacing(
      "id = \"other\"\ncomponent = \"scenes\"\nlabel = \"Act 1\"",
      with: "id = \"other\"\ncomponent = \"scenes\"\nlabel = \"Broken\"")
    try await rig.write(broken)
    #expect(state(rig) == before)
    #expect((rig.unit("stage") as? SceneUnit)?.labelCount == 2)
    #expect(rig.session.control.history.counts == (0, 0))
    #expect(rig.session.control.history.journal.reading(since: nil).changes.isEmpty)
    let line = broken.split(separator: "\n").firstIndex { $0.contains("Broken") }
    let message = rig.lastMessage
    #expect(message.contains("session.toml was written, and nothing changed:"), "\(message)")
    #expect(message.contains("session.toml:\((line ?? -2) + 1):"), "\(message)")
    #expect(message.contains("label 'Broken' cannot be borne"), "\(message)")
    // The file can be corrected and written again.
    try await rig.write(Self.changed)
    #expect(rig.value("first", "cutoff") == 1234)
  }

  /// The line is the key's, not the unit's.
  @Test func aKeyThatIsNewInTheFileIsNamedWhereItStands() async throws {
    let rig = try await FollowedRig(
      Self.text.replacing("label = \"Act 1\"\n", with: ""), in: folder)
    let broken = Self.text.replacing(
      "id = \"other\"\ncomponent = \"scenes\"\nlabel = \"Act 1\"",
      with: "id = \"other\"\ncomponent = \"scenes\"\nlabel = \"Broken\"")
    try await rig.write(broken)
    let line = broken.split(separator: "\n").firstIndex { $0.contains("Broken") }
    #expect(
      rig.lastMessage.contains("session.toml:\((line ?? -2) + 1):1: unit 'other': "),
      "\(rig.lastMessage)")
    try await rig.write(Self.text)
    let entries = rig.session.control.history.journal.reading(since: nil).changes
    #expect(entries.map(\.text) == ["session.toml: stage: label, other: label"])
  }

  /// Errors that can be known are found before anything is changed.
  @Test(arguments: [
    ("\"Prominent\"", "\"Promised\"", "unknown preset 'Promised' in unit 'first'"),
    ("cutoff = 1234", "cutoff = 1", "cutoff"),
    ("component = \"tone\"", "component = \"player\"\nfile = \"none.wav\"", "none.wav"),
    ("from = \"third\"", "from = \"third:7\"", "third"),
  ])
  func aMistakeIsFoundBeforeAnythingIsChanged(
    old: String, new: String, reason: String
  ) async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let before = state(rig)
    let broken = Self.changed.replacing(old, with: new)
    try await rig.write(broken)
    #expect(state(rig) == before)
    #expect((rig.unit("stage") as? SceneUnit)?.labelCount == 0)
    let line = broken.split(separator: "\n").firstIndex { $0.contains(new.suffix(9)) }
    let message = rig.lastMessage
    #expect(message.contains("session.toml:\((line ?? -2) + 1):"), "\(message)")
    #expect(message.contains(reason), "\(message)")
    #expect(rig.session.control.history.counts == (0, 0))
  }

  /// An undo that fails changes nothing, and can be tried again.
  @Test func anUndoThatFailsInTheMiddleChangesNothing() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    try await rig.write(Self.changed)
    let (after, third) = (state(rig), rig.unit("third"))
    let stage = try #require(rig.unit("stage") as? SceneUnit)
    stage.refuse("Act 1")
    await #expect { try await rig.session.ask(now: .undo(steps: 1)) } throws: {
      "\($0)".contains("label 'Act 1' cannot be borne")
    }
    #expect(state(rig) == after && rig.unit("third") === third)
    #expect(rig.session.control.history.counts == (1, 0))
  }

  @Test func changesThatAFailedUndoLeavesAreReported() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let other = "id = \"other\"\ncomponent = \"scenes\"\nlabel = "
    try await rig.write(
      Self.changed.replacing(other + "\"Act 1\"", with: other + "\"Act 3\""))
    #expect((rig.unit("other") as? SceneUnit)?.label == "Act 3")
    (rig.unit("stage") as? SceneUnit)?.refuse("Act 1")
    (rig.unit("other") as? SceneUnit)?.refuse("Act 3")
    await #expect { try await rig.session.ask(now: .undo(steps: 1)) } throws: {
      let told = "\($0)"
      return told.contains("label 'Act 1' cannot be borne; not all is as it was before: ")
        && told.contains("label 'Act 3' cannot be borne")
    }
    #expect((rig.unit("other") as? SceneUnit)?.label == "Act 1")
  }

  /// A sound that fails may have changed something by then.
  @Test func aSoundThatFailsLeavesTheUnitAsItWas() async throws {
    let scenes = ["Day", "Night"].map { "[[unit.scene]]\nname = \"\($0)\"\n" }
    let rig = try await FollowedRig(
      "[[unit]]\nid = \"stage\"\ncomponent = \"scenes\"\nlabel = \"Act 1\"\n" + scenes.joined(),
      in: folder)
    let stage = try #require(rig.unit("stage") as? SceneUnit)
    let (before, preset) = (stage.settings(forDocument: true), stage.currentPreset)
    let edit = Edit.sound(
      unit: "stage", from: .state(settings: before, values: [], preset),
      to: .state(
        settings: ["scene": .integer(1), "label": .string("Broken")], values: [], nil), frame: nil)
    #expect {
      try rig.session.control.maker.make([edit])
    } throws: {
      "\($0)".contains("label 'Broken' cannot be borne")
    }
    #expect(stage.currentEntry?.name == "Day" && stage.label == "Act 1")
    #expect(stage.currentPreset == preset)
  }

  // MARK: Races

  /// Begins to follow a file, which waits halfway.
  ///
  /// - Parameter prepare: registers the given body where the file has to wait.
  /// - Returns: a function that resumes the file, and waits until it is done.
  private func begin(
    _ text: String, in rig: FollowedRig, _ prepare: (@escaping @Sendable () -> Void) -> Void
  ) async throws -> () async -> Void {
    let (hasCome, end) = (Flag(), DispatchSemaphore(value: 0))
    prepare {
      hasCome.set()
      end.wait()
      // A second call does not wait.
      end.signal()
    }
    try rig.begin(text)
    #expect(await eventually { hasCome.isSet })
    return {
      end.signal()
      await rig.late.finish()
    }
  }

  /// The body called where a followed file has to wait.
  private final class Wait: Sendable {
    let body = Mutex<(@Sendable () -> Void)?>(nil)
    let madeCount = Mutex(0)
  }

  /// A unit that the file changes is replaced while a unit is made for the file.
  @Test func aUnitOfTheFileIsMadeOnce() async throws {
    let wait = Wait()
    let counted = Component(
      description: ComponentDescription(type: .effect, subtype: "cnts", manufacturer: "Test"),
      name: "Counted", shortName: "counted"
    ) { description, _ in
      wait.madeCount.withLock { $0 += 1 }
      wait.body.withLock { $0 }?()
      return try FilterUnit(componentDescription: description)
    }
    let rig = try await FollowedRig(Self.text, in: folder, counted)
    let text =
      Self.text.replacing("900", with: "1234")
      + "[[unit]]\nid = \"third\"\ncomponent = \"counted\"\n"
    let goOn = try await begin(text, in: rig) { body in wait.body.withLock { $0 = body } }
    try await rig.session.ask(now: .replace(unit: "first", component: "filter"))
    await goOn()
    #expect(wait.madeCount.withLock { $0 } == 1)
    #expect(rig.unit("third")?.componentDescription == counted.description)
    #expect(rig.value("first", "cutoff") == 1234)
    #expect(rig.session.control.history.counts == (2, 0))
  }

  /// A unit that the file has changed is replaced while the file changes the next unit.
  @Test func aUnitReplacedMeanwhileStaysUnchanged() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let (first, stage) = (state(rig), try #require(rig.unit("stage") as? SceneUnit))
    let goOn = try await begin(Self.changed, in: rig) { stage.before("Act 2", $0) }
    try await rig.session.ask(
      now: .replace(unit: "first", component: "delay", settings: ["parameters.feedback=12"]))
    let before = state(rig)
    await goOn()
    #expect(rig.lastMessage.contains("nothing changed: "), "\(rig.lastMessage)")
    #expect(rig.lastMessage.contains("unknown preset 'Prominent' in unit 'first'"))
    #expect(state(rig) == before)
    #expect(stage.label == "Act 1" && stage.labelCount == 2)
    #expect(rig.session.control.history.counts == (1, 0))
    // The unit that an undo brings back is as before, too.
    try await rig.session.ask(now: .undo(steps: 1))
    #expect(state(rig) == first)
  }

  // MARK: Waiting for loads

  /// Begins a load that ends when the semaphore is signalled.
  private func load(_ id: String, in rig: FollowedRig) -> DispatchSemaphore {
    let end = DispatchSemaphore(value: 0)
    rig.late.begin("a load", .sound(of: id)) { end.wait() }
    return end
  }

  @Test func aLoadOfAnotherUnitDoesNotHoldItUp() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let end = load("other", in: rig)
    try rig.begin(Self.changed)
    #expect(await eventually { rig.late.count == 1 })
    #expect(rig.value("first", "cutoff") == 1234 && rig.unit("third") != nil)
    end.signal()
    await rig.late.finish()
  }

  @Test func aLoadOfAUnitThatItChangesComesFirst() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let end = load("stage", in: rig)
    try rig.begin(Self.changed)
    // The file's change, and its wait for the load.
    #expect(await eventually { rig.late.count == 3 })
    #expect(rig.value("first", "cutoff") == 900 && rig.unit("third") == nil)
    // Only changes of the file's units wait for it.
    let (late, loaded) = (rig.late, DispatchSemaphore(value: 0))
    late.begin("another", .sound(of: "first")) { loaded.signal() }
    try await rig.session.ask(now: .set(path: "other/level", value: .number(3)))
    #expect(loaded.wait(timeout: .now()) == .timedOut)
    end.signal()
    await late.finish()
    #expect(rig.value("first", "cutoff") == 1234 && rig.unit("third") != nil)
    #expect(loaded.wait(timeout: .now()) == .success)
    #expect(rig.value("other", "level") == 3)
  }

  /// Removing a unit does not wait for the file. The file then reports that it cannot change the
  /// unit.
  @Test func aUnitThatIsRemovedWhileItWaitsIsNotChanged() async throws {
    let rig = try await FollowedRig(Self.text, in: folder)
    let end = load("stage", in: rig)
    try rig.begin(Self.changed)
    #expect(await eventually { rig.late.count == 3 })
    try await rig.session.ask(now: .remove(unit: "stage"))
    end.signal()
    await rig.late.finish()
    #expect(rig.lastMessage.contains("unit 'stage' has been removed from"), "\(rig.lastMessage)")
    #expect(rig.value("first", "cutoff") == 900 && rig.unit("third") == nil)
    #expect(rig.session.control.history.counts == (1, 0))
  }
}
