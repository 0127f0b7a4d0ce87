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
    for structure in step.ordered(isUndo: isUndo).compactMap(\.kept) {
      awake.append(
        try await history.wake(isUndo ? structure.before : structure.after, store.origin))
    }
    return awake
  }

  /// - Returns: false where another change has come before it.
  private func restore(_ step: SessionStep, _ awake: [SessionStructure]) async throws -> Bool {
    // Of several the first.
    var frame: ChangeFrame?
    var awake = awake[...]
    func restoreParts(_ step: SessionStep) async throws {
      var done: [SessionStep] = []
      do {
        for part in step.ordered(isUndo: isUndo) {
          guard part.kept != nil else {
            history.journal.settle()
            let mark = running().first { $0.id == part.unit }.map { ChangeMark($0.unit) }
            // Also what fails may have changed something.
            done.append(part)
            // An entry is in the place of another once it has begun.
            while part.entry != nil, part.frame(toComeAt: clock()) != nil {
              try await Task.sleep(for: .milliseconds(5))
            }
            try part.restore(
              running(), isUndo: isUndo, rendersNow: rendersNow, now: clock())
            frame = frame ?? mark?.frame(orElse: history.journal.next)
            continue
          }
          guard let editor, let store, let wanted = awake.popFirst() else { continue }
          let start = try await editor.edit(wanted)
          done.append(part)
          frame = frame ?? start.map { .known($0) }
          history.letRest(but: editor.units, store.origin)
        }
      } catch {
        await goBack(done)
        throw error
      }
    }
    let isDone =
      isUndo
      ? try await history.takeBack(step, restoreParts) : try await history.redo(step, restoreParts)
    guard isDone else { return false }
    history.journal.add(
      step.text, path: step.path, frame ?? .none,
      by: ChangeAuthor(isUndo ? .undo : .redo, client: ChangeAuthor.current.client))
    return true
  }

  /// Has everything be as it was before parts of a step were restored.
  private func goBack(_ parts: [SessionStep]) async {
    for part in parts.reversed() {
      guard let kept = part.kept else {
        try? part.restore(
          running(), isUndo: !isUndo, rendersNow: rendersNow, now: clock())
        continue
      }
      guard let editor, let store else { continue }
      let former = isUndo ? kept.after : kept.before
      if let structure = try? await history.wake(former, store.origin) {
        _ = try? await editor.edit(structure)
      }
    }
  }
}

extension SessionStep {
  /// The changes of which it is made, in the order in which they are restored.
  fileprivate func ordered(isUndo: Bool) -> [SessionStep] {
    if parts.isEmpty { return [self] }
    return (isUndo ? parts.reversed() : parts).flatMap { $0.ordered(isUndo: isUndo) }
  }

  /// Whether it waits for changes of units and connections, and for scenes.
  fileprivate var changesStructure: Bool { kept != nil || !parts.isEmpty }

  /// The ids of units whose whole sound it changes.
  fileprivate func sounds(_ units: [(id: String, unit: AudioUnit)]) -> [String] {
    if !parts.isEmpty { return parts.flatMap { $0.sounds(units) } }
    let tree = units.first { $0.id == unit }?.unit.parameterTree
    let isPrepared = parameters.contains {
      tree?.parameter(keyPath: $0.keyPath)?.flags.contains(.nonRealTime) ?? false
    }
    return settings != nil || preset != nil || isPrepared ? [unit] : []
  }
}
