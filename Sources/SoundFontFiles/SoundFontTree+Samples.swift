// Positions of samples, and lengths of compressed ones.

extension SoundFontTree {
  /// The greatest sampling rate of a sample, in hertz.
  private static let greatestRate = 192_000
  /// Mono, right, left, linked, compressed: the types that FluidSynth plays.
  private static let knownTypes = 0x1F

  /// - Throws: `SoundFontError` for a sample outside the sample data, or one that contradicts the
  ///   file.
  mutating func checkSamples(
    _ source: SoundFontSource, _ layout: SoundFontLayout
  ) throws(SoundFontError) {
    sampleFrames = layout.samples.count / 2
    for index in samples.indices {
      let sample = samples[index]
      let limit = sample.isCompressed ? layout.samples.count : layout.samples.count / 2
      guard sample.isInROM || (sample.start <= sample.end && sample.end <= limit) else {
        throw .damaged(
          path: path,
          reason: "sample \(index) '\(sample.name)' lies at \(sample.start) to \(sample.end), "
            + "outside its \(limit) frames")
      }
      guard sample.rate <= Self.greatestRate else {
        throw .damaged(
          path: path, reason: "sample \(index) '\(sample.name)' has a rate of \(sample.rate) Hz")
      }
      if sample.isInROM || sample.type & ~Self.knownTypes != 0 || sample.start >= sample.end {
        samples[index].isPlayable = false
      } else if sample.isCompressed {
        // In a file of version 2 FluidSynth would take bytes for frames.
        guard layout.isCompressed else {
          throw .damaged(
            path: path,
            reason: "sample \(index) '\(sample.name)' is compressed, in a file of version 2")
        }
        let range =
          layout.samples.lowerBound + sample.start..<layout.samples.lowerBound + sample.end
        guard let frames = OggVorbisLength.frames(of: try source.bytes(range)) else {
          throw .damaged(
            path: path, reason: "sample \(index) '\(sample.name)' is no Ogg Vorbis stream")
        }
        samples[index].decodedFrames = frames
        samples[index].isPlayable = frames > 8
      }
    }
  }

  /// Count of frames of all compressed samples, decompressed.
  var decodedFrames: Int {
    samples.reduce(0) { sum, sample in
      sum.addingReportingOverflow(sample.decodedFrames ?? 0).overflow
        ? Int.max : sum + (sample.decodedFrames ?? 0)
    }
  }

  var silentPresets: Set<PresetNumber> {
    let sounding = instruments.map { instrument in
      instrument.zones.contains { $0.target.map { samples[$0].isPlayable } ?? false }
    }
    let silent = presets.filter { preset in
      !preset.zones.contains { $0.target.map { sounding[$0] } ?? false }
    }
    return Set(
      silent.map { preset in
        func word(_ place: Int) -> Int {
          Int(preset.head[place]) | Int(preset.head[place + 1]) << 8
        }
        return PresetNumber(bank: word(22), program: word(20))
      })
  }
}

/// Bank and program of a SoundFont's preset.
package struct PresetNumber: Sendable, Hashable {
  let bank: Int
  let program: Int

  package init(bank: Int, program: Int) {
    self.bank = bank
    self.program = program
  }
}
