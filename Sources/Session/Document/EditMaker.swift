// Changes of a running session are made.

import Configuration
import SessionModel
import UnitModel

/// Makes edits of a running session: whatever changes it, a unit becomes another one here.
struct EditMaker: Sendable {
  let history: SessionHistory
  /// Tells the units of the session as they are by then.
  let running: @Sendable () -> [(id: String, unit: AudioUnit)]
  /// The units that are meant, wherever they are by now; nil for those that run.
  var meant: [(id: String, unit: AudioUnit)]?
  /// Nil for a session whose units stay.
  var editor: SessionEditor?
  /// Nil for a session that cannot be saved.
  var store: SessionStore?
  /// Nil from it while nothing renders.
  var clock: @Sendable () -> SessionClock? = { nil }
  let rendersNow: Bool
  /// Whether it waits where many values are set at once: never on the thread that runs the session.
  var waitsForRoom = true

  // MARK: At once

  /// Makes what a step says, and records it: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - frame: on which it takes effect; nil for the next cycle.
  ///   - start: when it does, where that is known already.
  /// - Returns: when it takes effect.
  @discardableResult
  func commit(
    _ step: SessionStep, at frame: Int64? = nil, from start: ChangeFrame? = nil
  ) throws(SessionCommandError) -> ChangeFrame {
    let found: ChangeFrame?
    do { found = try make(step.edits, at: frame) } catch { throw SessionCommandError(error) }
    let start = start ?? found ?? .none
    history.record(step, at: start)
    noteRamps(of: step.edits, at: frame)
    return start
  }

  /// Makes edits of what units have at once: all of them, or none.
  ///
  /// - Parameter frame: on which they take effect; nil for the next cycle.
  /// - Returns: when the first takes effect; nil where there is none.
  @discardableResult
  func make(_ edits: [Edit], at frame: Int64? = nil) throws -> ChangeFrame? {
    if frame != nil, edits.count > 1 { try checkRoom(for: edits) }
    var start: ChangeFrame?
    for (number, edit) in edits.enumerated() {
      do {
        let own = try make(edit, at: frame)
        start = start ?? own
      } catch {
        for edit in edits[..<number].reversed() { _ = try? make(edit.inverse, at: frame) }
        throw error
      }
    }
    return start
  }

  /// - Returns: when it takes effect.
  private func make(_ edit: Edit, at frame: Int64?) throws -> ChangeFrame {
    guard let id = edit.unit, let unit = unit(id) else {
      throw SessionCommandError("there is no unit \(quoted(edit.unit ?? "")) any more")
    }
    // What the former one became nobody knows behind it.
    if case .bypass = edit { history.journal.settle() }
    let mark = ChangeMark(unit)
    let isRunning = meant == nil || running().contains { $0.id == id && $0.unit === unit }
    try edit.apply(
      to: unit,
      by: Edit.Way(
        frame: frame, rendersNow: rendersNow && isRunning, waitsForRoom: waitsForRoom))
    // A frame may be of the cycle that runs: the next one takes it then.
    return mark.frame(notBefore: frame ?? 0, orElse: history.journal.next)
  }

  private func unit(_ id: String) -> AudioUnit? {
    (meant ?? running()).first { $0.id == id }?.unit
  }

  private func checkRoom(for edits: [Edit]) throws(SessionCommandError) {
    for (id, count) in Dictionary(edits.compactMap(\.unit).map { ($0, 1) }, uniquingKeysWith: +) {
      guard unit(id)?.hasRoom(forEvents: count) == true else {
        throw SessionCommandError(
          "unit \(quoted(id)) has no room for \(count) values: too many wait for their frames",
          accepted: "the same later, or panic, which forgets them")
      }
    }
  }

  /// Notes what values are on their way, or are going to begin.
  func noteRamps(of edits: [Edit], at frame: Int64? = nil) {
    guard let now = clock() else { return }
    for case .value(let value) in edits {
      let frames = max(0, (frame ?? 0) - now.frame) + Int64(value.rampFrames)
      guard frames > 0 else { continue }
      history.startRamp(
        of: value.path, to: value.to, milliseconds: Double(frames) / now.sampleRate * 1000)
    }
  }

  // MARK: With others

  /// Makes edits, also of units and connections: all of them, or none.
  ///
  /// - Parameter awake: the structures that they lead to, with units that are there.
  /// - Returns: when the first takes effect; nil where there is none.
  func make(_ edits: [Edit], _ awake: [SessionStructure]) async throws -> ChangeFrame? {
    var start: ChangeFrame?
    var awake = awake[...]
    var done: [Edit] = []
    do {
      for edit in edits {
        guard edit.structure != nil else {
          // Also what fails may have changed something.
          done.append(edit)
          // An entry is in the place of another once it has begun.
          while !edit.isValue, edit.frame(toComeAt: clock()) != nil {
            try await Task.sleep(for: .milliseconds(5))
          }
          let own = try make(edit, at: edit.frame(toComeAt: clock()))
          start = start ?? own
          continue
        }
        guard let editor, let store, let wanted = awake.popFirst() else { continue }
        let frame = try await editor.edit(wanted)
        done.append(edit)
        start = start ?? frame.map { .known($0) }
        history.letRest(but: editor.units, store.origin)
      }
    } catch { throw await takeBack(done, because: error) }
    return start
  }

  /// Has everything be as it was before edits were made, of which something failed.
  ///
  /// - Returns: why that failed, and what stays.
  func takeBack(_ edits: [Edit], because error: any Error) async -> any Error {
    var left: [String] = []
    // What cannot be made cannot be taken back either.
    await takeBack(edits) { if "\($0)" != "\(error)" { left.append("\($0)") } }
    if left.isEmpty { return error }
    return SessionCommandError(
      "\(error); not all is as it was before: \(left.joined(separator: ", "))")
  }

  /// Has everything be as it was before edits were made.
  ///
  /// - Parameter report: told why something cannot be taken back.
  func takeBack(_ edits: [Edit], report: (any Error) -> Void) async {
    for edit in edits.reversed().map(\.inverse) {
      do {
        if let former = edit.structure {
          guard let editor, let store else { continue }
          try await editor.edit(history.wake(former, store.origin))
        } else {
          _ = try make(edit, at: edit.frame(toComeAt: clock()))
        }
      } catch { report(error) }
    }
  }
}
