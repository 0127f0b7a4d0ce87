// Writing of a sampler's SoundFonts, bank and program to its keys.

import Configuration

extension SamplerConfiguration {
  /// Writes the SoundFonts, also those of entries, the sound, or bank and
  /// program. Other keys stay.
  package func write(to keys: inout UnitKeys) {
    Self.put(soundFonts) { keys.set(ConfigurationKey($0), to: $1) }
    keys.set("sound", to: sound.map { ConfigurationValue(.string($0.value)) })
    keys.set("bank", to: bank.map { ConfigurationValue(.integer($0.value)) })
    keys.set("program", to: program.map { ConfigurationValue(.integer($0.value)) })
    if case .array(var tables)? = keys["entry"]?.content {
      for (index, entry) in zip(tables.indices, entries) {
        guard case .table(var members) = tables[index].content else { continue }
        Self.put(entry.soundFonts) { key, value in
          let member = members.firstIndex { $0.key.value == key }
          guard let value else {
            if let member { members.remove(at: member) }
            return
          }
          if let member {
            members[member].value = value
          } else {
            members.append(.init(key: Located(key, at: .nowhere), value: value))
          }
        }
        tables[index].content = .table(members)
      }
      keys.set(
        ConfigurationKey("entry", hasSections: true), to: ConfigurationValue(.array(tables)))
    }
    keys = keys.ordered(like: Self.keys)
  }

  /// - Parameter set: sets the value of each of the two keys; nil removes it.
  private static func put(
    _ fonts: [SoundFontConfiguration], _ set: (String, ConfigurationValue?) -> Void
  ) {
    let written = SoundFontConfiguration.written(fonts)
    for key in ["soundfont", "soundfonts"] { set(key, written?.key == key ? written?.value : nil) }
  }
}
