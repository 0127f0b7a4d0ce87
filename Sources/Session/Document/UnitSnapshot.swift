// What a unit is set to.

import Foundation
import SessionModel
import UnitModel

/// What a unit is set to.
struct UnitSnapshot: Sendable {
  let settings: StateDictionary
  /// By key path, those that can be set.
  private(set) var values: [String: Float]
  let preset: Preset?

  /// - Parameter known: by key path, a value that is known better than the unit tells it.
  init(_ unit: AudioUnit, _ known: (String) -> Float? = { _ in nil }) {
    settings = unit.settings(forDocument: true)
    preset = unit.chosenPreset
    values = Dictionary(
      uniqueKeysWithValues: unit.parameterTree.allParameters.filter {
        $0.flags.contains(.writable)
      }.map { ($0.keyPath, known($0.keyPath) ?? $0.value) })
  }
}

extension UnitSnapshot {
  /// The same with other values, by key path.
  func with(_ others: [String: Float]) -> UnitSnapshot {
    var snapshot = self
    snapshot.values.merge(others) { $1 }
    return snapshot
  }
}

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

extension Preset {
  /// The entry of a live set that it stands for.
  func entry(of unit: AudioUnit) -> Int? {
    unit is any EntrySelecting && !isUserPreset ? number : nil
  }
}
