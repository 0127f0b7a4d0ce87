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

extension Preset {
  /// The entry of a live set that it stands for.
  func entry(of unit: AudioUnit) -> Int? {
    unit is any EntrySelecting && !isUserPreset ? number : nil
  }
}
