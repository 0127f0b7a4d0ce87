// A session that follows its file, without a server.

import Configuration
import Foundation
import Graph
import GraphRender
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct SessionFollowerTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let echo = "[[unit]]\nid = \"echo\"\ncomponent = \"delay\"\n"

  @Test(arguments: UnitSwitch.allCases)
  func aUnitGoesOnWhenASwitchChanges(key: UnitSwitch) async throws {
    let rig = try await FollowedRig(Self.echo, in: folder)
    let unit = try #require(rig.unit("echo"))
    try await rig.session.ask(now: .set(path: "echo/feedback", value: .number(33)))
    let (usual, line) = (key.isUsuallyOn, "\(key.rawValue) = \(!key.isUsuallyOn)\n")
    try await rig.write(Self.echo + line)
    #expect(unit[keyPath: key.property] != usual)
    #expect(rig.session.control.history.counts.undo == 2)
    #expect(unit.parameterTree.parameter(keyPath: "feedback")?.value == 33)
    #expect(rig.text.contains(line), "\(rig.text)")
    // Undone, the default is saved. A file without the key restores it, and changes nothing else.
    try await rig.session.ask(now: .undo(steps: 1))
    #expect(unit[keyPath: key.property] == usual)
    #expect(rig.text.contains("\(key.rawValue) = \(usual)\n"))
    try await rig.session.ask(now: .redo(steps: 1))
    #expect(unit[keyPath: key.property] != usual)
    try await rig.write(Self.echo)
    #expect(unit[keyPath: key.property] == usual)
    #expect(unit.parameterTree.parameter(keyPath: "feedback")?.value == 33)
    #expect(!rig.text.contains(line))
  }

  /// A unit reports the frame of its last bypass, and only until the next one.
  @Test func theFramesOfChangesBeforeTheFileAreKnown() async throws {
    let rig = try await FollowedRig(Self.echo, in: folder)
    let compiled = try rig.session.plan.graph.compile(
      CompileOptions(sampleRate: 48_000, isOffline: true))
    func render(_ frame: Int64) {
      let cycle = RenderCycle(frame: frame, frameCount: 64)
      compiled.schedule.begin(cycle)
      compiled.schedule.render(cycle)
      compiled.schedule.end()
    }
    for (isOn, frame) in [(true, Int64(0)), (false, 64)] {
      try await rig.session.ask(now: .bypass(unit: "echo", isOn: isOn))
      render(frame)
    }
    try await rig.write(Self.echo + "bypass = true\n")
    render(128)
    let changes = rig.session.control.history.journal.reading(since: nil).changes
    #expect(changes.map(\.path) == ["echo", "echo", "session.toml"])
    #expect(changes.map(\.frame) == [0, 64, 128])
  }

  /// A SoundFont loaded for the file takes effect before units are added.
  @Test func aFileThatIsMadeAgainIsOnTheFrameOfItsFirstChange() async throws {
    for name in ["a", "b"] {
      try SoundFontMaker(presets: [.init(name: name, zones: [.init(sample: .constant())])])
        .write(to: folder.file("\(name).sf2"))
    }
    func keys(_ name: String) -> String {
      "[[unit]]\nid = \"keys\"\ncomponent = \"sampler\"\nsoundfont = \"\(name).sf2\"\n"
    }
    let rig = try await FollowedRig(keys("a"), in: folder)
    let compiled = try rig.session.plan.graph.compile(
      CompileOptions(sampleRate: 48_000, isOffline: true))
    let journal = rig.session.control.history.journal
    let last = Mutex<Int64>(0)
    journal.follow {
      SessionClock(frame: last.withLock { $0 }, period: 64, sampleRate: 48_000)
    }
    func render() {
      let cycle = RenderCycle(
        frame: last.withLock {
          $0 += 64
          return $0
        }, frameCount: 64)
      compiled.schedule.begin(cycle)
      compiled.schedule.render(cycle)
      compiled.schedule.end()
      journal.settle()
    }
    try await rig.write(keys("b") + Self.echo)
    render()
    try await rig.session.ask(now: .undo(steps: 1))
    #expect(rig.session.running.map(\.id) == ["keys"])
    render()
    try await rig.session.ask(now: .redo(steps: 1))
    #expect(rig.session.running.map(\.id) == ["keys", "echo"])
    render()
    let changes = journal.reading(since: nil).changes
    #expect(changes.map(\.source) == [.ctl, .undo, .redo])
    #expect(changes.map(\.frame) == [64, 128, 192])
  }

  /// Later errors of a unit name its line in the file as it was saved.
  @Test func savedUnitsHaveTheirLineInTheFile() async throws {
    let rig = try await FollowedRig("# Comments\n# are not kept.\n\n\n" + Self.echo, in: folder)
    try await rig.session.ask(now: .save(file: nil))
    let lines = try String(contentsOf: rig.file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let place = rig.session.control.store?.origin.configuration.units[0].id.location
    #expect(place?.line == lines.firstIndex(of: "id = \"echo\"").map { $0 + 1 })
    #expect(place?.file == rig.file.path)
  }

  // MARK: Changes by hand

  private static let pair = """
    [[unit]]
    id = "first"
    component = "filter"
    parameters = { cutoff = 900 }
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

  /// Makes unsaved edits of units, connections, mappings and scenes.
  private func edit(_ rig: FollowedRig) async throws {
    let session = rig.session
    try await session.ask(
      now: .add(unit: "own", component: "delay", settings: ["parameters.feedback=12"]))
    try await session.ask(now: .connect(from: "first", to: "own"))
    try await session.ask(now: .connect(from: "own", to: "desk"))
    try await session.ask(now: .map(path: "own/feedback", settings: ["controller=7"]))
    try await session.ask(now: .scene(.save("Own", paths: ["own"])))
    try await session.ask(now: .set(path: "own/feedback", value: .number(44)))
  }

  private func expectOwn(_ rig: FollowedRig, _ unit: AudioUnit?) {
    #expect(rig.unit("own") === unit)
    #expect(rig.value("own", "feedback") == 44)
    for text in [
      "from = \"first\"\nto = \"own\"\n", "from = \"own\"\nto = \"desk:2\"\n",
      "parameter = \"own/feedback\"\n", "name = \"Own\"\n",
    ] {
      #expect(rig.text.contains(text), "\(rig.text)")
    }
  }

  @Test func partsAddedByHandStayWhenTheFileIsWritten() async throws {
    let rig = try await FollowedRig(Self.pair, in: folder)
    try await edit(rig)
    let (first, own) = (rig.unit("first"), rig.unit("own"))
    let changed = Self.pair.replacing("900", with: "1234")
    try await rig.write(changed)
    #expect(rig.value("first", "cutoff") == 1234)
    expectOwn(rig, own)
    // A unit and a connection of the file are added, at a free input.
    try await rig.write(changed + Self.third)
    #expect(rig.unit("first") === first)
    #expect(rig.text.contains("from = \"third\"\nto = \"desk:3\"\n"), "\(rig.text)")
    expectOwn(rig, own)
    // A unit that the file removes is removed, in one step.
    try await rig.write(changed)
    #expect(rig.unit("third") == nil && !rig.text.contains("third"))
    expectOwn(rig, own)
    try await rig.session.ask(now: .undo(steps: 1))
    #expect(rig.unit("third") != nil)
    expectOwn(rig, own)
  }

  /// The file names no input, so that its own numbers differ from the session's.
  @Test func aConnectionOfTheFileIsRecognisedAtAnyInput() async throws {
    let rig = try await FollowedRig(Self.pair, in: folder)
    try await edit(rig)
    let own = rig.unit("own")
    let whole = Self.pair + Self.third
    try await rig.write(whole)
    #expect(rig.text.contains("from = \"third\"\nto = \"desk:3\"\n"), "\(rig.text)")
    let steps = rig.session.control.history.counts.undo
    try await rig.write(whole.replacing("900", with: "1234"))
    #expect(rig.session.control.history.counts.undo == steps + 1)
    #expect(rig.text.contains("from = \"third\"\nto = \"desk:3\"\n"), "\(rig.text)")
    let connection = "[[connect]]\nfrom = \"third\"\nto = \"desk\"\n"
    try await rig.write(whole.replacing("900", with: "1234").replacing(connection, with: ""))
    #expect(rig.unit("third") != nil && !rig.text.contains("from = \"third\""), "\(rig.text)")
    expectOwn(rig, own)
  }

  @Test func partsOfAUnitThatTheFileRemovesAreRemovedToo() async throws {
    let rig = try await FollowedRig(Self.pair + Self.third, in: folder)
    let session = rig.session
    try await session.ask(now: .add(unit: "own", component: "delay", settings: []))
    try await session.ask(now: .connect(from: "third", to: "own"))
    try await session.ask(now: .map(path: "third/frequency", settings: ["controller=7"]))
    try await session.ask(now: .scene(.save("Both", paths: ["third", "own"])))
    try await rig.write(Self.pair)
    #expect(rig.messages.lines.last?.text.contains("changed: the units") == true)
    #expect(rig.unit("third") == nil && rig.unit("own") != nil)
    #expect(!rig.text.contains("third") && !rig.text.contains("[[map]]"), "\(rig.text)")
    #expect(rig.text.contains("name = \"Both\""))
  }

  /// A scene of the file that names a unit missing in it is an error.
  @Test func aSceneOfTheFileIsNotMadeToFit() async throws {
    let scene = """
      [[scene]]
      name = "Loud"
      [scene.parameters]
      third.amplitude = 1

      """
    let rig = try await FollowedRig(Self.pair + Self.third + scene, in: folder)
    let third = rig.unit("third")
    try await rig.write(Self.pair + scene)
    let message = rig.messages.lines.last?.text ?? "none"
    let lines = (Self.pair + scene).split(separator: "\n", omittingEmptySubsequences: false)
    let line = lines.firstIndex { $0.contains("amplitude") } ?? -2
    #expect(message.contains("session.toml:\(line + 1):"), "\(message)")
    #expect(rig.unit("third") === third && rig.text.contains("third.amplitude"), "\(rig.text)")
  }

  @Test func partsRemovedByHandStayRemoved() async throws {
    let rig = try await FollowedRig(Self.pair + Self.third, in: folder)
    try await rig.session.ask(now: .disconnect(from: "first", to: "desk:1"))
    try await rig.session.ask(now: .remove(unit: "third"))
    try await rig.write((Self.pair + Self.third).replacing("900", with: "1234"))
    #expect(rig.value("first", "cutoff") == 1234)
    #expect(rig.unit("third") == nil && !rig.text.contains("[[connect]]"), "\(rig.text)")
  }

  /// The whole file is refused at the line of its error, including valid changes.
  @Test(arguments: [
    ("[[connect]]\nfrom = \"third:1\"\nto = \"first\"\n", "'third'"),
    ("", "unit 'third' has been removed from the session that runs"),
  ])
  func aChangeThatCannotBeChangesNothing(addition: String, reason: String) async throws {
    let rig = try await FollowedRig(Self.pair + Self.third, in: folder)
    try await rig.session.ask(now: .remove(unit: "third"))
    let (text, steps) = (rig.text, rig.session.control.history.counts.undo)
    var changed = (Self.pair + Self.third).replacing("900", with: "1234") + addition
    if addition.isEmpty {
      changed = changed.replacing(
        "component = \"tone\"", with: "component = \"tone\"\nparameters = { amplitude = 0.25 }")
    }
    let expected = changed.split(separator: "\n", omittingEmptySubsequences: false)
    try await rig.write(changed)
    let message = rig.messages.lines.last?.text ?? "none"
    let place =
      addition.isEmpty
      ? expected.firstIndex(of: "id = \"third\"") : expected.firstIndex { $0.contains("third:1") }
    #expect(message.contains("session.toml:\((place ?? -2) + 1):"), "\(message)")
    #expect(message.contains(reason), "\(message)")
    #expect(rig.text == text)
    #expect(rig.value("first", "cutoff") == 900)
    #expect(rig.session.control.history.counts.undo == steps)
    // Once the unit is back, the same file is followed.
    try await rig.session.ask(now: .undo(steps: 1))
    await rig.follower.follow(rig.file)
    #expect(rig.value("first", "cutoff") == 1234)
  }

  @Test func aUnitReplacedByHandStaysUnlessTheFileChangesIt() async throws {
    let rig = try await FollowedRig(Self.pair, in: folder)
    try await rig.session.ask(now: .replace(unit: "first", component: "delay", settings: []))
    let unit = rig.unit("first")
    try await rig.write(Self.pair + Self.third)
    #expect(rig.unit("first") === unit && rig.unit("third") != nil)
    try await rig.write(Self.pair.replacing("900", with: "1234") + Self.third)
    #expect(
      rig.messages.lines.last?.text.contains("unit 'first' has been replaced in") == true
        || rig.messages.lines.last?.text.contains("cutoff") == true)
    #expect(rig.unit("first") === unit)
    try await rig.write(
      Self.pair.replacing("\"filter\"", with: "\"eq\"").replacing(
        "parameters = { cutoff = 900 }\n", with: "") + Self.third)
    #expect(rig.unit("first")?.componentDescription.codes == "aufx/nbeq/Aurc")
  }
}
