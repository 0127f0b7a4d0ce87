// What a synth is to play, and how.

/// The preset that is configured, found in the fonts of a synth.
package struct ConfiguredProgram: BitwiseCopyable {
  /// −1 without a font: the synth is silent.
  package var fontID: Int32 = -1
  package var bank: Int32 = 0
  package var program: Int32 = 0
  /// The font with the kit that drum channels play, −1 for none.
  package var kitFontID: Int32 = -1
  package var kitProgram: Int32 = 0

  @_noLocks @_noAllocation
  package init() {}
}

/// The parameters of the unit, and what SysEx sets beside them, that a synth carries out.
package struct SynthSettings: BitwiseCopyable {
  /// FluidSynth's numbers: 0, 1, 4 or 7.
  package var interpolation: Int32 = 4
  /// The offset of each channel's pitch.
  package var pitchCents = InlineArray<16, Float>(repeating: 0)
  /// The channels, a bit for each, that GS has made those of percussion, or of notes.
  package var percussion: UInt16 = 0
  package var melodic: UInt16 = 0

  @_noLocks @_noAllocation
  package init() {}
}
