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
  /// Whether it waits where many values are set at once: not in `atOnce`.
  var waitsForRoom = true

  /// Makes what a step says at once, and records it: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - frame: on which it takes effect; nil for the next cycle.
  ///   - start: when it does, where that is known already.
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

  /// Makes edits of what units have: all of them, or none.
  ///
  /// - Parameter frame: on which they take effect; nil for the next cycle.
  /// - Returns: when the first takes effect; nil where there is none.
  @discardableResult
  func make(_ edits: [Edit], at frame: Int64? = nil) throws -> ChangeFrame? {
    try make(edits, .on(frame))
  }

  /// On which frames edits take effect.
  enum Moment {
    /// Nil for the next cycle.
    case on(Int64?)
    /// Each on its own, where that is still to come: what is made again, or taken back.
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
        // Where a sound fails, some of it may have changed already.
        let count = edit.isSound ? number + 1 : number
        throw takeBack(edits[..<count], moment, because: error)
      }
    }
    return start
  }

  /// Has units be as they were before edits were made, of which something failed.
  ///
  /// - Returns: why that failed, and what stays.
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

  /// Why a change failed, and what stays of it.
  ///
  /// - Parameter left: why something of it could not be taken back.
  static func failure(_ error: any Error, leaving left: [any Error]) -> any Error {
    // What cannot be made cannot be taken back either.
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
    // What the former one became nobody knows behind it.
    if case .bypass = edit { history.journal.settle() }
    let mark = ChangeMark(unit)
    let isRunning = meant == nil || running().contains { $0.id == id && $0.unit === unit }
    try edit.apply(
      to: unit,
      by: Edit.Options(
        frame: frame, rendersNow: rendersNow && isRunning, waitsForRoom: waitsForRoom))
    // A frame may be of the cycle that runs: the next one takes it then.
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
}
