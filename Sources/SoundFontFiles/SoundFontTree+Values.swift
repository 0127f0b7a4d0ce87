// Removal or limitation of values that FluidSynth cannot handle.

extension SoundFontTree {
  /// Removes modulators that would make FluidSynth write beyond a voice's memory, or move the end
  /// or the loop of a sounding sample.
  mutating func leaveOutUnbearableModulators(_ layout: SoundFontLayout) {
    for index in presets.indices {
      presets[index].zones = filtered(presets[index], "preset", layout)
    }
    for index in instruments.indices {
      instruments[index].zones = filtered(instruments[index], "instrument", layout)
    }
  }

  private mutating func filtered(
    _ owner: Owner, _ kind: String, _ layout: SoundFontLayout
  ) -> [SoundFontZone] {
    owner.zones.map { zone in
      var zone = zone
      let number = zone.number
      zone.modulators.removeAll { modulator in
        if isBearable(modulator.destination, layout) { return false }
        warnings.add(
          "\(kind) '\(owner.name)', zone \(number): left out a modulator of "
            + (modulator.destination & 0x8000 != 0
              ? "another modulator" : "generator \(modulator.destination)"))
        return true
      }
      return zone
    }
  }

  private func isBearable(_ destination: UInt16, _ layout: SoundFontLayout) -> Bool {
    switch destination {
    case GeneratorNumber.loopStartOffset, GeneratorNumber.loopEndOffset,
      GeneratorNumber.loopStartCoarseOffset, GeneratorNumber.loopEndCoarseOffset,
      GeneratorNumber.fixedKey, GeneratorNumber.fixedVelocity:
      false
    // Compressed samples each lie at the beginning of their memory.
    case 0, 4, GeneratorNumber.endOffset, GeneratorNumber.endCoarseOffset: !layout.isCompressed
    default: destination <= GeneratorNumber.last
    }
  }

  /// Holds generators to the specification's ranges, if FluidSynth does not and the program depends
  /// on it. Keys are indices, a root key far above the others wraps round, and the program handles
  /// exclusive classes.
  mutating func holdGenerators() {
    for index in instruments.indices {
      for zone in instruments[index].zones.indices where isOutside(instruments[index].zones[zone]) {
        let old = instruments[index].zones[zone]
        hold(&instruments[index].zones[zone], GeneratorNumber.fixedKey, -1...127)
        hold(&instruments[index].zones[zone], GeneratorNumber.fixedVelocity, -1...127)
        hold(&instruments[index].zones[zone], GeneratorNumber.rootKey, -1...255)
        hold(&instruments[index].zones[zone], GeneratorNumber.exclusiveClass, -31_999...31_999)
        hold(&instruments[index].zones[zone], GeneratorNumber.coarseTuning, -120...120)
        hold(&instruments[index].zones[zone], GeneratorNumber.scaleTuning, 0...1_200)
        warn("instrument", instruments[index].name, old, instruments[index].zones[zone])
      }
    }
    for index in presets.indices {
      for zone in presets[index].zones.indices where isOutside(presets[index].zones[zone]) {
        let old = presets[index].zones[zone]
        hold(&presets[index].zones[zone], GeneratorNumber.coarseTuning, -120...120)
        hold(&presets[index].zones[zone], GeneratorNumber.scaleTuning, -1_200...1_200)
        warn("preset", presets[index].name, old, presets[index].zones[zone])
      }
    }
  }

  /// Whether a generator may have to be held.
  private func isOutside(_ zone: SoundFontZone) -> Bool {
    zone.generators.contains { generator in
      switch generator.number {
      case GeneratorNumber.fixedKey, GeneratorNumber.fixedVelocity, GeneratorNumber.coarseTuning:
        !(-1...120).contains(generator.value)
      case GeneratorNumber.rootKey: !(-1...255).contains(generator.value)
      case GeneratorNumber.exclusiveClass: !(0...127).contains(generator.value)
      case GeneratorNumber.scaleTuning: !(0...1_200).contains(generator.value)
      default: false
      }
    }
  }

  private func hold(_ zone: inout SoundFontZone, _ number: UInt16, _ range: ClosedRange<Int>) {
    if let value = zone[number], !range.contains(value) {
      zone.set(number, min(max(value, range.lowerBound), range.upperBound))
    }
  }

  mutating func warn(_ kind: String, _ name: String, _ old: SoundFontZone, _ new: SoundFontZone) {
    for generator in new.generators where old[generator.number] != generator.value {
      let before = old[generator.number].map { " in place of \($0)" } ?? ""
      warnings.add(
        "\(kind) '\(name)', zone \(new.number): generator \(generator.number) is held to "
          + "\(generator.value)\(before)")
    }
  }
}
