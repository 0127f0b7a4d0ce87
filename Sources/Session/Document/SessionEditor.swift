// The way of changes to the thread that runs a session.

import SessionModel
import Synchronization
import UnitModel

/// A change of a running session, for which everything is ready.
struct SessionEdit: Sendable {
  /// What the session is made of from then on; nil for what it is made of.
  var structure: SessionStructure?
  /// The ids of units that go and ring out.
  var ringingOut: Set<String> = []
  /// Where the structure begins; nil for at once.
  var frame: Int64?
  /// Whether it is only to be found out what is wrong with it.
  var isTrial = false
  /// What is made before the structure begins, once nothing is wrong with it.
  var first: FirstEdits?
  /// The rest of it, once the session has the structure: nothing else is done between both.
  ///
  /// - Parameter frame: on which the structure began; nil where nothing renders, and without one.
  let finish: @Sendable (_ frame: Int64?) -> Void
  /// Called in place of that, where the structure cannot be; nothing has changed then.
  let refuse: @Sendable (any Error) -> Void
}

/// What comes to the thread that runs a session from others.
enum SessionTask: Sendable {
  case edit(SessionEdit)
  /// What a program has done there.
  case program(@Sendable (JackSession) -> Void)
}

/// The way of changes to the thread that runs a session. On it alone a session becomes another one.
package final class SessionEditor: Sendable {
  private let current: Mutex<[(id: String, unit: AudioUnit)]>
  let door = SessionDoor<SessionTask>()
  let mixing = SessionMixing()

  init(_ units: [(id: String, unit: AudioUnit)]) { current = Mutex(units) }

  /// The units as they are now.
  var units: [(id: String, unit: AudioUnit)] { current.withLock { $0 } }

  func setUnits(_ units: [(id: String, unit: AudioUnit)]) { current.withLock { $0 = units } }

  /// Has something done for a program.
  ///
  /// - Throws: what `work` answers; also that the session ends.
  func run(
    _ work: @escaping @Sendable (JackSession, OneAnswer<Void>) -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let answer = OneAnswer { done.resume(with: $0) }
      door.post(.program { work($0, answer) })
    }
  }

  /// Has the session be another one, as a whole.
  ///
  /// - Parameter body: changes the session; waits for nothing.
  /// - Throws: what `body` throws; also that the session ends.
  func commit<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await edit(nil) { _ in try body() }
  }

  /// Gives the session another structure, and waits until what goes has faded, or rings out.
  ///
  /// - Parameters:
  ///   - structure: nil for what it has.
  ///   - ringingOut: the ids of units that go and ring out.
  ///   - frame: where it begins, which is near; nil for at once.
  ///   - isTrial: whether it is only to be found out what is wrong with it.
  ///   - first: what is made before it begins, once nothing is wrong with it.
  ///   - finish: what the change is besides, done once the session has the structure: with the
  ///     frame on which that began, nil where nothing renders.
  /// - Returns: what `finish` returns.
  /// - Throws: what is wrong with it, and nothing has changed then; also what `finish` throws.
  ///
  /// Whoever gives one holds the claim of the structure.
  func edit<Value: Sendable>(
    _ structure: SessionStructure?, ringingOut: Set<String> = [], frame: Int64? = nil,
    isTrial: Bool = false, first: FirstEdits? = nil,
    finish: @escaping @Sendable (Int64?) throws -> Value
  ) async throws -> Value {
    let author = ChangeAuthor.current
    return try await withCheckedThrowingContinuation {
      (done: CheckedContinuation<Value, any Error>) in
      let answer = OneAnswer<Value> { done.resume(with: $0) }
      let edit = SessionEdit(
        structure: structure, ringingOut: ringingOut, frame: frame, isTrial: isTrial, first: first,
        finish: { frame in
          ChangeAuthor.$current.withValue(author) { answer.give(Result { try finish(frame) }) }
        }, refuse: { answer.give(.failure($0)) })
      door.post(.edit(edit))
    }
  }

  /// Finds what is wrong with a structure for the session as it is, and changes nothing.
  func check(_ structure: SessionStructure) async throws {
    try await edit(structure, isTrial: true) { _ in }
  }
}
