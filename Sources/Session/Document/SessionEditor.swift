// Changes sent to the thread that runs a session.

import SessionModel
import Synchronization
import UnitModel

/// A change of a running session, prepared in full.
struct SessionEdit: Sendable {
  /// The session's new structure; nil if it stays.
  var structure: SessionStructure?
  /// Ids of removed units that ring out.
  var ringingOut: Set<String> = []
  /// Frame at which the structure begins; nil for at once.
  var frame: Int64?
  /// Whether the structure is only checked.
  var isTrial = false
  /// Edits made before the structure begins, once it has passed the check.
  var first: FirstEdits?
  /// The rest of the change, called once the session has the structure. Nothing else is done
  /// between both.
  ///
  /// - Parameter frame: the frame at which the structure began; nil if nothing renders or the
  ///   structure stays.
  let finish: @Sendable (_ frame: Int64?) -> Void
  /// Called instead of `finish` if the structure is refused; nothing has changed then.
  let refuse: @Sendable (any Error) -> Void
}

/// Work sent to the thread that runs a session.
enum SessionTask: Sendable {
  case edit(SessionEdit)
  /// Work of a program.
  case program(@Sendable (JackSession) -> Void)
}

/// Sends changes to the thread that runs a session. Only that thread changes a session.
package final class SessionEditor: Sendable {
  private let current: Mutex<[(id: String, unit: AudioUnit)]>
  let door = SessionDoor<SessionTask>()
  let mixing = SessionMixing()

  init(_ units: [(id: String, unit: AudioUnit)]) { current = Mutex(units) }

  /// Current units of the session.
  var units: [(id: String, unit: AudioUnit)] { current.withLock { $0 } }

  func setUnits(_ units: [(id: String, unit: AudioUnit)]) { current.withLock { $0 = units } }

  /// Runs a program's work on the session's thread.
  ///
  /// - Throws: the error that `work` answers; also if the session ends.
  func run(
    _ work: @escaping @Sendable (JackSession, OneAnswer<Void>) -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let answer = OneAnswer { done.resume(with: $0) }
      door.post(.program { work($0, answer) })
    }
  }

  /// Changes the session in one go, on the thread that runs it.
  ///
  /// - Parameter body: changes the session; waits for nothing.
  /// - Throws: the error of `body`; also if the session ends.
  func commit<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await edit(nil) { _ in try body() }
  }

  /// Gives the session another structure, and waits until removed parts have faded, or ring out.
  ///
  /// - Parameters:
  ///   - structure: the new structure; nil if it stays.
  ///   - ringingOut: the ids of removed units that ring out.
  ///   - frame: the frame at which it begins, in the near future; nil for at once.
  ///   - isTrial: whether the structure is only checked.
  ///   - first: edits made before it begins, once it has passed the check.
  ///   - finish: the rest of the change, called once the session has the structure, with the frame
  ///     at which that began; nil if nothing renders.
  /// - Returns: the result of `finish`.
  /// - Throws: the fault of the structure, with nothing changed; also the error of `finish`.
  ///
  /// The caller holds the claim of the structure.
  func edit<Value: Sendable>(
    _ structure: SessionStructure?, ringingOut: Set<String> = [], frame: Int64? = nil,
    isTrial: Bool = false, first: FirstEdits? = nil,
    finish: @escaping @Sendable (Int64?) throws -> Value
  ) async throws -> Value {
    let (author, line) = (ChangeAuthor.current, ChangeCommand.current)
    return try await withCheckedThrowingContinuation {
      (done: CheckedContinuation<Value, any Error>) in
      let answer = OneAnswer<Value> { done.resume(with: $0) }
      let edit = SessionEdit(
        structure: structure, ringingOut: ringingOut, frame: frame, isTrial: isTrial, first: first,
        finish: { frame in
          ChangeAuthor.$current.withValue(author) {
            ChangeCommand.$current.withValue(line) { answer.give(Result { try finish(frame) }) }
          }
        }, refuse: { answer.give(.failure($0)) })
      door.post(.edit(edit))
    }
  }

  /// Checks whether the session can take a structure, and changes nothing.
  func check(_ structure: SessionStructure) async throws {
    try await edit(structure, isTrial: true) { _ in }
  }
}
