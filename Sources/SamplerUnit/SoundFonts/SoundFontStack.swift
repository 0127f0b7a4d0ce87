// A stack of loaded SoundFonts.

import FluidSynthPool
import SoundFontFiles

/// SoundFonts that one sampler plays together. The last one that has a preset plays it.
struct SoundFontStack: Sendable {
  struct Layer: Sendable {
    let soundFont: LoadedSoundFont
    let bankOffset: Int
  }

  /// The layers, the lowest first; at least one.
  let layers: [Layer]
  /// Presets that can be played, with the stack's banks, in order of bank and program.
  let presets: [SoundFontPreset]
  /// Names of `presets`, each different.
  let soundNames: [String]

  init(_ layers: [Layer]) {
    self.layers = layers
    var found: [[Int]: SoundFontPreset] = [:]
    for layer in layers {
      for preset in layer.soundFont.presets {
        let bank = preset.bank + layer.bankOffset
        found[[bank, preset.program]] = SoundFontPreset(
          bank: bank, program: preset.program, name: preset.name)
      }
    }
    presets = found.values.sorted()
    soundNames = presets.soundNames
  }

  var entries: [SoundFontEntry] {
    layers.map { SoundFontEntry($0.soundFont.url, bankOffset: $0.bankOffset) }
  }

  /// Paths of the files, for messages.
  var path: String { entries.map(\.url.path).joined(separator: " + ") }

  /// The longest release of the fonts, in seconds.
  var longestReleaseSeconds: Double { layers.map(\.soundFont.longestReleaseSeconds).max() ?? 0 }

  /// The most modulators of the fonts that a voice has.
  private var modulators: Int { layers.map(\.soundFont.mostModulators).max() ?? 0 }

  /// Count of presets of all fonts, including hidden ones.
  private var presetCount: Int { layers.map(\.soundFont.presets.count).reduce(0, +) }

  /// - Throws: `SoundFontError.presetNotFound`.
  func checkPreset(bank: Int, program: Int) throws(SoundFontError) {
    guard layer(bank: bank, program: program) != nil else {
      throw .presetNotFound(bank: bank, program: program, path: path, available: presets)
    }
  }

  /// The fonts in the form for pools.
  var fonts: PoolFonts {
    PoolFonts(
      layers.map { PoolFonts.Layer(font: $0.soundFont.font, bankOffset: $0.bankOffset) },
      modulators: modulators, presetCount: presetCount)
  }

  /// Returns the initial program of a synth's channels.
  func configured(bank: Int, program: Int) -> ConfiguredProgram {
    var configured = ConfiguredProgram()
    guard let layer = layer(bank: bank, program: program) else { return configured }
    configured.fontID = PoolFonts.fontID(ofLayer: layer)
    configured.bank = Int32(bank)
    configured.program = Int32(program)
    if let kit = presets.first(where: { $0.bank == 128 }),
      let layer = self.layer(bank: 128, program: kit.program)
    {
      configured.kitFontID = PoolFonts.fontID(ofLayer: layer)
      configured.kitProgram = Int32(kit.program)
    }
    return configured
  }

  /// Whether a preset exists and has no zone that sounds.
  func isSilent(bank: Int, program: Int) -> Bool {
    guard let layer = layer(bank: bank, program: program).map({ layers[$0] }) else { return false }
    return layer.soundFont.silentPresets.contains(
      PresetNumber(bank: bank - layer.bankOffset, program: program))
  }

  /// The name of a preset; "" if it does not exist.
  func presetName(bank: Int, program: Int) -> String {
    presets.first { $0.bank == bank && $0.program == program }?.name ?? ""
  }

  /// The name of a channel's preset until MIDI chooses another.
  func configuredName(
    ofChannel channel: Int, _ setup: SamplerChannelSetup, bank: Int, program: Int
  ) -> String {
    let configured = configured(bank: bank, program: program)
    return bank != 128 && setup.drumChannels.contains(channel + 1) && configured.kitFontID >= 0
      ? presetName(bank: 128, program: Int(configured.kitProgram))
      : presetName(bank: bank, program: program)
  }

  private func layer(bank: Int, program: Int) -> Int? {
    layers.lastIndex { layer in
      layer.soundFont.presets.contains {
        $0.bank + layer.bankOffset == bank && $0.program == program
      }
    }
  }
}
