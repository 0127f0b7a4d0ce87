// The chosen preset of a unit, without delay.

import UnitModel

extension AudioUnit {
  /// The preset chosen last; for a unit with entries, its current entry. The unit itself reports an
  /// entry that has taken over a little later.
  package var chosenPreset: Preset? {
    let preset = currentPreset
    guard let preset, !preset.isUserPreset,
      let entry = (self as? any EntrySelecting)?.currentEntry
    else { return preset }
    return Preset(number: entry.number, name: entry.name)
  }
}
