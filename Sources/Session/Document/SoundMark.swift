// What becomes of a unit's sound.

import SessionModel
import UnitModel

/// A unit before its sound changes, to learn what becomes of it and when.
struct SoundMark {
  let unit: AudioUnit
  let id: String
  private let history: SessionHistory
  private let before: UnitSnapshot
  private let mark: ChangeMark
  private let point: SessionHistory.Point

  /// - Parameter known: by key path, a value that is known better than the unit tells it.
  /// - Thread: [control]
  init(
    _ unit: AudioUnit, _ id: String, _ history: SessionHistory,
    _ known: (String) -> Float? = { _ in nil }
  ) {
    (self.unit, self.id, self.history) = (unit, id, history)
    point = history.point
    (before, mark) = (UnitSnapshot(unit, known), ChangeMark(unit))
  }

  /// What was done since, but for values that others have set meanwhile: these are steps of their
  /// own.
  ///
  /// - Parameters:
  ///   - entry: that of a live set which was selected, and sets the rest by itself.
  ///   - frame: on which it takes over, where that is still to come.
  ///   - known: by key path, a value that is known better than the unit tells it.
  func edit(
    entry: Int?, frame: Int64? = nil, _ known: (String) -> Float? = { _ in nil }
  ) -> Edit {
    let before = before.with(history.values(of: id, since: point))
    if let entry { return .entry(entry, of: unit, id, before: before, frame: frame) }
    return .sound(of: unit, id, before: before, after: UnitSnapshot(unit, known))
  }

  /// When it takes effect what was done since.
  var frame: ChangeFrame { mark.frame(orElse: history.journal.next) }
}
