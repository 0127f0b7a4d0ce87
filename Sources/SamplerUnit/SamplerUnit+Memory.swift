// Memory of a sampler.

public import UnitModel

extension SamplerUnit: MemoryHolding {
  /// Memory of its SoundFonts, including those of a live set, each once.
  public var heldMemory: [HeldMemory] {
    bay.loadedSoundFonts.flatMap { font in
      [
        HeldMemory(.soundFonts, byteCount: font.size.samples, sharedAs: font.samplesName),
        HeldMemory(.soundFonts, byteCount: font.size.records),
      ]
    }
  }
}

extension SynthPools {
  /// SoundFonts in memory, each once.
  fileprivate var loadedSoundFonts: [LoadedSoundFont] {
    let stacks = state.withLock { state in
      [state.choice?.stack].compactMap(\.self) + (state.live?.stacks ?? []).compactMap(\.self)
    }
    var fonts: [LoadedSoundFont] = []
    for font in stacks.flatMap(\.layers).map(\.soundFont)
    where !fonts.contains(where: { $0 === font }) {
      fonts.append(font)
    }
    return fonts
  }
}
