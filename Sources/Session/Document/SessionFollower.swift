// Following the file of a running session.

import Configuration
import FoundationEssentials
import Logging
import SessionModel
import UnitModel

/// Applies the current content of a session's file: all of it as one change, or nothing.
struct SessionFollower: Sendable {
  let store: SessionStore
  let history: SessionHistory
  let editor: SessionEditor
  let late: LateWork
  /// Whether a selected entry takes over in a later cycle.
  let rendersNow: Bool
  let log: Logger

  /// Reads the file that was written. If it has a mistake or needs a restart, nothing changes and
  /// the reason is logged.
  ///
  /// - Thread: [control], in parallel with the one that runs the session. The caller holds the
  ///   claim of the file.
  func follow(_ file: URL) async {
    let refusal = "\(file.relativePath) was written, and nothing changed:"
    do {
      let base = store.base
      let written = try base.readAsWritten(file)
      var made: [String: AudioUnit] = [:]
      var isDone = false
      // Repeated if another change of the same units was faster.
      while !isDone {
        let followed = try FollowedFile(
          written, file, from: base, store.origin.configuration, editor.units)
        let restarts = followed.difference.needsRestart
        guard restarts.isEmpty else {
          return log.warning("\(refusal) \(restarts.joined(separator: ", ")) takes a restart")
        }
        isDone = try await late.holding(followed.claims) { try await execute(followed, &made) }
      }
    } catch let error as ConfigurationError {
      for problem in error.problems { log.error("\(refusal) \(problem)") }
    } catch {
      log.error("\(refusal) \(error)")
    }
  }

  /// - Parameter made: the units that were made for the file, by their ids.
  /// - Returns: false if another change was made first; nothing has changed then.
  /// - Throws: the mistake; nothing has changed then.
  private func execute(
    _ followed: FollowedFile, _ made: inout [String: AudioUnit]
  ) async throws -> Bool {
    let origin = store.origin
    let builder = SessionBuilder(registry: origin.registry, environment: origin.environment)
    for unit in followed.rebase.target.units {
      let id = unit.id.value
      guard followed.rebase.made.contains(id), made[id] == nil else { continue }
      made[id] = try await builder.makeUnit(unit, file: origin.file)
    }
    guard followed.isMeant(of: editor.units) else { return false }
    // The structure is checked before anything changes.
    if followed.rebase.changesStructure {
      try await editor.check(structures(followed.rebase, made).after)
    }
    var parts: [SessionStep] = []
    var isDone = false
    do {
      var frame: ChangeFrame?
      for unit in followed.difference.units {
        let start = try await load(unit, &parts)
        frame = frame ?? start
      }
      isDone = try await late.holding(Claims([.structure])) {
        try await commit(followed, made, parts, since: frame)
      }
    } catch {
      await takeBack(parts, of: followed)
      throw error
    }
    if !isDone { await takeBack(parts, of: followed) }
    return isDone
  }

  private func structures(
    _ rebase: SessionRebase, _ made: [String: AudioUnit]
  ) throws -> (before: SessionStructure, after: SessionStructure) {
    try editor.structures(
      rebase.target, making: rebase.made, given: made.filter { rebase.made.contains($0.key) },
      fitsScenes: false, store)
  }

  /// Makes all changes that need no file, and records them with the loaded ones.
  ///
  /// - Parameters:
  ///   - loads: the loaded changes.
  ///   - loaded: the time of the first of them.
  /// - Returns: false if another change was made first.
  /// - Throws: the mistake; this call has changed nothing then.
  private func commit(
    _ followed: FollowedFile, _ made: [String: AudioUnit], _ loads: [SessionStep],
    since loaded: ChangeFrame?
  ) async throws -> Bool {
    guard followed.isMeant(of: editor.units) else { return false }
    let rebase = try followed.rebase(on: store.origin.configuration)
    guard rebase.made.isSubset(of: made.keys) else { return false }
    var step: SessionStep?
    var structure: SessionStructure?
    if rebase.changesStructure {
      let (before, after) = try structures(rebase, made)
      structure = after
      step = history.step("units", path: "", from: before, to: after, file: store.origin.file)
    }
    let parts = loads + (step.map { [$0] } ?? []) + followed.difference.units.flatMap(sets)
    let edits = parts.dropFirst(loads.count).flatMap(\.edits)
    let isDone = try await maker(of: followed).restore(
      edits, structure, if: { [editor] in followed.isMeant(of: editor.units) },
      record: { [history, store] frame in
        if !parts.isEmpty {
          var step = SessionStep(together: parts)
          (step.path, step.text) = (followed.name, followed.text(parts))
          // Settings that were not changed by hand are as in the file.
          history.record(step, at: frame ?? loaded ?? .none, isSaved: true)
        }
        store.adopt(followed.new.configuration, running: rebase.target)
      })
    guard isDone else { return false }
    history.letRest(but: editor.units, store.origin)
    let changed = followed.difference.structure + followed.difference.units.map(\.id)
    if !changed.isEmpty {
      log.notice(
        "\(followed.name) was written; changed: \(changed.joined(separator: ", "))")
    }
    return true
  }

