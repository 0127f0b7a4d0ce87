// SoundFont values that FluidSynth does not tolerate: corrected or refused, and always harmless.

import Foundation
import TestSupport
import Testing

@testable import SamplerUnit

@Suite struct SoundFontValueTests {
  typealias Modulator = SoundFontMaker.Modulator

  @Test(arguments: [63, 64, 67, 128, 200, 255, 256 + 51, 0x8000, 0xFFFF] as [UInt16])
  func aModulatorOfNoGeneratorIsLeftOutAndHarmsNothing(destination: UInt16) async throws {
    var font = SoundFontMaker.sine(periodFrames: 100)
    let modulator = Modulator(
      source: Modulator.wheel, destination: destination, amount: 12_000)
    let depth = Modulator(source: Modulator.wheel, destination: 48, amount: 600)
    font.presets[0].zones[0].modulators = [modulator, depth]
    font.presets[0].modulators = [modulator]
    let rig = try await SamplerRig.playing(font: font)
    let before = try rig.play([0x90, 60, 127])
    for value in UInt8(0)...127 { _ = try rig.render(64, [(0, [0xB0, 1, value])]) }
    // The other modulator, of the attenuation, is applied.
    let after = try rig.render(8192).left
    #expect(rms(after) < 0.7 * rms(before))
    let warnings = rig.unit.soundFontWarnings
    #expect(warnings.count == 2)
    #expect(warnings.allSatisfy { $0.contains("rig.sf2") && $0.contains("'Other', zone 1") })
  }

  /// Changes whose values are each within the ranges of the specification.
  static let hangs: [(name: String, change: @Sendable (inout SoundFontMaker.Preset) -> Void)] = [
    ("scale", { $0.zones[0].extraGenerators = [(56, 600), (58, 0)] }),
    ("tuning", { $0.zones[0].extraGenerators = [(51, 120), (58, 0)] }),
    (
      "preset",
      {
        $0.zones[0].extraGenerators = [(51, 120), (56, 1_200)]
        $0.generators = [(51, 120), (56, 1_200)]
      }
    ),
    ("oscillator", { $0.zones[0].extraGenerators = [(5, 12_000), (6, 12_000), (7, 12_000)] }),
    (
      "modulator",
      {
        $0.zones[0].modulators = [
          Modulator(source: Modulator.wheel, destination: 51, amount: 371)
        ]
      }
    ),
    (
      "modulators",
      {
        $0.modulators = (0..<60).map {
          Modulator(source: 0x80 | (13 + $0), destination: 52, amount: 12_000)
        }
      }
    ),
    ("root", { $0.zones[0].sample.rootKey = 0 }),
  ]

  @Test(arguments: hangs.indices)
  func pitchIsBoundedWhereItIsSummed(index: Int) async throws {
    var font = SoundFontMaker(presets: [
      .init(name: "High", zones: [.init(sample: .noise(seed: 1, frames: 100))])
    ])
    font.presets[0].zones[0].sample.loop = 50..<54
    font.presets[0].zones[0].sample.sampleRate = 192_000
    Self.hangs[index].change(&font.presets[0])
    let rig = try await SamplerRig.playing(font: font)
    try withWorkLimit(seconds: 10, Self.hangs[index].name) {
      let wheels = (1...119).filter { ![6, 38, 84, 98, 99, 100, 101].contains($0) }
        .map { (0, [0xB0, UInt8($0), 127]) }
      _ = try rig.render(512, wheels + [(64, [0x90, 127, 127]), (128, [0xE0, 127, 127])])
      _ = try rig.render(4096)
    }
    // The values were corrected with a warning.
    #expect(!rig.unit.soundFontWarnings.isEmpty)
  }

  @Test func loopsAtTheVeryBeginningAreRead() async throws {
    var font = SoundFontMaker(presets: [
      .init(name: "Short", zones: [.init(sample: .noise(seed: 1, frames: 100))])
    ])
    font.presets[0].zones[0].sample.loop = 0..<2
    for interpolation in 0...3 {
      let rig = try await SamplerRig.playing(font: font)
      rig["interpolation"] = Float(interpolation)
      let output = try rig.play([0x90, 40, 127], frames: 20_000)
      // The two samples alternate; the samples after the loop are not played.
      #expect(abs(output.suffix(10_000).max()!) < 0.6)
    }
  }

  @Test func dataOfANonRegisteredParameterChangesNoPitch() async throws {
    let rig = try await SamplerRig.playing()
    let before = try rig.play([0x90, 60, 127], frames: 24_000)
    // 50 and 1 add up to 51, coarse tuning; then a data entry without a number.
    _ = try rig.play(
      [0xB0, 99, 120], [0xB0, 98, 50], [0xB0, 98, 1], [0xB0, 6, 127], [0xB0, 6, 127])
    let after = try rig.render(24_000).left
    #expect(abs(cents(after, above: Pitch.sine) - cents(before, above: Pitch.sine)) < 1)
  }

  @Test func glidesDoNotAddUp() async throws {
    let rig = try await SamplerRig.playing(
      font: SoundFontMaker.sine(periodFrames: 10))
    try withWorkLimit(seconds: 10, "glides") {
      _ = try rig.play([0xB0, 126, 1], [0xB0, 5, 127], [0xB0, 68, 127], [0x90, 60, 127])
      for note in 0..<200 {
        _ = try rig.render(64, [(0, [0xB0, 84, 127]), (0, [0x90, UInt8(note % 2), 127])])
      }
    }
  }

  @Test func aNoteThatComesBackWithoutAPresetIsSilent() async throws {
    var font = SoundFontMaker.rig
    // Without a preset to fall back to, channels may have none.
    font.presets.removeAll { $0.bank == 0 }
    let rig = try await SamplerRig.playing(bank: 1, font: font)
    _ = try rig.play([0xB0, 126, 1], [0x90, 60, 127], [0x90, 62, 127])
    _ = try rig.play([0xB0, 0, 5], [0xC0, 9], [0x80, 62, 0])
    _ = try rig.play([0x80, 60, 0], [0xB0, 120, 0])
    #expect(try rig.play([0x90, 60, 127]) == Signal.silence(frames: 4096))
    _ = try rig.play([0x80, 60, 0])
    // FluidSynth skips a zone once, after a legato to a preset without it.
    _ = try rig.play([0xB0, 0, 1], [0xC0, 0], [0x90, 60, 127], [0x80, 60, 0])
    #expect(try rig.render(4096, [(0, [0x90, 60, 127])]).right.last! > 0.05)
  }

  @Test func theBendGoesUpByFourOctavesAtMost() async throws {
    let rig = try await SamplerRig.playing(font: .sine(periodFrames: 200))
    let range: [[UInt8]] = [[0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 96]]
    _ = try rig.render(64, (range + [[0xE0, 127, 127], [0x90, 36, 127]]).map { (0, $0) })
    let up = try rig.render(24_000).left
    // The note is two octaves below the sine's pitch; the bend adds four.
    #expect(abs(cents(up, above: Pitch.sine / 2) - 2_400) < 50)
    _ = try rig.render(64, [(0, [0xB0, 6, 48])])
    #expect(abs(cents(try rig.render(24_000).left, above: Pitch.sine / 2) - 2_400) < 50)
  }
}

private func rms(_ signal: [Float]) -> Float {
  (signal.reduce(0) { $0 + $1 * $1 } / Float(signal.count)).squareRoot()
}
