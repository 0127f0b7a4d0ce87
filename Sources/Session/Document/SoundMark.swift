// Recording changes of a unit's sound.

import SessionModel
import UnitModel

/// A unit's state before its sound changes, to find out the change and its time.
struct SoundMark {
  let unit: AudioUnit
  let id: String
  private let history: SessionHistory
  private let before: UnitSnapshot
  private let mark: ChangeMark
  private let point: SessionHistory.Point

  /// - Parameter known: returns a better known value than the unit's, by key path; nil for none.
  /// - Thread: [control]
  init(
    _ unit: AudioUnit, _ id: String, _ history: SessionHistory,
    _ known: (String) -> Float? = { _ in nil }
  ) {
    (self.unit, self.id, self.history) = (unit, id, history)
    point = history.point
    (before, mark) = (UnitSnapshot(unit, known), ChangeMark(unit))
  }

  /// Returns the change made since. Values that others have set meanwhile are separate steps.
  ///
  /// - Parameters:
  ///   - entry: the selected entry of a live set, which sets the rest itself.
  ///   - frame: the frame at which it takes over, if still to come.
  ///   - known: returns a better known value than the unit's, by key path; nil for none.
  func edit(
    entry: Int?, frame: Int64? = nil, _ known: (String) -> Float? = { _ in nil }
  ) -> Edit {
    let before = before.with(history.values(of: id, since: point))
    if let entry { return .entry(entry, of: unit, id, before: before, frame: frame) }
    return .sound(of: unit, id, before: before, after: UnitSnapshot(unit, known))
  }

  /// Time at which the change made since takes effect.
  var frame: ChangeFrame { mark.frame(orElse: history.journal.next) }
}
