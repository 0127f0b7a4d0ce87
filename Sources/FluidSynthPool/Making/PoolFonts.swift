// The SoundFonts that a pool plays.

/// Fonts in a stack: of those that have a preset, the last one plays it.
package struct PoolFonts: Sendable {
  package struct Layer: Sendable {
    let font: FluidSynthFont
    let bankOffset: Int

    package init(font: FluidSynthFont, bankOffset: Int) {
      self.font = font
      self.bankOffset = bankOffset
    }
  }

  /// The layers, the lowest first.
  let layers: [Layer]
  /// The largest number of the fonts' modulators in a voice.
  let modulators: Int
  /// The number of presets of all fonts together.
  let presetCount: Int

  package init(_ layers: [Layer], modulators: Int, presetCount: Int) {
    self.layers = layers
    self.modulators = modulators
    self.presetCount = presetCount
  }

  /// A synth's number of a layer. FluidSynth counts from 1, and the silent note has the first
  /// number.
  package static func fontID(ofLayer index: Int) -> Int32 { Int32(index + 2) }
}
