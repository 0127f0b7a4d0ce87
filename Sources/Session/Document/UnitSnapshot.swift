// Snapshots of units.

import SessionModel
import UnitModel

/// The settings, values and preset of a unit at one moment.
struct UnitSnapshot: Sendable {
  let settings: StateDictionary
  /// Values of the parameters that can be set, by key path.
  private(set) var values: [String: Float]
  let preset: Preset?

  /// - Parameter known: returns a better known value than the unit's, by key path; nil for none.
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
  /// Returns a copy with changed values, by key path.
  func with(_ others: [String: Float]) -> UnitSnapshot {
    var snapshot = self
    snapshot.values.merge(others) { $1 }
    return snapshot
  }
}

extension Preset {
  /// Returns the entry of a live set that it represents; nil if it represents none.
  func entry(of unit: AudioUnit) -> Int? {
    guard !isUserPreset, let selecting = unit as? any EntrySelecting else { return nil }
    return selecting.entries.isEmpty ? nil : number
  }
}
