// The lifetime and the counted memory of removed units.

import BuiltInUnits
import Configuration
import Effects
import Foundation
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite(.timeLimit(.minutes(5))) struct ShelfTests {
  private struct Weak { weak var unit: AudioUnit? }

  private let history = SessionHistory()
  private let folder: TemporaryDirectory
  private let origin: SessionOrigin
  private let start = ContinuousClock.now

  init() async throws {
    folder = try TemporaryDirectory()
    let file = try folder.write(Self.text(label: "small"), to: "session.toml")
    let registry = try BuiltInComponents.makeRegistry()
    try registry.register(SceneUnit.component)
    origin = try await SessionBuilder(registry: registry).build(contentsOf: file).origin
  }

  private static func text(label: String) -> String {
    "[[unit]]\nid = \"stage\"\ncomponent = \"scenes\"\nlabel = \"\(label)\"\n"
  }

  /// Returns a structure of one unit.
  private func structure(label: String = "small") async throws -> SessionStructure {
    var configured = origin.configuration.units[0]
    configured.keys.set("label", to: ConfigurationValue(.string(label)))
    let builder = SessionBuilder(registry: origin.registry, environment: [:])
    let unit = try await builder.makeUnit(configured, file: nil)
    return SessionStructure(
      units: [.init(configuration: configured, unit: unit)], connections: [], mappings: [],
      scenes: [])
  }

  private func replace(_ former: SessionStructure, _ next: SessionStructure, at seconds: Int) {
    history.record(
      history.step("replaced", path: "stage", from: former, to: next, file: origin.file))
    letRest(but: next, at: seconds)
  }

  private func letRest(but running: SessionStructure, at seconds: Int) {
    history.letRest(
      but: running.units.map { ("stage", $0.unit) }, origin, now: start + .seconds(seconds))
  }

  private func isDue(at seconds: Int) -> Bool {
    history.withUnits { $0.beginLettingGo(start + .seconds(seconds)) }
  }

  @Test func aUnitThatWasRemovedStaysForTwoMinutes() async throws {
    let next = try await structure()
    let former: Weak = try await {
      let first = try await structure()
      replace(first, next, at: 0)
      return Weak(unit: first.units[0].unit)
    }()
    #expect(!isDue(at: 119))
    letRest(but: next, at: 119)
    #expect(former.unit != nil && history.withUnits(\.idle).count == 1)
    #expect(isDue(at: 120))
    // The release is due once, until it is done.
    #expect(!isDue(at: 121))
    letRest(but: next, at: 120)
    #expect(former.unit == nil && history.withUnits(\.idle).isEmpty)
    #expect(!isDue(at: 1000))
  }

  /// A unit about to be restored is kept for another two minutes.
  @Test func theWaitOfARestoredUnitRestarts() async throws {
    let (first, next) = (try await structure(), try await structure())
    replace(first, next, at: 0)
    let kept = try #require(history.next(isUndo: true)?.structures)
    _ = try await history.wake(kept.before, origin, now: start + .seconds(100))
    #expect(!isDue(at: 219))
    #expect(isDue(at: 220))
    // A restored unit is not on the shelf.
    letRest(but: first, at: 219)
    #expect(history.withUnits(\.idle).map { $0 === next.units[0].unit } == [true])
  }

  /// The program still holds its units.
  @Test func aUnitOfAProgramComesBackAsItself() async throws {
    let own = try await structure()
    history.withUnits { $0.note(given: own.units.map(\.unit)) }
    var now = own
    for number in 0..<KeptUnits.maximumAwake + 4 {
      let next = try await structure()
      replace(now, next, at: 200 * number)
      now = next
    }
    let steps = history.counts.undo
    for number in 0..<steps {
      _ = try await history.takeBack { step in
        now = try await history.wake(try #require(step.structures).before, origin)
      }
      #expect((now.units[0].unit === own.units[0].unit) == (number == steps - 1))
    }
  }

  /// The session's own thread checks, and the release waits for changes of the structure.
  @Test func unitsAreLetGoBesideChangesOfStructure() async throws {
    let rig = try await FollowedRig(
      Self.text(label: "a") + Self.text(label: "b").replacing("stage", with: "second"), in: folder)
    let session = rig.session
    let (history, late) = (session.control.history, session.control.late)
    let editor = try #require(session.control.editor)
    let store = try #require(session.control.store)
    try await session.ask(now: .remove(unit: "second"))
    let end = DispatchSemaphore(value: 0)
    late.begin("an edit", Claims([.structure])) { end.wait() }
    history.letRest(of: editor, store, late, now: .now + .seconds(121))
    #expect(await eventually { late.count == 2 })
    #expect(history.withUnits(\.idle).count == 1)
    end.signal()
    #expect(await eventually { history.withUnits(\.idle).isEmpty })
    try await session.ask(now: .undo(steps: 1))
    #expect((rig.unit("second") as? SceneUnit)?.label == "b")
  }

  // MARK: Memory

  @Test func theMemoryToRestoreAUnitIsCounted() async throws {
    let (first, next) = (try await structure(label: "12345"), try await structure())
    replace(first, next, at: 0)
    let awake = history.byteCount
    letRest(but: next, at: 120)
    let small = history.byteCount - awake
    #expect(small > 0)
    // Counted to the byte.
    let other = SessionHistory()
    let long = try await structure(label: String(repeating: "x", count: 1_005))
    other.record(other.step("replaced", path: "", from: long, to: next, file: nil))
    other.letRest(but: next.units.map { ("stage", $0.unit) }, origin, now: start)
    let before = other.byteCount
    other.letRest(
      but: next.units.map { ("stage", $0.unit) }, origin, now: start + .seconds(120))
    #expect(other.byteCount - before == small + 1_000)
    // A restored unit is no longer counted.
    let kept = try #require(other.next(isUndo: true)?.structures)
    _ = try await other.wake(kept.before, origin)
    #expect(other.byteCount == before)
  }

  @Test func unitsThatAreLetGoAreForgottenBeyondTheirBytes() async throws {
    let label = String(repeating: "x", count: 8 << 20)
    var now = try await structure()
    for number in 0..<20 {
      let next = try await structure(label: label)
      replace(now, next, at: 200 * number)
      now = next
      #expect(history.byteCount <= SessionHistory.maximumBytes + (16 << 20))
    }
    letRest(but: now, at: 5_000)
    #expect(history.byteCount <= SessionHistory.maximumBytes)
    #expect((3..<9).contains(history.counts.undo), "\(history.counts)")
  }
}
