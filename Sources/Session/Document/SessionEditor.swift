// The way of changes of structure to the thread that runs a session.

import SessionModel
import Synchronization
import UnitModel

/// A structure that a running session is to get.
final class SessionEdit: Sendable {
  let structure: SessionStructure
  /// The ids of units that go and ring out.
  let ringingOut: Set<String>
  /// Where it begins; nil for at once.
  let frame: Int64?
  /// What is to be done before it, once nothing is wrong with it.
  let others: (@Sendable () throws -> Void)?
  private let answer: Mutex<(@Sendable (Result<Int64?, any Error>) -> Void)?>

  init(
    _ structure: SessionStructure, ringingOut: Set<String>, frame: Int64?,
    with others: (@Sendable () throws -> Void)?,
    _ answer: @escaping @Sendable (Result<Int64?, any Error>) -> Void
  ) {
    self.structure = structure
    self.ringingOut = ringingOut
    self.frame = frame
    self.others = others
    self.answer = Mutex(answer)
  }

  /// An edit that nobody has carried out was refused.
  deinit {
    answer.withLock { $0 }?(.failure(SessionCommandError("the session ends")))
  }

  /// - Parameter result: the frame on which the change began; nil where nothing renders.
  func finish(_ result: Result<Int64?, any Error>) { answer.withLock { $0.take() }?(result) }
}

/// The way of changes of structure to the thread that runs a session.
package final class SessionEditor: Sendable {
  private struct State {
    var units: [(id: String, unit: AudioUnit)]
    var send: (@Sendable (SessionEdit) -> Void)?
    var sendErrand: (@Sendable (ProgramErrand) -> Void)?
    /// What has come before the session was run.
    var early: [ProgramErrand]? = []
  }

  private let state: Mutex<State>
  let mixing = SessionMixing()

  init(_ units: [(id: String, unit: AudioUnit)]) { state = Mutex(State(units: units)) }

  /// The units as they are now.
  var units: [(id: String, unit: AudioUnit)] { state.withLock { $0.units } }

  func setUnits(_ units: [(id: String, unit: AudioUnit)]) { state.withLock { $0.units = units } }

  func open(
    _ send: @escaping @Sendable (SessionEdit) -> Void,
    errands: @escaping @Sendable (ProgramErrand) -> Void
  ) {
    let early = state.withLock { state in
      (state.send, state.sendErrand) = (send, errands)
      defer { state.early = nil }
      return state.early ?? []
    }
    for errand in early { errands(errand) }
  }

  /// What has not been carried out is refused.
  func close() { state.withLock { ($0.send, $0.sendErrand) = (nil, nil) } }

  /// One that comes before the session is run waits for that.
  func send(_ errand: ProgramErrand) {
    let send = state.withLock { state in
      state.early?.append(errand)
      return state.sendErrand
    }
    send?(errand)
  }

  /// Gives the session another structure, and waits until what goes has faded, or rings out.
  ///
  /// - Parameters:
  ///   - ringingOut: the ids of units that go and ring out.
  ///   - frame: where it begins, which is near; nil for at once.
  ///   - others: what is to be done before it, once nothing is wrong with it.
  /// - Returns: the frame on which the change began; nil where nothing renders.
  /// - Throws: what is wrong with it; nothing has changed then.
  ///
  /// Whoever calls it holds the claim of the structure.
  @discardableResult
  func edit(
    _ structure: SessionStructure, ringingOut: Set<String> = [], frame: Int64? = nil,
    with others: (@Sendable () throws -> Void)? = nil
  ) async throws -> Int64? {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Int64?, any Error>) in
      let edit = SessionEdit(
        structure, ringingOut: ringingOut, frame: frame, with: others
      ) {
        done.resume(with: $0)
      }
      state.withLock { $0.send }?(edit)
    }
  }
}

extension SessionEditor {
  /// Finds what is wrong with a structure for the session as it is, and changes nothing.
  func check(_ structure: SessionStructure) async throws {
    struct IsFine: Error {}
    do { try await edit(structure) { throw IsFine() } } catch is IsFine {}
  }
}
