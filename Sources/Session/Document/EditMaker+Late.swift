// Changes prepared off the thread that runs a session.

import Configuration
import SessionModel
import Synchronization
import UnitModel

extension EditMaker {
  /// Maximum number of values of one unit that are set at once, without waiting for room.
  private static let mostAtOnce = 256

  /// The maker for the session's own thread, where nothing waits.
  var atOnce: EditMaker {
    var maker = self
    maker.waitsForRoom = false
    return maker
  }

  /// Whether edits need not wait for a file, a frame or room.
  func areAtOnce(_ edits: [Edit]) -> Bool {
    let counts = Dictionary(edits.compactMap(\.unit).map { ($0, 1) }, uniquingKeysWith: +)
    return counts.values.allSatisfy { $0 <= Self.mostAtOnce } && edits.allSatisfy { isAtOnce($0) }
  }

  private func isAtOnce(_ edit: Edit) -> Bool {
    switch edit {
    case .value(let value): !isMadeReady(value.keyPath, of: value.unit)
    case .switch: true
    // A selected entry replaces another only once it has begun.
    case .sound(_, _, .entry, _): rendersNow && edit.frame(toComeAt: clock()) == nil
    case .sound(let id, _, .state(let settings, let values, _), _):
      settings == nil && values.count <= Self.mostAtOnce
        && !values.contains { isMadeReady($0.keyPath, of: id) }
    case .structure: false
    }
  }

  /// Whether a unit prepares the values of a parameter off the render thread.
  func isMadeReady(_ keyPath: String, of id: String) -> Bool {
    unit(id)?.parameterTree.parameter(keyPath: keyPath)?.flags.contains(.nonRealTime) ?? false
  }

  // MARK: Atomic changes

