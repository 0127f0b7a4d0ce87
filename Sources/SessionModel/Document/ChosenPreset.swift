// The preset of a unit, at once.

import UnitModel

extension AudioUnit {
  /// The preset that was chosen last: that of the entry that plays, where this has taken over from
  /// another one. The unit itself tells of that a little later.
  package var chosenPreset: Preset? {
    let preset = currentPreset
    guard let preset, !preset.isUserPreset,
      let entry = (self as? any EntrySelecting)?.currentEntry
    else { return preset }
    return Preset(number: entry.number, name: entry.name)
  }
}
