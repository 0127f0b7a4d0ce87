// The sampler's own keys.

import Configuration
import Foundation
import SamplerUnit
import UnitModel

extension SessionBuilder {
  /// The sampler's output busses by their word in configurations; one stereo bus where none is given.
  func outputs(
    _ name: Located<String>?
  ) throws(ConfigurationProblem) -> SamplerOutputLayout {
    guard let name else { return .stereo }
    guard let layout = SamplerOutputLayout(rawValue: name.value) else {
      throw .unknown(
        "layout", name.value, in: "'outputs'",
        accepted: SamplerOutputLayout.allCases.map(\.rawValue), at: name.location)
    }
    return layout
  }

  /// What the sampler's channels are before MIDI says otherwise.
  func channels(
    _ configuration: UnitConfiguration
  ) throws(ConfigurationProblem) -> SamplerChannelSetup {
    var setup = SamplerChannelSetup()
    if let ranges = configuration.drumChannels?.value { setup.drumChannels = Set(ranges.joined()) }
    if let name = configuration.bankSelect {
      guard let bankSelect = BankSelect(rawValue: name.value) else {
        throw .unknown(
          "standard", name.value, in: "'bank-select'",
          accepted: BankSelect.allCases.map(\.rawValue),
          at: name.location)
      }
      setup.bankSelect = bankSelect
    }
    return setup
  }

  /// Loads the sampler's SoundFont, bank and program.
  func loadSoundFont(
    _ configuration: UnitConfiguration, into sampler: SamplerUnit, file: URL?
  ) async throws(ConfigurationProblem) {
    guard let name = configuration.soundFonts.first?.file else {
      if let location = configuration.bank?.location ?? configuration.program?.location {
        throw ConfigurationProblem(
          "a bank or program without a SoundFont", accepted: "soundfont = \"FILE.sf2\" beside it",
          at: location)
      }
      return
    }
    let entries = try soundFonts(configuration.soundFonts, file: file)
    do throws(SoundFontError) {
      try await sampler.load(
        soundFonts: entries, bank: configuration.bank?.value ?? 0,
        program: configuration.program?.value ?? 0, progress: loadingProgress)
    } catch {
      var location = name.location
      if case .presetNotFound = error {
        location = configuration.program?.location ?? configuration.bank?.location ?? location
      } else if let index = entries.firstIndex(where: { error.path == $0.url.path }) {
        location = configuration.soundFonts[index].file.location
      }
      throw ConfigurationProblem(error.description, at: location)
    }
  }

  /// The files of a stack.
  func soundFonts(
    _ configurations: [SoundFontConfiguration], file: URL?
  ) throws(ConfigurationProblem) -> [SoundFontEntry] {
    var entries: [SoundFontEntry] = []
    for configuration in configurations {
      let name = configuration.file
      let url = try located(name.location) { () throws(SoundFontLocationError) in
        try locator.find(configuration, beside: file).url
      }
      entries.append(SoundFontEntry(url, bankOffset: configuration.bankOffset?.value ?? 0))
    }
    return entries
  }
}
