// Making changes to a running session.

import Configuration
import SessionModel
import UnitModel

/// Makes edits of a running session, for commands, scenes, undo and followed files alike.
struct EditMaker: Sendable {
  let history: SessionHistory
  /// Returns the current units of the session.
  let running: @Sendable () -> [(id: String, unit: AudioUnit)]
  /// The units to edit, even if the session no longer has them; nil for the running ones.
  var meant: [(id: String, unit: AudioUnit)]?
  /// Editor of the session's structure; nil if the session's units are fixed.
  var editor: SessionEditor?
  /// Store of the session; nil if the session cannot be saved.
  var store: SessionStore?
  /// Returns the current frame; nil while nothing renders.
  var clock: @Sendable () -> SessionClock? = { nil }
  let rendersNow: Bool
  /// Whether setting many values at once waits for room; false in `atOnce`.
  var waitsForRoom = true

  /// Makes the edits of a step at once and records it: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - frame: the frame at which it takes effect; nil for the next cycle.
  ///   - start: when it takes effect, if already known.
  /// - Returns: when it takes effect.
  /// - Thread: the one that runs the session.
  @discardableResult
  func commit(
    _ step: SessionStep, at frame: Int64? = nil, from start: ChangeFrame? = nil
  ) throws(SessionCommandError) -> ChangeFrame {
    let found: ChangeFrame?
    do { found = try atOnce.make(step.edits, at: frame) } catch { throw SessionCommandError(error) }
    let start = start ?? found ?? .none
    history.record(step, at: start)
    noteRamps(of: step.edits, at: frame)
    return start
  }

  /// Makes edits of units: all of them, or none.
  ///
  /// - Parameter frame: the frame at which they take effect; nil for the next cycle.
  /// - Returns: when the first takes effect; nil if there is none.
  @discardableResult
  func make(_ edits: [Edit], at frame: Int64? = nil) throws -> ChangeFrame? {
    try make(edits, .on(frame))
  }

  /// Frames at which edits take effect.
  enum Moment {
    /// One frame for all; nil for the next cycle.
    case on(Int64?)
    /// Each edit's own frame, if still to come, for undo and redo.
    case own
  }

  func make(_ edits: [Edit], _ moment: Moment) throws -> ChangeFrame? {
    if case .on(_?) = moment, edits.count > 1 { try checkRoom(for: edits) }
    var start: ChangeFrame?
    for (number, edit) in edits.enumerated() {
      do {
        let own = try make(edit, at: frame(of: edit, moment))
        start = start ?? own
      } catch {
        // A sound that failed may have changed in part.
        let count = edit.isSound ? number + 1 : number
        throw takeBack(edits[..<count], moment, because: error)
      }
    }
    return start
  }

  /// Restores units to their state before the edits, after one of them has failed.
  ///
  /// - Returns: the error, with those of edits that could not be taken back.
  func takeBack(
    _ edits: some BidirectionalCollection<Edit>, _ moment: Moment, because error: any Error
  ) -> any Error {
    var left: [any Error] = []
    for edit in edits.reversed() {
      do { _ = try make(edit.inverse, at: frame(of: edit, moment)) } catch { left.append(error) }
    }
    return Self.failure(error, leaving: left)
  }

  private func frame(of edit: Edit, _ moment: Moment) -> Int64? {
    switch moment {
    case .on(let frame): frame
    case .own: edit.frame(toComeAt: clock())
    }
  }

  /// Returns the error of a failed change, with the reasons why parts of it stay.
  ///
  /// - Parameter left: why parts of it could not be taken back.
  static func failure(_ error: any Error, leaving left: [any Error]) -> any Error {
    // An edit that cannot be made cannot be taken back either.
    let left = left.map { "\($0)" }.filter { $0 != "\(error)" }
    if left.isEmpty { return error }
    return SessionCommandError(
      "\(error); not all is as it was before: \(left.joined(separator: ", "))")
  }

  /// - Returns: when it takes effect.
  private func make(_ edit: Edit, at frame: Int64?) throws -> ChangeFrame {
    guard let id = edit.unit, let unit = unit(id) else {
      throw SessionCommandError("there is no unit \(quoted(edit.unit ?? "")) any more")
    }
    // After the next bypass the frame of the former one cannot be learnt any more.
    if case .switch(.bypass, _, _, _) = edit { history.journal.settle() }
    let mark = ChangeMark(unit)
    let isRunning = meant == nil || running().contains { $0.id == id && $0.unit === unit }
    try edit.apply(
      to: unit,
      by: Edit.Options(
        frame: frame, rendersNow: rendersNow && isRunning, waitsForRoom: waitsForRoom))
    // The frame may be in the running cycle: the next one takes it then.
    return mark.frame(notBefore: frame ?? 0, orElse: history.journal.next)
  }

  func unit(_ id: String) -> AudioUnit? {
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

  /// Notes the ramps of values that are moving or about to move.
  func noteRamps(of edits: [Edit], at frame: Int64? = nil) {
    guard let now = clock() else { return }
    for case .value(let value) in edits {
      let frames = max(0, (frame ?? 0) - now.frame) + Int64(value.rampFrames)
      guard frames > 0 else { continue }
      history.startRamp(
        of: value.path, to: value.to, milliseconds: Double(frames) / now.sampleRate * 1000)
    }
  }
}
