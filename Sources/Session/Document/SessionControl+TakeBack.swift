// Undo and redo of changes of a running session.

import SessionModel
import UnitModel

extension SessionControl {
  /// Undoes or redoes the last steps, one after the other.
  ///
  /// - Parameter change: the number of the change after which all are undone; nil for `steps`.
  func takeBack(
    _ steps: Int, to change: Int? = nil, isUndo: Bool
  ) throws(SessionCommandError) -> Outcome {
    guard steps > 0 else { throw SessionCommandError("\(steps) steps", accepted: "1 or more") }
    if change != nil, steps != 1 {
      throw SessionCommandError("undo takes steps, or the change to go back to: give one of them")
    }
    let history = history
    let restorer = StepRestorer(maker: maker, late: late, isUndo: isUndo)
    return later(isUndo ? "undo" : "redo", Claims([.history])) {
      let steps = try change.map { try history.stepsToUndo(after: $0) } ?? steps
      let count = isUndo ? history.counts.undo : history.counts.redo
      guard steps <= count else {
        let verb = isUndo ? "undo" : "redo"
        throw SessionCommandError(
          count == 0 ? "there is nothing to \(verb)" : "there are not \(steps) steps to \(verb)",
          accepted: count == 0 ? nil : "1 to \(count)")
      }
      var done: [ChangeReading] = []
      do {
        for _ in 0..<steps {
          guard let step = try await restorer.restoreNext() else { break }
          done.append(ChangeReading(path: step.path, text: step.text, isUndone: isUndo))
        }
      } catch {
        let before =
          done.isEmpty ? "" : "; done before: " + done.map(\.text).joined(separator: ", ")
        throw SessionCommandError("\(error)\(before)")
      }
      return .changes(done)
    }
  }
}

/// Undoes or redoes steps.
private struct StepRestorer: Sendable {
  let maker: EditMaker
  let late: LateWork
  let isUndo: Bool

  private var history: SessionHistory { maker.history }

  /// Restores the next step, once all its claims are free.
  ///
  /// - Returns: the step; nil if there is none.
  func restoreNext() async throws -> SessionStep? {
    while let step = history.next(isUndo: isUndo) {
      // Its units are loaded before other changes have to wait for it.
      _ = try await wake(step)
      let sounds = Set(step.sounds(maker).map { Claim.sound($0) })
      let isDone = try await late.holding(Claims(sounds)) {
        guard step.changesStructure else { return try await restore(step, nil) }
        return try await late.holding(Claims([.structure])) {
          try await restore(step, wake(step))
        }
      }
      if isDone { return step }
    }
    return nil
  }

  /// Returns the structure that a step leads to, with released units recreated; nil if the step has
  /// none.
  private func wake(_ step: SessionStep) async throws -> SessionStructure? {
    guard let store = maker.store,
      let structure = step.edits(isUndo: isUndo).lazy.compactMap(\.structure).first
    else { return nil }
    return try await history.wake(structure, store.origin)
  }

  /// - Returns: false if another change was made first.
  private func restore(_ step: SessionStep, _ structure: SessionStructure?) async throws -> Bool {
    let (history, maker, isUndo) = (history, maker, isUndo)
    if step.isFixed {
      guard history.isNext(step, isUndo: isUndo) else { return false }
      history.leaveOut(step)
      throw SessionCommandError(
        "this cannot be undone: \(step.text)", accepted: "another undo, for what was before it")
    }
    let isDone = try await maker.restore(
      step.edits(isUndo: isUndo), structure, if: { history.isNext(step, isUndo: isUndo) },
      record: { frame in
        if isUndo { history.didUndo(step) } else { history.didRedo(step) }
        maker.noteRamps(of: isUndo ? [] : step.edits)
        history.journal.add(
          step.text, path: step.path, frame ?? .none,
          by: ChangeAuthor(isUndo ? .undo : .redo, client: ChangeAuthor.current.client))
      })
    if structure != nil, let store = maker.store {
      history.letRest(but: maker.running(), store.origin)
    }
    return isDone
  }
}

extension SessionHistory {
  /// Returns the number of steps to undo, so that nothing changed after a change.
  fileprivate func stepsToUndo(after change: Int) throws(SessionCommandError) -> Int {
    let last = journal.changeCount - 1
    guard change >= -1, change <= last else {
      throw SessionCommandError(
        "there is no change \(change)",
        accepted: "the number of one in the journal, \(last) at most; -1 for the start")
    }
    guard let steps = steps(after: change) else {
      throw SessionCommandError(
        "changes after \(change) are too old to undo", accepted: "a later change")
    }
    guard steps > 0 else {
      throw SessionCommandError("there is nothing to undo after change \(change)")
    }
    return steps
  }
}

extension SessionStep {
  /// Whether it waits for changes of units and connections, and for scenes.
  fileprivate var changesStructure: Bool { isTogether || edits.contains { $0.structure != nil } }

  /// Returns the ids of units whose whole sound it changes.
  fileprivate func sounds(_ maker: EditMaker) -> [String] {
    edits.compactMap { edit in
      switch edit {
      case .value(let value):
        maker.isMadeReady(value.keyPath, of: value.unit) ? value.unit : nil
      case .sound(let id, _, _, _): id
      case .switch, .structure: nil
      }
    }
  }
}
