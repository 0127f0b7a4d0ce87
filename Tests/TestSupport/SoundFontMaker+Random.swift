// SoundFonts with random values, often at the edges of their ranges.

extension SoundFontMaker {
  /// A well-formed SoundFont with arbitrary generators, modulators, key ranges, loops, root keys
  /// and sample rates. The same state of the generator gives the same SoundFont.
  public static func random(using random: inout SeededRandom) -> SoundFontMaker {
    let presets = (0..<Int.random(in: 1...3, using: &random)).map { program in
      var preset = Preset(
        bank: Bool.random(using: &random) ? 0 : 128, program: UInt16(program),
        name: "Random \(program)",
        zones: (0..<Int.random(in: 1...4, using: &random)).map { _ in zone(using: &random) })
      preset.generators = generators(using: &random)
      preset.modulators = modulators(using: &random)
      return preset
    }
    return SoundFontMaker(name: "Random", presets: presets)
  }

  private static func zone(using random: inout SeededRandom) -> Zone {
    var zone = Zone(sample: sample(using: &random))
    if Int.random(in: 0..<4, using: &random) == 0 { zone.keys = 0...60 }
    if Bool.random(using: &random) { zone.exclusiveClass = edge(using: &random) }
    zone.releaseSeconds = [0, 0.01, 1].randomElement(using: &random)!
    zone.extraGenerators = generators(using: &random)
    zone.modulators = modulators(using: &random)
    return zone
  }

  private static func sample(using random: inout SeededRandom) -> Sample {
    let count = [2, 3, 4, 5, 8, 9, 64, 1_000].randomElement(using: &random)!
    var sample = Sample.noise(seed: random.next() & 0xFF, frames: max(count, 1))
    sample.frames = Array(sample.frames.prefix(count))
    let start = Int.random(in: 0..<count, using: &random)
    sample.loop = [
      nil, 0..<count, start..<min(start + 2, count), start..<min(start + 4, count), start..<count,
    ].randomElement(using: &random)!
    sample.rootKey = [0, 1, 24, 60, 127, 128, 255].randomElement(using: &random)!
    sample.sampleRate = [0, 1, 400, 44_100, 48_000, 192_000].randomElement(using: &random)!
    sample.correctionCents = [-128, -1, 0, 1, 127].randomElement(using: &random)!
    return sample
  }

  private static func generators(
    using random: inout SeededRandom
  ) -> [(number: UInt16, amount: UInt16)] {
    (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
      let isOfPitch = Bool.random(using: &random)
      let number =
        isOfPitch
        ? [0, 1, 2, 3, 4, 5, 6, 7, 12, 22, 24, 45, 46, 47, 50, 51, 52, 54, 56, 57, 58]
          .randomElement(using: &random)! : UInt16.random(in: 0...70, using: &random)
      // These end a zone and name another record.
      if number == 41 || number == 53 { return nil }
      return (number, number == 54 && isOfPitch ? 1 : edge(using: &random))
    }
  }

  private static func modulators(using random: inout SeededRandom) -> [Modulator] {
    (0..<[0, 0, 1, 3, 70].randomElement(using: &random)!).map { _ in
      let sources: [UInt16] = [0, 2, 3, 10, 13, 14, 16, 0x81, 0x8A, 0x20E, 0x502, 0xD81, 127]
      let destination =
        Bool.random(using: &random)
        ? [0, 1, 3, 5, 6, 7, 46, 50, 51, 52, 59].randomElement(using: &random)!
        : [UInt16.random(in: 0...80, using: &random), edge(using: &random)]
          .randomElement(using: &random)!
      return Modulator(
        source: Bool.random(using: &random)
          ? sources.randomElement(using: &random)! : edge(using: &random),
        destination: destination, amount: Int16(bitPattern: edge(using: &random)),
        amountSource: Bool.random(using: &random)
          ? 0
          : [sources.randomElement(using: &random)!, edge(using: &random)]
            .randomElement(using: &random)!,
        transform: [0, 0, 0, 2, 0xFFFF].randomElement(using: &random)!)
    }
  }

  /// A value at the edge of some range; one in four is arbitrary.
  private static func edge(using random: inout SeededRandom) -> UInt16 {
    let edges: [UInt16] = [
      0, 1, 2, 3, 60, 62, 63, 64, 99, 100, 120, 127, 128, 255, 256, 600, 1_200, 1_201, 12_000,
      12_001, 0x7FFF, 0x8000, 0x8001, 0xFF88, 0xFFFF,
    ]
    return Int.random(in: 0..<4, using: &random) == 0
      ? UInt16.random(in: 0...UInt16.max, using: &random) : edges.randomElement(using: &random)!
  }
}
