// A running session follows its file.

import Configuration
import Foundation
import Logging
import SessionModel
import UnitModel

/// Brings a session to what its file says now: all of it as one change, or nothing.
struct SessionFollower: Sendable {
  let store: SessionStore
  let history: SessionHistory
  let editor: SessionEditor
  let late: LateWork
  /// Whether an entry that is selected takes over in a cycle to come.
  let rendersNow: Bool
  let log: Logger

  /// Reads the file that was written. A mistake in it, or what takes a restart, changes nothing and
  /// is told.
  ///
  /// - Thread: [control], beside the one that runs the session. Whoever calls it holds the claim
  ///   of the file.
  func follow(_ file: URL) async {
    let refusal = "\(file.relativePath) was written, and nothing changed:"
    do {
      let base = store.base
      let written = try base.readAsWritten(file)
      var made: [String: AudioUnit] = [:]
      var isDone = false
      // Again where somebody else was faster with what it changes.
      while !isDone {
        let followed = try FollowedFile(
          written, file, from: base, store.origin.configuration, editor.units)
        let restarts = followed.difference.needsRestart
        guard restarts.isEmpty else {
          return log.warning("\(refusal) \(restarts.joined(separator: ", ")) takes a restart")
        }
        isDone = try await late.holding(followed.claims) { try await carryOut(followed, &made) }
      }
    } catch let error as ConfigurationError {
      for problem in error.problems { log.error("\(refusal) \(problem)") }
    } catch {
      log.error("\(refusal) \(error)")
    }
  }

  /// - Parameter made: the units that were made for the file, by their ids.
  /// - Returns: false where others have changed the session before; nothing has changed then.
  /// - Throws: what is wrong; nothing has changed then.
  private func carryOut(
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
    // What is wrong with the structure is found before anything is changed.
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

  /// Does all that needs no file, and records it with what was loaded before.
  ///
  /// - Parameters:
  ///   - loads: what was loaded.
  ///   - loaded: the frame of the first of them.
  /// - Returns: false where others have changed the session before.
  /// - Throws: what is wrong; it has changed nothing then.
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
          // What was not changed by hand is as the file has it.
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

  /// Has a unit follow its keys and take its preset, which may read files.
  ///
  /// - Returns: when the first of it takes effect; nil where there is nothing.
  private func load(
    _ change: SessionDifference.Unit, _ parts: inout [SessionStep]
  ) async throws -> ChangeFrame? {
    var edits: [Edit] = []
    var start: ChangeFrame?
    /// Also what has failed may have changed something.
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

  /// What a unit has at once.
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
    if let isOn = change.bypass, isOn != unit.shouldBypassEffect {
      steps.append(SessionStep(bypassOf: id, before: !isOn, after: isOn))
    }
    if let resets = change.resetsWithTransport, resets != unit.resetsWithTransport {
      steps.append(SessionStep(transportResetOf: id, before: !resets, after: resets))
    }
    return steps
  }

  /// Makes edits of the units of a file, wherever they are by now. What has taken their places
  /// meanwhile stays as it is.
  private func maker(of followed: FollowedFile) -> EditMaker {
    EditMaker(
      history: history, running: { [editor] in editor.units },
      meant: followed.difference.units.map { ($0.id, $0.unit) }, editor: editor, store: store,
      rendersNow: rendersNow)
  }

  /// Has every unit be as it was before the parts.
  private func takeBack(_ parts: [SessionStep], of followed: FollowedFile) async {
    for part in parts.reversed() {
      await maker(of: followed).takeBack(part.edits) { error in
        log.error("\(part.text) stays, and cannot be taken back: \(error)")
      }
    }
  }
}

extension SessionDifference.Unit {
  /// What is loaded, in words.
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
      store: store, history: history, editor: editor, late: late,
      rendersNow: host != nil, log: log)
    ChangeAuthor.$current.withValue(ChangeAuthor(.file)) {
      begin("\(file.lastPathComponent) was written", Claims([.file])) {
        await follower.follow(file)
      }
    }
  }
}