  // MARK: The parts

  /// Applies the keys and the preset of a unit, which may read files.
  ///
  /// - Returns: when the first of them takes effect; nil if there is none.
  private func load(
    _ change: SessionDifference.Unit, _ parts: inout [SessionStep]
  ) async throws -> ChangeFrame? {
    var edits: [Edit] = []
    var start: ChangeFrame?
    /// Adds an edit. A load that failed may have changed something too.
    func note(_ mark: SoundMark, entry: Int? = nil) {
      edits.append(mark.edit(entry: entry))
      start = start ?? mark.frame
    }
    defer {
      if !edits.isEmpty { parts.append(SessionStep(change.loaded, of: change.id, edits)) }
    }
    if let follow = change.change {
      let mark = SoundMark(change.unit, change.id, history)
      defer { note(mark) }
      do { try await follow() } catch { throw change.problem(error, at: change.keysPlace) }
    }
    if let preset = change.preset {
      let mark = SoundMark(change.unit, change.id, history)
      defer { note(mark, entry: preset.entry(of: change.unit)) }
      do throws(PresetError) { try change.unit.setCurrentPreset(preset) } catch {
        throw change.problem(error, at: change.presetPlace)
      }
    }
    return start
  }

  /// Returns the changes of a unit that need no file.
  private func sets(of change: SessionDifference.Unit) -> [SessionStep] {
    let (id, unit) = (change.id, change.unit)
    var steps: [SessionStep] = []
    for (keyPath, value) in change.values {
      guard let parameter = unit.parameterTree.parameter(keyPath: keyPath) else { continue }
      let target = history.target(of: SessionPath(unit: id, keyPath: keyPath))
      let before = target ?? parameter.value
      if value == before { continue }
      steps.append(SessionStep(parameter, of: id, before: before, after: value))
    }
    for (key, isOn) in change.switches where isOn != unit[keyPath: key.property] {
      steps.append(SessionStep(key, of: id, before: !isOn, after: isOn))
    }
    return steps
  }

  /// Returns a maker for the units of a file, even if the session no longer has them. Units that
  /// have replaced them stay unchanged.
  private func maker(of followed: FollowedFile) -> EditMaker {
    EditMaker(
      history: history, running: { [editor] in editor.units },
      meant: followed.difference.units.map { ($0.id, $0.unit) }, editor: editor, store: store,
      rendersNow: rendersNow)
  }

  /// Restores all units to their state before the parts.
  private func takeBack(_ parts: [SessionStep], of followed: FollowedFile) async {
    for part in parts.reversed() {
      await maker(of: followed).takeBack(part.edits) { error in
        log.error("\(part.text) stays, and cannot be taken back: \(error)")
      }
    }
  }
}

extension SessionDifference.Unit {
  /// Names of the loaded keys and preset.
  fileprivate var loaded: String {
    (keys + (preset.map { ["preset \(quoted($0.name))"] } ?? [])).joined(separator: ", ")
  }

  fileprivate func problem(
    _ error: any Error, at place: SourcePosition
  ) -> ConfigurationProblem {
    (error as? ConfigurationProblem)
      ?? ConfigurationProblem("unit '\(id)': \(error)", at: place)
  }
}

extension JackSession {
  /// Follows the session's file if another program has written it.
  func followFile() {
    if options.followsFile, let file = store.newlyWritten() { follow(file) }
  }

  /// Follows the file's current content, on request.
  func readFileAgain() {
    log.info("SIGHUP: reading the file again")
    if let file = store.asWritten() { follow(file) }
  }

  private func follow(_ file: URL) {
    let follower = SessionFollower(
      store: store, history: history, editor: editor, late: late,
      rendersNow: host != nil, log: log)
    ChangeAuthor.$current.withValue(ChangeAuthor(.file)) {
      begin("\(file.lastPathComponent) was written", Claims([.file])) {
        await follower.follow(file)
      }
    }
  }
}
