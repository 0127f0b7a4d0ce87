// SF3: SoundFonts with Ogg Vorbis samples.

import TestSupport
import Testing

@testable import SamplerUnit

@Suite struct CompressedSoundFontTests {
  @Test func aCompressedSoundFontPlays() async throws {
    let rig = try SamplerRig()
    let maker = SoundFontMaker(
      presets: [100, 150].enumerated().map { program, period in
        .init(
          program: UInt16(program), name: "Sine \(period)",
          zones: [.init(sample: .sine(periodFrames: period))])
      })
    let font = try maker.writeCompressed(to: rig.directory.file("compressed.sf3"))
    try await rig.unit.load(soundFont: font)
    try rig.start()
    let first = try rig.play([0x90, 60, 127], frames: 24_000)
    #expect(abs(cents(first, above: Pitch.sine)) < 2)
    _ = try rig.play([0xB0, 120, 0], [0xC0, 1])
    let second = try rig.play([0x90, 60, 127], frames: 24_000)
    #expect(abs(cents(second, above: 320)) < 2)
  }

  /// Each compressed sample has a separate memory block, which it fills from the first byte.
  @Test(arguments: [0, 1, 4, 12] as [UInt16])
  func aModulatorOfASamplesEndsIsLeftOutOfACompressedSoundFontAlone(destination: UInt16) throws {
    let directory = try TemporaryDirectory()
    var font = SoundFontMaker.sine(periodFrames: 100)
    font.presets[0].zones[0].modulators = [
      .init(source: SoundFontMaker.Modulator.wheel, destination: destination, amount: 100)
    ]
    let compressed = try SoundFontFile(font.writeCompressed(to: directory.file("font.sf3")))
    #expect(compressed.warnings.count == 1)
    #expect(
      compressed.warnings.allSatisfy {
        $0.hasSuffix("left out a modulator of generator \(destination)")
      })
    #expect(try SoundFontFile(font.write(to: directory.file("font.sf2"))).warnings == [])
  }
}
