// A running session follows its file.

import Configuration
import Foundation
import Logging
import UnitModel

/// Brings a session to what its file says now.
struct SessionFollower: Sendable {
  let store: SessionStore
  let history: SessionHistory
  let editor: SessionEditor
  let log: Logger

  /// Reads the file that was written. A mistake in it, or what takes a restart, changes nothing and
  /// is told.
  ///
  /// - Thread: [control], beside the one that runs the session.
  func follow(_ file: URL) async {
    let wasDirty = history.isDirty
    do {
      let base = store.base
      let written = try base.readAsWritten(file)
      let new = base.with(written.numberingInputs(base.registry), file: file)
      let difference = try SessionDifference(from: base, to: new, units: editor.units)
      guard difference.needsRestart.isEmpty else {
        return log.warning(
          """
          \(file.relativePath) was written, and nothing changed: \
          \(difference.needsRestart.joined(separator: ", ")) takes a restart
          """)
      }
      let rebase = try SessionRebase(
        store.origin.configuration, from: base.configuration, to: new.configuration,
        written: written, made: difference.made, base.registry)
      if rebase.changesStructure {
        try await editor.follow(
          rebase.target, making: rebase.made, "\(file.lastPathComponent): units",
          path: file.lastPathComponent, fitsScenes: false, store, history)
      }
      for unit in difference.units { try await apply(unit) }
      store.adopt(new.configuration, running: rebase.target)
      // What was not changed by hand is as the file has it.
      if !wasDirty { history.didFollow() }
      let ids = (difference.structure + difference.units.map(\.id)).joined(separator: ", ")
      if !ids.isEmpty { log.notice("\(file.relativePath) was written; changed: \(ids)") }
    } catch let error as ConfigurationError {
      for problem in error.problems { log.error("\(problem)") }
    } catch {
      log.error("\(error)")
    }
  }

  private func apply(_ change: SessionDifference.Unit) async throws {
    history.journal.settle()
    let (before, mark) = (UnitSnapshot(change.unit), ChangeMark(change.unit))
    let wasBypassed = change.unit.shouldBypassEffect
    try await change.change?()
    if let preset = change.preset { try change.unit.setCurrentPreset(preset) }
    for (keyPath, value) in change.values {
      try change.unit.parameterTree.parameter(keyPath: keyPath)?.setValue(value)
    }
    var step = SessionStep(
      "its file", of: change.unit, change.id, before: before, after: UnitSnapshot(change.unit))
    if let bypass = change.bypass {
      change.unit.shouldBypassEffect = bypass
      step.bypass = (wasBypassed, bypass)
    }
    if let resets = change.resetsWithTransport {
      step.resetsWithTransport = (change.unit.resetsWithTransport, resets)
      change.unit.resetsWithTransport = resets
    }
    if let preset = change.preset, let entry = preset.entry(of: change.unit) { step.entry = entry }
    history.record(step, at: mark.frame(orElse: history.journal.next))
  }
}

extension JackSession {
  /// Looks whether the session's file was written by somebody else, and follows it.
  func followFile() {
    if options.followsFile, let file = store.newlyWritten() { follow(file) }
  }

  /// Follows the file as it is now, because somebody asks for it.
  func readFileAgain() {
    log.info("SIGHUP: reading the file again")
    if let file = store.asWritten() { follow(file) }
  }

  private func follow(_ file: URL) {
    let follower = SessionFollower(
      store: store, history: history, editor: editor, log: log)
    ChangeSource.$current.withValue(.file) {
      begin("\(file.lastPathComponent) was written", Claims([.session])) { [late] in
        await late.holding(Claims([.structure])) { await follower.follow(file) }
      }
    }
  }
}
