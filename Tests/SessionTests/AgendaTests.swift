// Values set for future frames.

import BuiltInUnits
import Configuration
import Foundation
import Synchronization
import TestSupport
import Testing
import UnitHost
import UnitModel

@testable import Session
@testable import SessionModel

/// Counts frames, and the readings of its clock.
private final class FrameCounter: Sendable {
  private let state = Mutex((frame: Int64(0), asked: 0))

  var asked: Int { state.withLock { $0.asked } }

  func set(_ frame: Int64) { state.withLock { $0.frame = frame } }

  var clock: SessionClock {
    state.withLock { state in
      state.asked += 1
      return SessionClock(frame: state.frame, period: 16, sampleRate: 48_000)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct AgendaTests {
  private let folder: TemporaryDirectory
  private var rig: DocumentRig
  private let counter = FrameCounter()
  private let unit: AudioUnit
  private let host: DirectHost

  init() async throws {
    folder = try TemporaryDirectory()
    let registry = try BuiltInComponents.makeRegistry()
    try registry.register(SceneUnit.component)
    let file = try folder.write(
      """
      [[unit]]
      id = "lowpass"
      component = "filter"
      parameters = { cutoff = 900 }
      [[unit]]
      id = "stage"
      component = "scenes"
      parameters = { level = 1, size = 5 }
      [[unit.scene]]
      name = "quiet"
      parameters = { level = 2 }
      [[unit.scene]]
      name = "loud"
      parameters = { level = 8 }
      [[unit]]
      id = "piano"
      component = "sampler"
      """, to: "a.toml")
    rig = DocumentRig(try await SessionBuilder(registry: registry).build(contentsOf: file))
    unit = try #require(rig.control.units.first?.unit)
    try unit.allocateRenderResources()
    host = try DirectHost(unit)
    let (units, store, counter) = (rig.control.units, rig.control.store, counter)
    rig.control = SessionControl(
      units: units, sampleRate: 48_000, endOutside: {},
      status: { SessionStatus(client: "x", server: "default", units: units.count) },
      store: store, history: SessionHistory(gesture: .zero), clock: { counter.clock })
  }

  private var control: SessionControl { rig.control }
  private var agenda: SessionAgenda { control.agenda }
  private var history: SessionHistory { control.history }
  private var cutoff: Float? { unit.parameterTree.parameter(keyPath: "cutoff")?.value }

  private static func set(_ value: Double, at frame: Int64?) -> SessionCommand {
    .set(path: "lowpass/cutoff", value: .number(value), frame: frame)
  }

  /// Renders up to a frame.
  ///
  /// - Returns: the cutoff values that sounded on the way, without repetitions.
  @discardableResult
  private func render(to frame: Int64) async throws -> [Float] {
    var values: [Float] = []
    while Int64(host.frame) < frame {
      counter.set(Int64(host.frame))
      for item in agenda.takeNear(counter.clock) { try await rig.ask(item.command) }
      _ = try host.render(16)
      if let cutoff, values.last != cutoff { values.append(cutoff) }
    }
    return values
  }

  @Test func aValueWaitsAndIsAStepOnceItsFrameIsNear() async throws {
    try await rig.ask(Self.set(700, at: 48_000))
    #expect(agenda.count == 1 && history.counts == (0, 0) && !history.isDirty)
    #expect(history.journal.reading(since: nil).changes.isEmpty)
    try await render(to: 48_000 - 12_000)
    #expect(agenda.count == 1)
    try await render(to: 48_000 - 12_000 + 16)
    #expect(agenda.count == 0 && history.counts == (1, 0))
    // The value is set on its frame.
    #expect(try await render(to: 48_000) == [900])
    #expect(try await render(to: 48_016) == [700])
    let changes = history.journal.reading(since: nil).changes
    #expect(changes.map(\.text) == ["lowpass/cutoff from 900 to 700"])
    #expect(changes.map(\.frame) == [48_000])
    guard case .changes(let undone) = try await rig.ask(.undo(steps: 1)) else { return }
    #expect(undone.map(\.text) == ["lowpass/cutoff from 900 to 700"])
    #expect(try await render(to: 48_064) == [900])
  }

  @Test func undoRestoresTheValueAtTheFrameOfTheChange() async throws {
    try await rig.ask(Self.set(700, at: 48_000))
    try await rig.ask(Self.set(1200, at: nil))
    try await render(to: 48_016)
    try await rig.ask(.undo(steps: 1))
    #expect(try await render(to: 48_064) == [1200])
    // Of two pending values, the second one follows the first.
    try await rig.ask(Self.set(600, at: 50_001))
    try await rig.ask(Self.set(500, at: 50_000))
    #expect(agenda.count == 0)
    try await render(to: 51_000)
    try await rig.ask(.undo(steps: 1))
    try await render(to: 51_064)
    #expect(cutoff == 600)
  }

  /// The undo's values are sent after the values that they take back.
  @Test func anUndoBeforeTheFrameComesOnIt() async throws {
    for command in [
      Self.set(700, at: 6_000), .together([Self.set(700, at: nil)], frame: 6_000),
    ] {
      let start = Int64(host.frame)
      let frame = start + 6_000
      let moved: SessionCommand =
        if case .together = command { .together([Self.set(700, at: nil)], frame: frame) } else {
          Self.set(700, at: frame)
        }
      counter.set(start)
      try await rig.ask(moved)
      #expect(agenda.count == 0)
      try await rig.ask(.undo(steps: 1))
      #expect(try await render(to: frame + 64) == [900])
      // And once more, with a redo.
      let next = Int64(host.frame) + 6_000
      counter.set(Int64(host.frame))
      try await rig.ask(Self.set(700, at: next))
      try await rig.ask(.undo(steps: 1))
      try await rig.ask(.redo(steps: 1))
      #expect(try await render(to: next) == [900])
      #expect(try await render(to: next + 64) == [700])
      try await rig.ask(.undo(steps: 1))
      try await render(to: next + 128)
    }
  }

  /// An entry sets the values it names. Its undo waits until the entry has begun.
  @Test func anEntryIsTakenBackOnceItHasBegun() async throws {
    let stage = try #require(control.units[1].unit as? SceneUnit)
    try await rig.ask(.entry(unit: "stage", .name("loud"), frame: 48_000))
    #expect(stage.currentEntry?.name == "quiet" && agenda.count == 1)
    counter.set(40_000)
    for item in agenda.takeNear(counter.clock) { try await rig.ask(item.command) }
    #expect(stage.currentEntry?.name == "loud" && history.counts == (1, 0))
    let asked = counter.asked
    guard case .later(let late) = try control.execute(.undo(steps: 1)) else { return }
    let undo = Task { await late.work() }
    #expect(await eventually { counter.asked > asked + 4 })
    #expect(stage.currentEntry?.name == "loud")
    counter.set(48_000)
    _ = try await undo.value.get()
    #expect(stage.currentEntry?.name == "quiet")
  }

  @Test func itIsInTheOrderOfFrames() throws {
    let agenda = SessionAgenda()
    var random = SeededRandom(seed: 5)
    for number in 0..<200 {
      try agenda.add(
        SessionAgenda.Item(
          frame: Int64.random(in: 0..<40, using: &random), command: .status, path: "",
          text: "\(number)", count: 1, author: ChangeAuthor(.ctl)))
    }
    let early = agenda.takeNear(SessionClock(frame: -11_980, period: 16, sampleRate: 48_000))
    #expect(early.allSatisfy { $0.frame <= 20 } && agenda.count == 200 - early.count)
    let all = early + agenda.takeNear(SessionClock(frame: 0, period: 16, sampleRate: 48_000))
    #expect(all.count == 200 && agenda.count == 0)
    for (first, second) in zip(all, all.dropFirst()) {
      #expect(
        first.frame < second.frame
          || (first.frame == second.frame && Int(first.text)! < Int(second.text)!))
    }
  }

  @Test func itIsBoundedAndPanicForgetsIt() async throws {
    let values = Array(repeating: Self.set(700, at: nil), count: 256)
    for _ in 0..<15 { try await rig.ask(.together(values, frame: .max)) }
    for _ in 0..<255 { try await rig.ask(Self.set(700, at: .max)) }
    #expect(agenda.count == SessionAgenda.capacity - 1)
    #expect(
      await rig.refusal(.together(Array(values.prefix(2)), frame: .max)).contains(
        "there is no room for 2 more values: 4095 of 4096 wait for their frames"))
    try await rig.ask(Self.set(700, at: .max))
    #expect(await rig.refusal(Self.set(700, at: .max)).contains("panic, which forgets them"))
    // Values for near frames are still accepted.
    try await rig.ask(Self.set(800, at: 100))
    try await rig.ask(.panic)
    #expect(agenda.count == 0)
  }

  @Test func mistakesAreRefusedAtOnce() async throws {
    for (command, reason) in [
      (Self.set(1, at: 99_999), "out of range"),
      (.set(path: "lowpass/cut", value: .number(1), frame: 99_999), "unknown parameter"),
      (.set(path: "piano/polyphony", value: .number(9), frame: 99_999), "cannot be scheduled"),
      (
        .set(path: "piano/polyphony", value: .number(9), rampMilliseconds: 4, frame: 99_999),
        "polyphony"
      ),
      (.entry(unit: "stage", .name("lood"), frame: 99_999), "did you mean 'loud'"),
      (.together([Self.set(700, at: nil), Self.set(1, at: nil)], frame: 99_999), "command 2"),
      (.together([Self.set(700, at: 4)], frame: 99_999), "a frame of its own"),
    ] {
      let refusal = await rig.refusal(command)
      #expect(refusal.contains(reason), "\(refusal)")
    }
    #expect(agenda.count == 0)
  }
}
