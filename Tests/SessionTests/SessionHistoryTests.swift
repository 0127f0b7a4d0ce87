// Undo and redo of changes made by commands.

import Configuration
import Effects
import Foundation
import SamplerUnit
import SessionTestSupport
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct SessionHistoryTests {
  private let folder: TemporaryDirectory
  private let rig: DocumentRig

  init() async throws {
    folder = try TemporaryDirectory()
    rig = try await DocumentRig(
      try folder.write(
        """
        [[unit]]
        id = "lowpass"
        component = "filter"
        parameters = { cutoff = 900.0 }
        [[unit]]
        id = "piano"
        component = "sampler"
        soundfont = "a.sf2"
        \(Configurations.liveSet(in: folder))
        """, to: "session.toml"))
  }

  /// A fixed step that changes nothing has the number of the step before it.
  @Test func aPartJoinsItsOwnStepAndNoFixedOne() throws {
    let history = SessionHistory()
    let part = SessionStep(
      "a: reset", path: "a", .switch(.resetWithTransport, unit: "a", from: false, to: true))
    let own = history.record(part, at: .none)
    history.record(
      SessionStep(fixed: "a: saved", path: "a", isChange: false), at: .none)
    history.extend(own, with: part, at: .none)
    let fixed = try #require(history.next(isUndo: true))
    #expect(fixed.isFixed && fixed.edits.isEmpty)
    history.leaveOut(fixed)
    #expect(history.next(isUndo: true)?.edits.count == 2)
  }

  private var document: SessionDocument { rig.plan.document }
  private var isDirty: Bool { rig.control.history.isDirty }

  private func set(_ path: String, _ value: Double) async throws {
    try await rig.ask(.set(path: path, value: .number(value)))
  }

  /// Commands of all kinds, far enough apart to be separate steps.
  private var commands: [SessionCommand] {
    [
      .set(path: "lowpass/cutoff", value: .number(1000)), .bypass(unit: "lowpass", isOn: true),
      .preset(unit: "lowpass", .load("Warm")), .set(path: "piano/reverb/on", value: .boolean(true)),
      .soundFont(unit: "piano", file: folder.file("b.sf2").path), .entry(unit: "set", .number(1)),
      .set(path: "set/gain", value: .number(-11)), .entry(unit: "set", .name("zero")),
      .preset(unit: "set", .load("one")), .set(path: "lowpass/resonance", value: .number(3)),
      .soundFont(unit: "set", file: folder.file("b.sf2").path),
      .bypass(unit: "lowpass", isOn: false),
    ]
  }

  @Test func everyKindOfChangeIsTakenBackAndMadeAgain() async throws {
    var documents = [document]
    for command in commands {
      try await rig.ask(command)
      documents.append(document)
      #expect(documents[documents.count - 2] != documents.last, "\(command)")
    }
    for step in (0..<commands.count).reversed() {
      #expect(isDirty)
      guard case .changes(let changes) = try await rig.ask(.undo(steps: 1)) else { return }
      #expect(changes.count == 1 && changes[0].isUndone)
      #expect(document == documents[step], "\(commands[step])")
    }
    #expect(!isDirty)
    #expect(await rig.refusal(.undo(steps: 1)) == "there is nothing to undo")
    for step in 0..<commands.count {
      try await rig.ask(.redo(steps: 1))
      #expect(document == documents[step + 1], "\(commands[step])")
    }
    #expect(await rig.refusal(.redo(steps: 1)) == "there is nothing to redo")
    #expect(
      await rig.refusal(.undo(steps: commands.count + 1))
        == "there are not 13 steps to undo; accepted: 1 to 12")
    #expect(document == documents.last)
    try await rig.ask(.undo(steps: commands.count))
    #expect(document == documents[0])
    try await rig.ask(.redo(steps: 3))
    #expect(document == documents[3])
    // Another change discards the undone steps.
    try await set("lowpass/cutoff", 50)
    #expect(await rig.refusal(.redo(steps: 1)) == "there is nothing to redo")
  }

  @Test func randomWalksComeBack() async throws {
    var rig = rig
    // Each value is a separate step.
    rig.control.history = SessionHistory(gesture: .zero)
    var random = SeededRandom(seed: 5)
    var documents = [document]
    for _ in 0..<150 {
      let (steps, undone) = rig.control.history.counts
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where steps > 0:
        let count = Int.random(in: 1...min(steps, 3), using: &random)
        try await rig.ask(.undo(steps: count))
        #expect(document == documents[steps - count])
      case 1 where undone > 0:
        try await rig.ask(.redo(steps: 1))
        #expect(document == documents[steps + 1])
      default:
        let before = rig.control.history.point
        try await rig.ask(commands.randomElement(using: &random)!)
        guard rig.control.history.point != before else { continue }
        let now = rig.control.history.counts.undo
        documents = Array(documents.prefix(now)) + [document]
      }
    }
    try await rig.ask(.undo(steps: rig.control.history.counts.undo))
    #expect(document == documents[0])
  }

  @Test func aFaderThatIsMovedIsOneStep() async throws {
    var rig = rig
    // Independent of this machine's speed.
    rig.control.history = SessionHistory(gesture: .seconds(3600))
    func set(_ path: String, _ value: Double) async throws {
      try await rig.ask(.set(path: path, value: .number(value)))
    }
    for value in 0..<50 { try await set("lowpass/cutoff", Double(1000 + value)) }
    try await set("lowpass/resonance", 1)
    try await rig.ask(.bypass(unit: "piano", isOn: true))
    try await set("lowpass/cutoff", 2000)
    #expect(rig.control.history.counts.undo == 4)
    guard case .changes(let changes) = try await rig.ask(.undo(steps: 4)) else { return }
    #expect(
      changes.map(\.text) == [
        "lowpass/cutoff from 1049 to 2000", "piano: bypass on",
        "lowpass/resonance from 0.00 to 1.00",
        "lowpass/cutoff from 900 to 1049",
      ])
    #expect(rig.values["lowpass/cutoff"] == 900)
    try await rig.ask(.redo(steps: 1))
    #expect(rig.values["lowpass/cutoff"] == 1049)
    // Two faders moved at once are two steps. The one moved last is undone first.
    for value in 1...20 {
      try await set("piano/pan", Double(value))
      try await set("piano/gain", Double(-value))
    }
    guard case .changes(let both) = try await rig.ask(.undo(steps: 2)) else { return }
    #expect(both.map(\.text) == ["piano/gain from 0 to -20", "piano/pan from 64 to 20"])
    #expect(rig.control.history.counts.undo == 1)
    // A later value is another step, and so is one after a save.
    let time = SteppedTime()
    let history = SessionHistory(time: time)
    let parameter = rig.control.units[0].unit.parameterTree.allParameters[0]
    for (milliseconds, count) in [(0, 1), (900, 1), (900, 1), (1100, 2)] {
      time.advance(by: .milliseconds(milliseconds))
      history.record(SessionStep(parameter, of: "lowpass", before: 0, after: 1))
      #expect(history.counts.undo == count)
    }
    history.didSave(history.point)
    time.advance(by: .milliseconds(100))
    history.record(SessionStep(parameter, of: "lowpass", before: 0, after: 1))
    #expect(history.counts.undo == 3 && history.isDirty)
  }

  @Test func aCommandInBetweenEndsTheRedoSteps() async throws {
    let history = SessionHistory()
    func record(_ id: String) {
      history.record(SessionStep(.bypass, of: id, before: false, after: true))
    }
    record("lowpass")
    let undone = try await history.takeBack { _ in record("piano") }
    #expect(undone?.path == "lowpass")
    #expect(history.counts == (1, 0))
    _ = try await history.takeBack { _ in }
    let redone = try await history.redo { _ in record("set") }
    #expect(redone?.path == "piano")
    #expect(history.counts == (1, 0))
    #expect(try await history.takeBack { _ in }?.path == "set")
  }

  @Test func valuesSetTogetherAreListedInOrder() async throws {
    let (history, store) = (rig.control.history, rig.control.store)
    let control = SessionControl(
      units: rig.control.units, sampleRate: 48_000, endOutside: {}, status: rig.control.status,
      store: store, history: history)
    try rig.control.units[0].unit.allocateRenderResources()
    let values = [1000, 2000, 300].map {
      SessionCommand.set(path: "lowpass/cutoff", value: .number($0))
    }
    guard case .later = try control.execute(.together(values, frame: nil)) else {
      Issue.record("the values are set at once")
      return
    }
    guard case .changes(let changes) = try await rig.ask(.undo(steps: 1)) else { return }
    #expect(
      changes.map(\.text) == [
        """
        lowpass/cutoff from 900 to 1000, lowpass/cutoff from 1000 to 2000, \
        lowpass/cutoff from 2000 to 300
        """
      ])
    #expect(rig.values["lowpass/cutoff"] == 900)
  }

  @Test func whetherItIsSavedIsKnown() async throws {
    #expect(!isDirty)
    // Neither changes without a command nor refused commands count.
    rig.control.units[0].unit.parameterTree.allParameters[0].value = 300
    _ = await rig.refusal(.set(path: "lowpass/cutoff", value: .number(1)))
    #expect(!isDirty)
    try await set("lowpass/resonance", 2)
    #expect(isDirty)
    let file = folder.file("saved.toml").path
    try await rig.ask(.save(file: file))
    #expect(!isDirty)
    try await rig.ask(.undo(steps: 1))
    #expect(isDirty)
    try await rig.ask(.redo(steps: 1))
    #expect(!isDirty)
    try await rig.ask(.bypass(unit: "lowpass", isOn: false))
    #expect(!isDirty, "it was not bypassed")
    try await rig.ask(.panic)
    #expect(!isDirty)
    _ = await rig.refusal(.save(file: "/none/x"))
    try await set("lowpass/resonance", 3)
    _ = await rig.refusal(.save(file: "/none/x"))
    #expect(isDirty)
  }

  @Test func changesThatCannotBeUndoneAreRefused() async throws {
    let unit = rig.control.units[0].unit
    unit.presetStore = PresetStore(
      component: unit.componentDescription, root: folder.file("presets"))
    try await set("lowpass/cutoff", 100)
    try await rig.ask(.preset(unit: "lowpass", .save("Mine")))
    try await rig.ask(.preset(unit: "lowpass", .delete("Mine")))
    for text in ["preset 'Mine' deleted", "preset 'Mine' saved"] {
      let refusal = await rig.refusal(.undo(steps: 1))
      #expect(refusal.contains("cannot be undone: lowpass: \(text)"), "\(refusal)")
      #expect(rig.values["lowpass/cutoff"] == 100)
    }
    try await rig.ask(.undo(steps: 1))
    #expect(rig.values["lowpass/cutoff"] == 900)
    // A missing SoundFont.
    try await rig.ask(.soundFont(unit: "piano", file: folder.file("b.sf2").path))
    try FileManager.default.removeItem(at: folder.file("a.sf2"))
    let before = document
    #expect(await rig.refusal(.undo(steps: 1)).contains("a.sf2"))
    #expect(document == before)
  }

  @Test func observersGetUndoneAndRedoneValues() async throws {
    let told = Mutex<[Float]>([])
    let parameter = rig.control.units[0].unit.parameterTree.allParameters[0]
    let token = parameter.token(byAddingParameterObserver: { _, value in
      told.withLock { $0.append(value) }
    })
    try await set("lowpass/cutoff", 100)
    try await rig.ask(.undo(steps: 1))
    try await rig.ask(.redo(steps: 1))
    #expect(told.withLock { $0 } == [100, 900, 100])
    parameter.removeParameterObserver(token)
  }

  @Test func itsMemoryIsBounded() async throws {
    let history = SessionHistory()
    for number in 0..<SessionHistory.capacity + 200 {
      history.record(
        SessionStep(.bypass, of: "lowpass", before: number % 2 == 0, after: number % 2 == 1))
    }
    #expect(
      (SessionHistory.capacity * 15 / 16...SessionHistory.capacity).contains(history.counts.undo))
    while try await history.takeBack({ _ in }) != nil {}
    #expect(history.isDirty, "the start cannot be reached any more")
    let large = SessionHistory()
    let most = SessionHistory.maximumBytes >> 20
    for _ in 0..<most * 2 {
      let settings: StateDictionary = ["a": .data(Data(count: 1 << 20))]
      let edit = Edit.sound(
        unit: "lowpass", from: .state(settings: settings, values: [], nil),
        to: .state(settings: [:], values: [], nil), frame: nil)
      large.record(SessionStep("x", of: "lowpass", [edit]))
    }
    #expect((most * 3 / 4...most).contains(large.counts.undo))
  }

  /// The sounding value during a ramp is neither saved nor restored by an undo.
  @Test func aRampIsSavedAtItsEnd() async throws {
    let path = SessionPath("lowpass/cutoff")
    rig.control.history.startRamp(of: path, to: 5000, milliseconds: 60_000)
    try await rig.ask(.save(file: folder.file("saved.toml").path))
    #expect(
      try await DocumentRig(folder.file("saved.toml")).values["lowpass/cutoff"] == 5000)
    try await set("lowpass/cutoff", 100)
    try await rig.ask(.undo(steps: 1))
    #expect(rig.values["lowpass/cutoff"] == 5000)
  }
}
