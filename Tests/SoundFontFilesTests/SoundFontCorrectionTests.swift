// Values of SoundFonts that are corrected, with a warning.

import TestSupport
import Testing

@testable import SoundFontFiles

@Suite struct SoundFontCorrectionTests {
  typealias Modulator = SoundFontMaker.Modulator

  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func modulatorsOfGeneratorsStay() throws {
    var font = SoundFontMaker.sine(periodFrames: 100)
    font.presets[0].zones[0].modulators = (0...62).filter { ![2, 3, 45, 46, 47, 50].contains($0) }
      .map { Modulator(source: Modulator.wheel, destination: $0, amount: 10) }
    #expect(try checkedFont(font.write(to: directory.file("font.sf2"))).warnings == [])
  }

  @Test(arguments: [(51, 121, 120), (56, 1_201, 1_200), (56, -1, 0), (46, 300, 127)])
  func valuesOutOfTheSpecificationAreHeldToIt(number: Int, value: Int, held: Int) throws {
    var font = SoundFontMaker.sine(periodFrames: 100)
    font.presets[0].zones[0].sample.loop = nil
    font.presets[0].zones[0].extraGenerators = [
      (UInt16(number), UInt16(bitPattern: Int16(value))), (58, 127),
    ]
    let warnings = try checkedFont(font.write(to: directory.file("font.sf2"))).warnings
    #expect(
      warnings.first
        == "instrument 'Other', zone 1: generator \(number) is held to \(held) in place of \(value)"
    )
  }

  /// Each compressed sample has a separate memory block, which it fills from the first byte.
  @Test(arguments: [0, 1, 4, 12] as [UInt16])
  func aModulatorOfASamplesEndsIsLeftOutOfACompressedSoundFontAlone(destination: UInt16) throws {
    var font = SoundFontMaker.sine(periodFrames: 100)
    font.presets[0].zones[0].modulators = [
      Modulator(source: Modulator.wheel, destination: destination, amount: 100)
    ]
    let compressed = try checkedFont(font.writeCompressed(to: directory.file("font.sf3")))
    #expect(compressed.warnings.count == 1)
    #expect(
      compressed.warnings.allSatisfy {
        $0.hasSuffix("left out a modulator of generator \(destination)")
      })
    #expect(try checkedFont(font.write(to: directory.file("font.sf2"))).warnings == [])
  }
}
