// Changes while chords are held cause no clicks.

import Foundation
import SoundFontFiles
import TestSupport
import Testing

@testable import SamplerUnit

@Suite(.serialized) struct SeamlessChangeTests {
  /// A change while a chord of sines sounds.
  enum Change: String, CaseIterable, CustomTestStringConvertible {
    case program, bank, load, reload, stack, entryOfAnotherSoundFont, entryOfTheSameSoundFont
    case sevenLoads

    var testDescription: String { rawValue }
  }

  /// A sum of sines has steps. Those at the change are no larger than those before it, except for
  /// errors of 16-bit samples and interpolation.
  static let slack: Float = 1.001

  @Test(arguments: Change.allCases)
  func noStepIsLargerThanTheSignalsOwn(change: Change) async throws {
    let live = try await LiveRig(channel: 16)
    let rig = live.rig
    let isEntry = change == .entryOfAnotherSoundFont || change == .entryOfTheSameSoundFont
    if !isEntry { try await rig.unit.load(soundFont: rig.font) }
    let chord: [UInt8] = [36, 43, 52, 59, 62]
    _ = try rig.render(9600, chord.enumerated().map { ($0 * 37, [0x91, $1, 100]) })
    let own = largestStep(try rig.render(48_000).left)
    var midi: [(Int, [UInt8])] = []
    switch change {
    case .program: midi = [(777, [0xC1, 1])]
    case .bank: midi = [(777, [0xB1, 0, 1]), (777, [0xC1, 0])]
    case .load: try await rig.unit.load(soundFont: rig.font, bank: 1)
    case .reload: try await rig.unit.reload()
    case .stack:
      try await rig.unit.load(
        soundFonts: [SoundFontEntry(rig.font), SoundFontEntry(rig.font, bankOffset: 3)], bank: 4)
    case .entryOfAnotherSoundFont: midi = [(777, [0xCF, 1])]
    case .entryOfTheSameSoundFont: midi = [(777, [0xCF, 0])]
    case .sevenLoads:
      // More sounds than can ring out: the chord fades, also without a step.
      for bank in [1, 0, 1, 0, 1, 0] {
        try await rig.unit.load(soundFont: rig.font, bank: bank)
        _ = try rig.render(64, [(0, [0x92, 20, 1])])
      }
      try await rig.unit.load(soundFont: rig.font, bank: 1)
    }
    let after = try rig.render(9600, midi).left
    #expect(after.contains { $0 != 0 } && largestStep(after) <= own * Self.slack)
    _ = try rig.render(48_000, chord.map { (0, [0x81, $0, 0]) })
    _ = try rig.render(4800, [(0, [0x82, 20, 0]), (0, [0xB2, 120, 0])])
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
  }
}
