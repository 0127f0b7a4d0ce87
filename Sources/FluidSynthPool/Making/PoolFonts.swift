// The SoundFonts that a pool plays, as FluidSynth has them.

/// Fonts on top of each other: of those that have a preset, the last one wins.
package struct PoolFonts: Sendable {
  package struct Layer: Sendable {
    let font: FluidSynthFont
    let bankOffset: Int

    package init(font: FluidSynthFont, bankOffset: Int) {
      self.font = font
      self.bankOffset = bankOffset
    }
  }

  /// The lowest first.
  let layers: [Layer]
  /// How many modulators of the fonts a voice has at most.
  let modulators: Int
  /// How many presets all fonts have together.
  let presetCount: Int

  package init(_ layers: [Layer], modulators: Int, presetCount: Int) {
    self.layers = layers
    self.modulators = modulators
    self.presetCount = presetCount
  }

  /// A synth's number of a layer. FluidSynth counts them from 1, and the silent note comes first.
  package static func fontID(ofLayer index: Int) -> Int32 { Int32(index + 2) }
}
