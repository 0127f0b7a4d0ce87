// The sampler's own keys.

import Configuration
import Foundation
import SamplerUnit
import UnitModel

extension SessionBuilder {
  /// Loads the sampler's SoundFont, bank and program.
  func loadSoundFont(
    _ configuration: UnitConfiguration, into sampler: SamplerUnit, file: URL?
  ) async throws(ConfigurationProblem) {
    guard let name = configuration.soundFont else {
      if let location = configuration.bank?.location ?? configuration.program?.location {
        throw ConfigurationProblem(
          "a bank or program without a SoundFont", accepted: "soundfont = \"FILE.sf2\" beside it",
          at: location)
      }
      return
    }
    let url = try located(name.location) { () throws(SoundFontLocationError) in
      try locator.locate(name.value, beside: file)
    }
    do throws(SoundFontError) {
      try await sampler.load(
        soundFont: url, bank: configuration.bank?.value ?? 0,
        program: configuration.program?.value ?? 0)
    } catch {
      var location = name.location
      if case .presetNotFound = error {
        location = configuration.program?.location ?? configuration.bank?.location ?? location
      }
      throw ConfigurationProblem(error.description, at: location)
    }
  }
}
