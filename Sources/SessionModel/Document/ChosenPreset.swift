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

extension AudioUnit {
  /// Whether the unit's own presets are the sounds of a SoundFont.
  package var hasSoundsAsPresets: Bool {
    guard self is any SoundFontHolding else { return false }
    return (self as? any EntrySelecting)?.entries.isEmpty ?? true
  }

  /// All presets, in the order in which a name is searched: the unit's own come first, unless they
  /// are the sounds of a SoundFont, of which there are hundreds.
  package var allPresets: [Preset] {
    get throws(PresetError) {
      hasSoundsAsPresets
        ? try userPresets + factoryPresets : try factoryPresets + userPresets
    }
  }
}
