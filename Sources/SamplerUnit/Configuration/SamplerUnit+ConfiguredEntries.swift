// The live set of a configuration.

import Configuration
import SoundFontFiles
import UnitModel

extension SamplerUnit {
  /// Sets the live set. The unit's parameters must be set before: they apply to entries without own
  /// values.
  func setUpEntries(
    _ keys: SamplerConfiguration, of configuration: UnitConfiguration,
    _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) {
    var entries: [LiveSetEntry] = []
    // Files that stay in memory anyway are read once.
    var stacks: [SoundFontStack] = []
    for entry in keys.entries {
      let (made, stack) = try await liveSetEntry(entry, keys, id: configuration.id.value, context)
      entries.append(made)
      if let stack, keys.preloadsEntries?.value ?? true { stacks.append(stack) }
    }
    defer { withExtendedLifetime(stacks) {} }
    let set = LiveSet(
      entries, channel: keys.entryChannel?.value, preloads: keys.preloadsEntries?.value ?? true)
    do throws(LiveSetError) {
      try await setLiveSet(set, progress: context.loadingProgress)
    } catch {
      guard case .soundFont(let number, let reason) = error,
        let entry = keys.entries.first(where: { $0.number.value == number })
      else { throw ConfigurationProblem(error.description, at: configuration.location) }
      throw ConfigurationProblem(
        "entry '\(entry.name.value)': \(reason)", at: Self.location(of: reason, in: entry))
    }
  }

  private func liveSetEntry(
    _ entry: EntryConfiguration, _ keys: SamplerConfiguration, id: String,
    _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) -> (LiveSetEntry, SoundFontStack?) {
    let files = entry.soundFonts.isEmpty ? keys.soundFonts : entry.soundFonts
    guard !files.isEmpty else {
      throw ConfigurationProblem(
        "entry '\(entry.name.value)' has no SoundFont",
        accepted: "soundfont = \"FILE.sf2\" here or in its [[unit]]", at: entry.location)
    }
    var parameters: [String: Float] = [:]
    for setting in entry.parameters {
      let (parameter, value) = try SettingReader(unit: self, id: id).read(setting)
      guard parameter.flags.contains(.writable) else {
        throw ConfigurationProblem(
          "\(parameter.keyPath) is read-only: the unit reports it", accepted: "no value for it",
          at: setting.keyPath.location)
      }
      guard !parameter.flags.contains(.nonRealTime) else {
        throw ConfigurationProblem(
          "\(parameter.keyPath) does not change while playing, so it is none of an entry's",
          accepted: "set it in parameters of the [[unit]]", at: setting.keyPath.location)
      }
      parameters[parameter.keyPath] = value
    }
    let fonts = try Self.stack(files, context)
    // Numbers of the entry replace the unit's, one by one; a name replaces both.
    var choice = keys
    if entry.sound != nil || entry.bank != nil || entry.program != nil {
      choice.sound = entry.sound
    }
    choice.bank = entry.bank ?? keys.bank
    choice.program = entry.program ?? keys.program
    do throws(SoundFontError) {
      let sound = try await sound(of: choice, in: fonts, context.loadingProgress)
      let entry = LiveSetEntry(
        number: entry.number.value, name: entry.name.value, soundFonts: fonts, bank: sound.bank,
        program: sound.program, parameters: parameters)
      return (entry, sound.stack)
    } catch {
      throw ConfigurationProblem(
        "entry '\(entry.name.value)': \(error)",
        at: error.isOfSound ? choice.sound?.location ?? entry.location : files[0].file.location)
    }
  }

  private static func location(
    of error: SoundFontError, in entry: EntryConfiguration
  ) -> SourcePosition {
    if error.isOfSound {
      return entry.program?.location ?? entry.bank?.location ?? entry.location
    }
    return entry.soundFonts.first?.file.location ?? entry.location
  }
}
