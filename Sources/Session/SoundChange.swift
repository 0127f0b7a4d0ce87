// A change of a unit's whole sound.

import Configuration
import SessionModel
import UnitModel

/// A unit whose sound is changed off the session's thread: by a preset, a SoundFont, an entry, or
/// another prepared setting.
struct SoundChange: Sendable {
  let unit: AudioUnit
  let id: String
  let maker: EditMaker

  /// - Throws: an error if the session no longer has the unit.
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
  /// A unit that is removed meanwhile returns to its former state, in which an undo restores it.
  ///
  /// - Parameters:
  ///   - entry: the entry of a live set that is selected.
  ///   - frame: the frame at which it takes over; nil for at once.
  /// - Throws: the error of `act`; also if the session no longer has the unit.
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

  /// Sets a parameter with prepared values, and records that, as `make` does.
  func set(_ parameter: Parameter, to number: Float) async throws {
    let step = SessionStep(parameter, of: id, before: parameter.value, after: number)
    let start = try onItself.make(step.edits) ?? .none
    try await record { (step, start) }
  }

  /// Records a change if the session still has the unit; otherwise takes it back.
  ///
  /// - Parameters:
  ///   - isReported: whether the journal already has it.
  ///   - change: returns the change, and when it takes effect; called on the thread that runs the
  ///     session.
  func record(
    isReported: Bool = false,
    _ change: @escaping @Sendable () -> (step: SessionStep, frame: ChangeFrame)
  ) async throws {
    let refused = try await maker.commit { () -> SessionStep? in
      let (step, frame) = change()
      guard isThere else { return step }
      maker.history.record(step, at: frame, isReported: isReported)
      return nil
    }
    guard let refused else { return }
    try onItself.make(refused.edits(isUndo: true))
    throw hasGone
  }

  /// Maker of edits of the unit, even if the session no longer has it.
  private var onItself: EditMaker {
    var maker = maker
    maker.meant = [(id, unit)]
    return maker
  }
}