  /// Changes the session on the thread that runs it.
  ///
  /// - Parameter body: makes the change; waits for nothing.
  func commit<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    guard let editor else { return try body() }
    return try await editor.commit(body)
  }

  /// Makes edits of a step again, or their inverses, and records that: all of them, or none.
  /// Nothing else changes in between, unless an edit waits.
  ///
  /// - Parameters:
  ///   - structure: the session's structure after the edits; nil if it stays.
  ///   - isMeant: whether the edits are still to be made.
  ///   - record: called with the time at which the first edit takes effect; nil if there is none.
  /// - Returns: false if the edits are no longer to be made; nothing has changed then.
  func restore(
    _ edits: [Edit], _ structure: SessionStructure?, if isMeant: @escaping @Sendable () -> Bool,
    record: @escaping @Sendable (ChangeFrame?) -> Void
  ) async throws -> Bool {
    guard let editor, let structure,
      let place = edits.firstIndex(where: { $0.structure != nil })
    else { return try await restore(edits, if: isMeant, record: record) }
    guard isMeant() else { return false }
    let (before, after) = (Array(edits[..<place]), Array(edits[(place + 1)...]))
    var done: [Edit] = []
    do {
      let (start, isDone) = try await edit(structure, behind: before, .own, by: editor) {
        _, start in (start, Result { try recordAtOnce(after, from: start, record) })
      }
      done = Array(edits[...place])
      if try !isDone.get() {
        let own = try await makeWaiting(after, .own)
        done = edits
        try await commit { record(start ?? own) }
      }
    } catch { throw await takeBack(done, because: error) }
    return true
  }

  /// Makes edits of existing units, then gives the session another structure, as one change.
  ///
  /// - Parameters:
  ///   - ringingOut: the ids of removed units that ring out.
  ///   - frame: the frame at which the structure begins; nil for at once.
  ///   - finish: the rest of the change, as in `SessionEditor.edit`. `start` is when the first edit
  ///     of all takes effect; nil if nothing renders.
  /// - Throws: the error of an edit or of the structure; nothing has changed then. `finish` throws
  ///   nothing.
  func edit<Value: Sendable>(
    _ structure: SessionStructure, behind edits: [Edit], _ moment: Moment,
    ringingOut: Set<String> = [], frame: Int64? = nil, by editor: SessionEditor,
    finish: @escaping @Sendable (_ frame: Int64?, _ start: ChangeFrame?) -> Value
  ) async throws -> Value {
    if areAtOnce(edits) {
      let first = FirstEdits(edits, moment, by: self)
      return try await editor.edit(
        structure, ringingOut: ringingOut, frame: frame, first: first
      ) { finish($0, first.frame ?? $0.map { .known($0) }) }
    }
    let start = try await makeWaiting(edits, moment)
    do {
      return try await editor.edit(structure, ringingOut: ringingOut, frame: frame) {
        finish($0, start)
      }
    } catch { throw takeBack(edits, moment, because: error) }
  }

  /// Makes edits of single units again, without a change of structure.
  private func restore(
    _ edits: [Edit], if isMeant: @escaping @Sendable () -> Bool,
    record: @escaping @Sendable (ChangeFrame?) -> Void
  ) async throws -> Bool {
    let isDone = try await commit {
      isMeant() ? try recordAtOnce(edits, from: nil, record) : nil
    }
    guard let isDone else { return false }
    if !isDone {
      let start = try await makeWaiting(edits, .own)
      try await commit { record(start) }
    }
    return true
  }

  /// - Parameter start: when the change takes effect, if a part of it is already made.
  /// - Returns: false if an edit waits; nothing has changed then.
  /// - Thread: the one that runs the session.
  private func recordAtOnce(
    _ edits: [Edit], from start: ChangeFrame?, _ record: (ChangeFrame?) -> Void
  ) throws -> Bool {
    guard areAtOnce(edits) else { return false }
    let own = try atOnce.make(edits, .own)
    record(start ?? own)
    return true
  }

  /// Makes waiting edits, off the thread that runs the session.
  private func makeWaiting(_ edits: [Edit], _ moment: Moment) async throws -> ChangeFrame? {
    while edits.contains(where: { !$0.isValue && $0.frame(toComeAt: clock()) != nil }) {
      try await Task.sleep(for: .milliseconds(5))
    }
    return try make(edits, moment)
  }

  // MARK: Taking back

  /// Restores the state before the edits, after one of them has failed.
  ///
  /// - Returns: the error, with those of edits that could not be taken back.
  func takeBack(_ edits: [Edit], because error: any Error) async -> any Error {
    var left: [any Error] = []
    await takeBack(edits) { left.append($0) }
    return Self.failure(error, leaving: left)
  }

  /// Restores the state before the edits.
  ///
  /// - Parameter report: receives the reason if an edit cannot be taken back.
  func takeBack(_ edits: [Edit], report: (any Error) -> Void) async {
    for edit in edits.reversed().map(\.inverse) {
      do {
        if let former = edit.structure {
          guard let editor, let store else { continue }
          let structure = try await history.wake(former, store.origin)
          try await editor.edit(structure) { _ in }
        } else {
          _ = try make([edit], .own)
        }
      } catch { report(error) }
    }
  }
}

/// Edits made before a structure begins, as part of the same change.
final class FirstEdits: Sendable {
  private let edits: [Edit]
  private let moment: EditMaker.Moment
  private let maker: EditMaker
  private let start = Mutex<ChangeFrame?>(nil)

  init(_ edits: [Edit], _ moment: EditMaker.Moment, by maker: EditMaker) {
    (self.edits, self.moment, self.maker) = (edits, moment, maker.atOnce)
  }

  var isEmpty: Bool { edits.isEmpty }

  /// Time at which the first edit takes effect, once they are made; nil if there is none.
  var frame: ChangeFrame? { start.withLock { $0 } }

  /// - Thread: the one that runs the session.
  func make() throws {
    let frame = try maker.make(edits, moment)
    start.withLock { $0 = frame }
  }

  /// Takes the edits back if the structure is refused.
  ///
  /// - Returns: the reason for the refusal, with the errors of edits that could not be taken back.
  /// - Thread: the one that runs the session.
  func takeBack(because error: any Error) -> any Error {
    maker.takeBack(edits, moment, because: error)
  }
}
