// A change of what a unit sounds like as a whole.

import Configuration
import SessionModel
import UnitModel

/// A unit of a running session whose sound is changed beside the thread that runs the session: by
/// a preset, a SoundFont, an entry, or what else the unit makes ready.
struct SoundChange: Sendable {
  let unit: AudioUnit
  let id: String
  let maker: EditMaker

  /// - Throws: that the session has the unit no longer.
  func check() throws(SessionCommandError) {
    if !isThere { throw hasGone }
  }

  private var isThere: Bool { maker.running().contains { $0.id == id && $0.unit === unit } }

  private var hasGone: SessionCommandError {
    SessionCommandError(
      "unit \(quoted(id)) was removed or replaced meanwhile", accepted: "the same again")
  }

  /// Changes the sound, and records that.
  ///
  /// A unit that goes meanwhile becomes what it was before: whoever takes its removal back finds
  /// it so.
  ///
  /// - Parameters:
  ///   - entry: the entry of a live set that is selected.
  ///   - frame: on which it takes over; nil for at once.
  /// - Throws: what `act` throws, and that the session has the unit no longer.
  func make(
    _ what: String, entry: Int? = nil, on frame: Int64? = nil, _ act: () async throws -> Void
  ) async throws {
    let mark = SoundMark(unit, id, maker.history)
    try await act()
    try await record {
      (
        SessionStep(what, of: id, [mark.edit(entry: entry, frame: frame)]),
        frame.map { .known($0) } ?? mark.frame
      )
    }
  }

  /// Sets a parameter whose values the unit makes ready, and records that, as `make` does.
  func set(_ parameter: Parameter, to number: Float) async throws {
    let step = SessionStep(parameter, of: id, before: parameter.value, after: number)
    let start = try onItself.make(step.edits) ?? .none
    try await record { (step, start) }
  }

  /// Records what was done, if the session has the unit still; else takes it back.
  ///
  /// - Parameters:
  ///   - isTold: whether the journal has it already.
  ///   - change: tells what was done, and when it takes effect; called on the thread that runs the
  ///     session.
  func record(
    isTold: Bool = false,
    _ change: @escaping @Sendable () -> (step: SessionStep, frame: ChangeFrame)
  ) async throws {
    let refused = try await maker.commit { () -> SessionStep? in
      let (step, frame) = change()
      guard isThere else { return step }
      maker.history.record(step, at: frame, isTold: isTold)
      return nil
    }
    guard let refused else { return }
    try onItself.make(refused.edits(isUndo: true))
    throw hasGone
  }

  /// Makes edits of the unit, wherever it is by now.
  private var onItself: EditMaker {
    var maker = maker
    maker.meant = [(id, unit)]
    return maker
  }
}
