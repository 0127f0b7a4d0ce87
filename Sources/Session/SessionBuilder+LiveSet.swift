// The live set of a sampler.

import Configuration
import Foundation
import SamplerUnit
import UnitModel

extension SessionBuilder {
  /// Sets the unit's parameters, which hold where entries have none of their own, then its live set, then the
  /// entry or user preset to begin with.
  func setUpLiveSet(
    _ configuration: UnitConfiguration, of sampler: SamplerUnit, file: URL?
  ) async throws(ConfigurationProblem) -> AudioUnit {
    let id = configuration.id.value
    for setting in configuration.parameters { try apply(setting, to: sampler, id: id) }
    var entries: [LiveSetEntry] = []
    for entry in configuration.entries {
      entries.append(try liveSetEntry(entry, of: configuration, for: sampler, file: file))
    }
    let set = LiveSet(
      entries, channel: configuration.entryChannel?.value,
      preloads: configuration.preloadsEntries?.value ?? true)
    do throws(LiveSetError) {
      try await sampler.setLiveSet(set, progress: loadingProgress)
    } catch {
      guard case .soundFont(let number, let reason) = error,
        let entry = configuration.entries.first(where: { $0.number.value == number })
      else { throw ConfigurationProblem(error.description, at: configuration.location) }
      throw ConfigurationProblem(
        "entry '\(entry.name.value)': \(reason)", at: location(of: reason, in: entry))
    }
    try applyPreset(configuration.preset, to: sampler, id: id)
    return sampler
  }

  private func liveSetEntry(
    _ entry: EntryConfiguration, of configuration: UnitConfiguration, for sampler: SamplerUnit,
    file: URL?
  ) throws(ConfigurationProblem) -> LiveSetEntry {
    let files = entry.soundFonts.isEmpty ? configuration.soundFonts : entry.soundFonts
    guard !files.isEmpty else {
      throw ConfigurationProblem(
        "entry '\(entry.name.value)' has no SoundFont",
        accepted: "soundfont = \"FILE.sf2\" here or in its [[unit]]", at: entry.location)
    }
    var parameters: [String: Float] = [:]
    for setting in entry.parameters {
      let (parameter, value) = try read(setting, of: sampler, id: configuration.id.value)
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
    return LiveSetEntry(
      number: entry.number.value, name: entry.name.value,
      soundFonts: try soundFonts(files, file: file),
      bank: entry.bank?.value ?? configuration.bank?.value ?? 0,
      program: entry.program?.value ?? configuration.program?.value ?? 0, parameters: parameters)
  }

  private func location(
    of error: SoundFontError, in entry: EntryConfiguration
  ) -> SourcePosition {
    if case .presetNotFound = error {
      return entry.program?.location ?? entry.bank?.location ?? entry.location
    }
    return entry.soundFonts.first?.file.location ?? entry.location
  }

  func refuseEntryKeys(_ configuration: UnitConfiguration) throws(ConfigurationProblem) {
    let keys = [
      ("entry-channel", configuration.entryChannel?.location),
      ("entry-preload", configuration.preloadsEntries?.location),
    ]
    for (key, location) in keys {
      if let location {
        throw ConfigurationProblem(
          "'\(key)' without an entry", accepted: "it with at least one [[unit.entry]]",
          at: location)
      }
    }
  }
}
