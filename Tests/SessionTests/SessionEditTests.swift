// Edits of a session's whole structure.

import Configuration
import SessionTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct SessionEditTests {
  private let folder: TemporaryDirectory
  private let host: StillHost
  private let session: JackSession

  init() async throws {
    folder = try TemporaryDirectory()
    let plan = try await DocumentRig(
      folder.write(
        """
        [[unit]]
        id = "first"
        component = "filter"
        [[unit]]
        id = "second"
        component = "filter"
        [[scene]]
        name = "Verse"
        parameters = { first.cutoff = 400.0 }
        connections = [{ from = "first", to = "second" }]

        """, to: "session.toml")
    ).plan
    host = StillHost(plan)
    session = JackSession(plan, on: host, SteppedTime(), RecentNotices(), log: LogRecorder().logger)
  }

  /// A session's number of connections, and its undo and redo steps.
  private struct Seen: Equatable {
    let connections: Int
    let undo: Int
    let redo: Int
  }

  private static let connect = SessionCommand.connect(from: "first", to: "second")
  private static let disconnect = SessionCommand.disconnect(from: "first", to: "second")

  /// A structure and its step change together: a reader sees both, or neither.
  @Test(.timeLimit(.minutes(5)), arguments: [true, false])
  func aStructureIsStoredWithItsStep(hasHost: Bool) async throws {
    if !hasHost { session.host = nil }
    let seen = Mutex<[Seen]>([])
    // Edits follow one another.
    nonisolated(unsafe) let session = session
    session.editor.door.open { task in
      guard case .edit(let edit) = task else { return }
      session.execute(edit)
      let counts = session.history.counts
      seen.withLock {
        $0.append(
          Seen(
            connections: session.store.origin.configuration.connections.count, undo: counts.undo,
            redo: counts.redo))
      }
    }
    defer { session.editor.door.close() }
    for command in [
      Self.connect, .undo(steps: 1), .redo(steps: 1), Self.disconnect, .scene(.load("Verse")),
      .undo(steps: 1),
    ] {
      guard case .later(let late) = try session.control.execute(command) else { continue }
      _ = try await late.work().get()
    }
    let changes = seen.withLock { $0 }.reduce(into: [Seen]()) { changes, next in
      if changes.last != next { changes.append(next) }
    }
    #expect(
      changes == [
        Seen(connections: 1, undo: 1, redo: 0), Seen(connections: 0, undo: 0, redo: 1),
        Seen(connections: 1, undo: 1, redo: 0), Seen(connections: 0, undo: 2, redo: 0),
        Seen(connections: 1, undo: 3, redo: 0), Seen(connections: 0, undo: 2, redo: 1),
      ])
  }

  /// The connections are made once a server is back.
  @Test(.timeLimit(.minutes(5))) func aSceneIsLoadedWithoutAServer() async throws {
    session.host = nil
    nonisolated(unsafe) let session = session
    session.editor.door.open { if case .edit(let edit) = $0 { session.execute(edit) } }
    defer { session.editor.door.close() }
    guard case .later(let load) = try session.control.execute(.scene(.load("Verse"))) else {
      return
    }
    #expect(try await load.work().get() == .done)
    #expect(try cutoff() == 400)
    #expect(session.store.origin.configuration.connections.map(\.to.value.unit) == ["second"])
  }

  /// Gives the session another structure, after a value of an existing unit.
  ///
  /// - Returns: the result, or the error.
  private func edit(cutoff: Float) throws -> String {
    let become = Mutex("nothing")
    let control = session.control
    let parameter = try control.parameter(at: "first/cutoff").1
    let step = SessionStep(parameter, of: "first", before: parameter.value, after: cutoff)
    let structure = SessionStructure(session.store.origin.configuration, control.units)
    session.execute(
      SessionEdit(
        structure: structure, first: FirstEdits(step.edits, .on(nil), by: control.maker),
        finish: { _ in become.withLock { $0 = "done" } },
        refuse: { error in become.withLock { $0 = "\(error)" } }))
    return become.withLock { $0 }
  }

  private func cutoff() throws -> Float {
    try session.control.parameter(at: "first/cutoff").1.value
  }

  @Test func aRefusedStructureUndoesTheChangesBeforeIt() throws {
    let before = try cutoff()
    host.refusal = "no more ports"
    #expect(try edit(cutoff: 500) == "no more ports")
    #expect(try cutoff() == before && host.changeCount == 0)
    host.refusal = nil
    #expect(try edit(cutoff: 500) == "done")
    #expect(try cutoff() == 500 && host.changeCount == 1)
  }

  /// If one unit gets more values than its reserved room, they may have to wait.
  @Test func manyValuesOfOneUnitAreNotSetAtOnce() throws {
    let maker = session.control.maker
    func values(of unit: String, _ count: Int) throws -> [Edit] {
      let parameter = try session.control.parameter(at: "\(unit)/cutoff").1
      return (0..<count).flatMap {
        SessionStep(parameter, of: unit, before: Float($0), after: 500).edits
      }
    }
    let (first, second) = (try values(of: "first", 257), try values(of: "second", 256))
    #expect(maker.areAtOnce(Array(first.dropLast()) + second))
    #expect(!maker.areAtOnce(first) && !maker.areAtOnce(second + first))
    let sound = UnitSound.state(
      settings: nil, values: Array(repeating: ("cutoff", 500), count: 257), nil)
    #expect(!maker.areAtOnce([.sound(unit: "first", from: sound, to: sound, frame: nil)]))
  }

  /// A trial changes nothing.
  @Test func aTrialChangesNothing() throws {
    let structure = SessionStructure(
      session.store.origin.configuration, session.control.units)
    let before = try cutoff()
    let isFine = Flag()
    let parameter = try session.control.parameter(at: "first/cutoff").1
    let step = SessionStep(parameter, of: "first", before: before, after: 700)
    session.execute(
      SessionEdit(
        structure: structure, isTrial: true,
        first: FirstEdits(step.edits, .on(nil), by: session.control.maker),
        finish: { _ in isFine.set() }, refuse: { _ in }))
    #expect(isFine.isSet && host.changeCount == 0)
    #expect(try cutoff() == before)
  }
}
