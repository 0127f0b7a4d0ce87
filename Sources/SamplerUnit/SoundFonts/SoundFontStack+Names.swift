// Sounds by their names.

import Configuration
import SoundFontFiles

extension SoundFontStack {
  /// Returns the preset with a name: one of `soundNames`, or a preset's own name.
  ///
  /// - Throws: `SoundFontError.unknownSound`, or `ambiguousSound` if several presets have the name.
  func preset(named name: String) throws(SoundFontError) -> SoundFontPreset {
    try presets.sound(named: name, path: path)
  }
}

extension [SoundFontPreset] {
  /// A name for each preset, in their order: its own, with bank and program if several presets have
  /// it. Spaces with which SoundFonts pad names are left out.
  var soundNames: [String] {
    let names = map { $0.name.trimmed }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(self, names).map { preset, name in
      counts[name] == 1 && !name.isEmpty
        ? name : "\(name) (\(preset.bank):\(preset.program))".trimmed
    }
  }

  /// Returns the preset with a name: one of `soundNames`, or a preset's own name. Upper and lower
  /// case are the same, unless names differ by nothing else.
  ///
  /// - Throws: `SoundFontError.unknownSound`, or `ambiguousSound` if several presets have the name.
  func sound(named name: String, path: String) throws(SoundFontError) -> SoundFontPreset {
    let wanted = name.trimmed
    let soundNames = soundNames
    func presets(where isName: (String) -> Bool) -> [SoundFontPreset] {
      zip(self, soundNames).filter { isName($1) || isName($0.name.trimmed) }.map(\.0)
    }
    var found = presets { $0 == wanted }
    if found.isEmpty { found = presets { $0.lowercased() == wanted.lowercased() } }
    if found.count == 1 { return found[0] }
    let shown = printable(wanted, 60)
    if found.count > 1 { throw .ambiguousSound(shown, path: path, found) }
    throw .unknownSound(
      shown, path: path, nearest: nearestMatch(to: wanted, among: soundNames),
      available: soundNames)
  }
}
