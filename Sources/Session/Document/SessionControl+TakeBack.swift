// Changes of a running session are taken back, and made again.

import SessionModel
import UnitModel

extension SessionControl {
  /// Takes the last steps back, or makes them again, one after the other.
  func takeBack(_ steps: Int, isUndo: Bool) throws(SessionCommandError) -> Outcome {
    guard steps > 0 else { throw SessionCommandError("\(steps) steps", accepted: "1 or more") }
    let history = history
    let restorer = StepRestorer(
      history: history, running: running, editor: editor, store: store, late: late,
      rendersNow: sampleRate != nil, clock: clock, isUndo: isUndo)
    return later(isUndo ? "undo" : "redo", Claims([.history])) {
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

/// Takes steps back, or makes them again.
private struct StepRestorer: Sendable {
  let history: SessionHistory
  let running: @Sendable () -> [(id: String, unit: AudioUnit)]
  let editor: SessionEditor?
  let store: SessionStore?
  let late: LateWork
  let rendersNow: Bool
  let clock: @Sendable () -> SessionClock?
  let isUndo: Bool

  /// Restores the step that is next, once all is free that it needs.
  ///
  /// - Returns: nil where there is none.
  func restoreNext() async throws -> SessionStep? {
    while let step = history.next(isUndo: isUndo) {
      // What it needs is loaded before others have to wait for it.
      _ = try await wake(step)
      let sounds = Set(step.sounds(running()).map { Claim.sound($0) })
      let isDone = try await late.holding(Claims(sounds)) {
        guard step.changesStructure else { return try await restore(step, []) }
        return try await late.holding(Claims([.structure])) {
          try await restore(step, wake(step))
        }
      }
      if isDone { return step }
    }
    return nil
  }

  /// The structures that a step leads to, with units that were let go of made anew.
  private func wake(_ step: SessionStep) async throws -> [SessionStructure] {
    guard let store else { return [] }
    var awake: [SessionStructure] = []
    for structure in step.edits(isUndo: isUndo).compactMap(\.structure) {
      awake.append(try await history.wake(structure, store.origin))
    }
    return awake
  }

  /// - Returns: false where another change has come before it.
  private func restore(_ step: SessionStep, _ awake: [SessionStructure]) async throws -> Bool {
    // Of several the first.
    var frame: ChangeFrame?
    func apply(_ step: SessionStep) async throws { frame = try await self.apply(step, awake) }
    let isDone =
      isUndo ? try await history.takeBack(step, apply) : try await history.redo(step, apply)
    guard isDone else { return false }
    history.journal.add(
      step.text, path: step.path, frame ?? .none,
      by: ChangeAuthor(isUndo ? .undo : .redo, client: ChangeAuthor.current.client))
    return true
  }

  /// Makes all edits of a step, or none.
  ///
  /// - Returns: when the first takes effect.
  private func apply(_ step: SessionStep, _ awake: [SessionStructure]) async throws -> ChangeFrame?
  {
    if step.isFixed {
      throw SessionCommandError(
        "this cannot be undone: \(step.text)", accepted: "another undo, for what was before it")
    }
    var frame: ChangeFrame?
    var awake = awake[...]
    var done: [Edit] = []
    do {
      for edit in step.edits(isUndo: isUndo) {
        guard edit.structure != nil else {
          history.journal.settle()
          let mark = running().first { $0.id == edit.unit }.map { ChangeMark($0.unit) }
          // Also what fails may have changed something.
          done.append(edit)
          try await apply(edit)
          frame = frame ?? mark?.frame(orElse: history.journal.next)
          continue
        }
        guard let editor, let store, let wanted = awake.popFirst() else { continue }
        let start = try await editor.edit(wanted)
        done.append(edit)
        frame = frame ?? start.map { .known($0) }
        history.letRest(but: editor.units, store.origin)
      }
    } catch {
      await goBack(done)
      throw error
    }
    return frame
  }

  private func apply(_ edit: Edit) async throws {
    // An entry is in the place of another once it has begun.
    while !edit.isValue, edit.frame(toComeAt: clock()) != nil {
      try await Task.sleep(for: .milliseconds(5))
    }
    try edit.apply(to: running(), rendersNow: rendersNow, now: clock())
  }

  /// Has everything be as it was before edits were made.
  private func goBack(_ edits: [Edit]) async {
    for edit in edits.reversed().map(\.inverse) {
      guard let former = edit.structure else {
        try? edit.apply(to: running(), rendersNow: rendersNow, now: clock())
        continue
      }
      guard let editor, let store else { continue }
      if let structure = try? await history.wake(former, store.origin) {
        _ = try? await editor.edit(structure)
      }
    }
  }
}

extension SessionStep {
  /// Whether it waits for changes of units and connections, and for scenes.
  fileprivate var changesStructure: Bool { isTogether || edits.contains { $0.structure != nil } }

  /// The ids of units whose whole sound it changes.
  fileprivate func sounds(_ units: [(id: String, unit: AudioUnit)]) -> [String] {
    edits.compactMap { edit in
      switch edit {
      case .value(let id, let keyPath, _, _, _):
        let tree = units.first { $0.id == id }?.unit.parameterTree
        let isPrepared = tree?.parameter(keyPath: keyPath)?.flags.contains(.nonRealTime) ?? false
        return isPrepared ? id : nil
      case .sound(let id, _, _, _): return id
      case .bypass, .transportReset, .structure: return nil
      }
    }
  }
}
