// What a unit is set to.

import Foundation
import SessionModel
import UnitModel

/// What a unit is set to.
struct UnitSnapshot: Sendable {
  let settings: StateDictionary
  /// By key path, those that can be set.
  let values: [String: Float]
  let preset: Preset?

  /// - Parameter known: by key path, a value that is known better than the unit tells it.
  init(_ unit: AudioUnit, _ known: (String) -> Float? = { _ in nil }) {
    settings = unit.settings(forDocument: true)
    preset = unit.presetOfEntry ?? unit.currentPreset
    values = Dictionary(
      uniqueKeysWithValues: unit.parameterTree.allParameters.filter {
        $0.flags.contains(.writable)
      }.map { ($0.keyPath, known($0.keyPath) ?? $0.value) })
  }
}

extension AudioUnit {
  /// The preset of the entry that plays, where that has taken over from another one: the unit tells
  /// of it a little later. Nil for one of the user.
  fileprivate var presetOfEntry: Preset? {
    guard let preset = currentPreset, !preset.isUserPreset,
      let entry = (self as? any EntrySelecting)?.currentEntry
    else { return nil }
    return Preset(number: entry.number, name: entry.name)
  }
}

extension Preset {
  /// The entry of a live set that it stands for.
  func entry(of unit: AudioUnit) -> Int? {
    unit is any EntrySelecting && !isUserPreset ? number : nil
  }
}
