// SoundFonts of random values, live and offline: none does harm or takes long.

import Foundation
import SoundFontFiles
import TestSupport
import Testing

@testable import SamplerUnit

/// $AURICLE_FONT_FUZZ is the number of SoundFonts, 300 by default.
@Suite struct SoundFontFuzzTests {
  static let count =
    ProcessInfo.processInfo.environment["AURICLE_FONT_FUZZ"].flatMap { Int($0) } ?? 300
  static let batch = 25

  @Test(arguments: 0..<(count / batch))
  func anyValuesAreRefusedOrPlayWithoutHarmInBoundedTime(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed) &+ 77_000)
    var loaded = 0
    for number in 0..<Self.batch {
      let rig = try SamplerRig()
      rig["synths"] = 4
      rig.unit.isRenderingOffline = number % 2 == 1
      let font = SoundFontMaker.random(using: &random)
      let url = rig.directory.file(number % 5 == 4 ? "random.sf3" : "random.sf2")
      if number % 5 == 4 {
        guard (try? font.writeCompressed(to: url)) != nil else { continue }
      } else {
        try font.write(to: url)
      }
      guard let presets = try? SoundFontInspector.presets(of: url), let first = presets.first,
        (try? await rig.unit.load(soundFont: url, bank: first.bank, program: first.program)) != nil
      else { continue }
      loaded += 1
      rig["interpolation"] = Float(number % 4)
      try rig.start()
      try withWorkLimit(seconds: 20, "font \(number) of seed \(seed)") {
        try play(presets, on: rig, using: &random)
      }
    }
    #expect(loaded > Self.batch / 2)
  }

  /// Plays all keys, wheels and pressures, bends of all ranges, glides and tunings.
  private func play(
    _ presets: [SoundFontPreset], on rig: SamplerRig, using random: inout SeededRandom
  ) throws {
    var midi: [(Int, [UInt8])] = []
    let controllers: [UInt8] = [
      1, 5, 6, 7, 10, 11, 38, 64, 65, 66, 68, 71, 74, 84, 98, 99, 100, 101, 121, 126, 127,
    ]
    for place in 0..<200 {
      let (frame, channel) = (place * 10, UInt8.random(in: 0...2, using: &random))
      let (first, second) = (random.byte(127), random.byte(127))
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2: midi.append((frame, [0x90 | channel, first, max(second, 1)]))
      case 3: midi.append((frame, [0x80 | channel, first, 0]))
      case 4: midi.append((frame, [0xE0 | channel, first, second]))
      case 5: midi.append((frame, [0xD0 | channel, first]))
      case 6 where place % 5 == 0:
        midi.append((frame, [0xB0 | channel, 101, 0]))
        midi.append((frame, [0xB0 | channel, 100, random.byte(2)]))
        midi.append((frame, [0xB0 | channel, 6, first]))
      case 6 where place % 5 == 1:
        midi.append((frame, [0xB0 | channel, 99, 120]))
        midi.append((frame, [0xB0 | channel, 98, random.byte(62)]))
        midi.append((frame, [0xB0 | channel, 6, first]))
      case 6 where place % 5 == 2:
        let preset = presets.randomElement(using: &random)!
        midi.append((frame, [0xC0 | channel, UInt8(preset.program)]))
      default:
        midi.append((frame, [0xB0 | channel, controllers.randomElement(using: &random)!, first]))
      }
    }
    _ = try rig.render(2048, midi)
    for channel in UInt8(0)...15 { _ = try rig.render(64, [(0, [0xB0 | channel, 120, 0])]) }
  }
}

extension SeededRandom {
  fileprivate mutating func byte(_ last: UInt8) -> UInt8 {
    UInt8.random(in: 0...last, using: &self)
  }
}
