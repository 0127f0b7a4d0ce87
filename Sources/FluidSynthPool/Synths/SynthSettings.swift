// The program and the settings of a synth.

/// The configured preset, found in the fonts of a synth.
package struct ConfiguredProgram: BitwiseCopyable {
  /// The synth's number of the font; −1 without a font: the synth is silent.
  package var fontID: Int32 = -1
  package var bank: Int32 = 0
  package var program: Int32 = 0
  /// The font with the kit that drum channels play; −1 for none.
  package var kitFontID: Int32 = -1
  package var kitProgram: Int32 = 0

  @_noLocks @_noAllocation
  package init() {}
}

/// The unit's parameters, and additional settings by SysEx, that a synth applies.
package struct SynthSettings: BitwiseCopyable {
  /// FluidSynth's number of the interpolation: 0, 1, 4 or 7.
  package var interpolation: Int32 = 4
  /// The offset of each channel's pitch, in cents.
  package var pitchCents = InlineArray<16, Float>(repeating: 0)
  /// The channels, a bit for each, that GS has made those of percussion, or of notes.
  package var percussion: UInt16 = 0
  package var melodic: UInt16 = 0

  @_noLocks @_noAllocation
  package init() {}
}
