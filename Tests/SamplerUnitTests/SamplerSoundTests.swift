// The sampler's sound: first frames of notes, effects of parameters and messages.

import Foundation
import TestSupport
import Testing
import UnitModel
import UnitRender

@testable import SamplerUnit

@Suite struct SamplerSoundTests {
  @Test func nothingSoundsBeforeASoundFontIsLoaded() async throws {
    let rig = try SamplerRig()
    try rig.start()
    #expect(try rig.play([0x90, 60, 127], [0xC0, 1]) == Signal.silence(frames: 4096))
    try await rig.unit.load(soundFont: rig.font)
    // The note arrived before a SoundFont was loaded.
    #expect(try rig.play([0xE0, 0, 64]) == Signal.silence(frames: 4096))
    #expect(onset(of: try rig.play([0x90, 60, 127])) != nil)
  }

  @Test func notesBeginWithinABlockOfTheirFrameAtAnyPeriod() async throws {
    for period in [16, 64, 100, 1024, 4096] {
      let rig = try await SamplerRig.playing(program: 1)
      for frame in [0, 1, 63, 64, 65, 700, 1000, 3000] {
        let note = try rig.render(4096, [(frame, [0x90, 60, 127])], period: period).left
        let start = try #require(onset(of: note))
        #expect(start >= frame && start <= frame + 64, "period \(period)")
        _ = try rig.render(4096, [(0, [0x80, 60, 0])])
        _ = try rig.render(8192)
      }
    }
  }

  @Test func theOutputDoesNotDependOnThePeriod() async throws {
    var random = SeededRandom(seed: 4)
    var midi: [(Int, [UInt8])] = []
    for _ in 0..<400 {
      let key = UInt8.random(in: 40...80, using: &random)
      let frame = Int.random(in: 0..<40_000, using: &random)
      midi.append((frame, [0x90, key, UInt8.random(in: 1...127, using: &random)]))
      midi.append((frame + Int.random(in: 1...4000, using: &random), [0x80, key, 0]))
      midi.append((frame, [0xB0, 7, UInt8.random(in: 40...127, using: &random)]))
    }
    midi.sort { $0.0 < $1.0 }
    var first: [Float]?
    for period in [4096, 1024, 256, 100, 64, 16] {
      let rig = try await SamplerRig.playing()
      let output = try rig.render(45_000, midi, period: period).left
      #expect(firstDifference(first ?? output, output) == nil, "period \(period)")
      first = output
    }
  }

  @Test func gainIsInDecibelsAndItsLowEndIsSilence() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 60, 127])
    let unity = peakDecibels(try rig.render(64).left)
    for gain: Float in [-59, -20, -6, 6, 24] {
      rig["gain"] = gain
      _ = try rig.render(4096)
      #expect(abs(peakDecibels(try rig.render(1024).left) - unity - Double(gain)) < 0.01)
    }
    rig["gain"] = -60
    _ = try rig.render(4096)
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
  }

  @Test func aStepOfGainIsSpreadOverTwentyMillisecondsAndARampIsFollowedByTheFrame() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 60, 127])
    let level = try rig.render(64).left[0]
    try rig.schedule("gain", -12, after: 100)
    let stepped = try rig.render(2048).left
    for frame in 0..<2048 {
      let progress = min(max(Double(frame - 99) / 960, 0), 1)
      #expect(abs(decibels(stepped[frame] / level) + 12 * progress) < 0.001)
    }
    #expect(rig["gain"] == -12)
    try rig.schedule("gain", 0, ramp: 1000, after: 300)
    _ = try rig.render(800, period: 800)
    #expect(abs(rig["gain"] + 6) < 1e-4)
    let rest = try rig.render(600).left
    #expect(rig["gain"] == 0)
    #expect(abs(decibels(rest[499] / level)) < 0.001)
    #expect(abs(decibels(rest[249] / level) + 3) < 0.001)
  }

  @Test func panIsControllerTenOfAllChannels() async throws {
    let rig = try await SamplerRig.playing(program: 0)
    rig["pan"] = 0
    #expect(balance(try rig.render(4096, [(0, [0x93, 60, 127])])) > 30)
    #expect(balance(try rig.render(4096, [(0, [0xB3, 10, 127])])) < -30)
    #expect(rig["pan"] == 0)
  }

  @Test func panSetBeforeLoadingHolds() async throws {
    let rig = try SamplerRig()
    rig["pan"] = 127
    try rig.start()
    try await rig.unit.load(soundFont: rig.font)
    #expect(balance(try rig.render(4096, [(0, [0x90, 60, 127])])) < -30)
    #expect(balance(try rig.render(4096, [(0, [0xB0, 10, 0])])) > 30)
    // A reset restores the parameter's value on the channels.
    #expect(balance(try rig.render(4096, [(0, [0xFF]), (64, [0x90, 60, 127])])) < -30)
  }

  /// Level of the left output relative to the right at the end, in decibels.
  private func balance(_ output: (left: [Float], right: [Float])) -> Double {
    peakDecibels(Array(output.left.suffix(1000))) - peakDecibels(Array(output.right.suffix(1000)))
  }

  @Test func transposeAndTuningMoveAllButPercussion() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play([0x90, 60, 127], [0x99, 60, 127])
    _ = try rig.play([0xB0, 120, 0], [0xB9, 120, 0])
    #expect(abs(cents(try rig.play([0x90, 60, 127]), above: Pitch.sine)) < 1)
    for (transpose, hertz) in [(-24, 440), (24, 440), (0, 400), (5, 480), (0, 442.5)] {
      rig["transpose"] = Float(transpose)
      rig["tuning"] = Float(hertz)
      let expected = Double(transpose) * 100 + 1200 * log2(hertz / 440)
      _ = try rig.render(256)
      #expect(abs(cents(try rig.render(48_000).left, above: Pitch.sine) - expected) < 1)
    }
    _ = try rig.play([0xB0, 120, 0])
    rig["transpose"] = 7
    #expect(abs(cents(try rig.play([0x99, 60, 127]), above: 2 * Pitch.sine)) < 1)
  }

  @Test func transposeStandsBesideBendAndRegisteredParametersAndSurvivesResets() async throws {
    let rig = try await SamplerRig.playing()
    rig["transpose"] = 3
    let note: [UInt8] = [0x90, 60, 127]
    let bent = try rig.play(
      [0xB0, 101, 0], [0xB0, 100, 2], [0xB0, 6, 69], [0xE0, 0x7F, 0x7F], note, frames: 24_000)
    // FluidSynth bends by 127/128 of the range, by the SoundFont's default modulator.
    #expect(abs(cents(bent, above: Pitch.sine) - 800 - 200 * 127 / 128) < 1)
    for reset: [[UInt8]] in [
      [[0xB0, 121, 0]], [[0xFF]], [[0xF0, 0x7E, 0x7F, 9, 1, 0xF7]],
      [[0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7]],
    ] {
      let midi =
        ([[0xB0, 120, 0]] + reset + [[0xE0, 0, 64], [0xB0, 101, 0], [0xB0, 100, 2]]
        + [[0xB0, 6, 64], note]).map { (0, $0) }
      let output = try rig.render(24_000, midi).left
      #expect(abs(cents(output, above: Pitch.sine) - 300) < 1, "\(reset)")
    }
  }

  @Test func polyphonyLimitsTheVoices() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 30, 127])
    rig["polyphony"] = 2
    // The held note continues.
    #expect(try rig.render(64).left.min()! > 0.05)
    _ = try rig.play([0x80, 30, 0], frames: 8192)
    let chord = try rig.render(4096, (0..<10).map { ($0 * 100, [0x90, 40 + UInt8($0), 127]) }).left
    // The SoundFont is in memory; the file is not read again.
    try FileManager.default.removeItem(at: rig.font)
    try rig.unit.parameterTree.parameter(keyPath: "polyphony")!.setValue(8)
    #expect(rig["polyphony"] == 8)
    let one = try await SamplerRig.playing(program: 1).play([0x90, 60, 127])
    #expect(abs(peakDecibels(Array(chord.suffix(100))) - peakDecibels(one) - 6.02) < 0.1)
  }

  @Test func interpolationIsOfTheChosenOrder() async throws {
    var outputs: [[Float]] = []
    for order in 0...3 {
      let rig = try await SamplerRig.playing()
      rig["interpolation"] = Float(order)
      outputs.append(try rig.play([0x90, 67, 127]))
    }
    for (first, second) in [(0, 1), (1, 2), (2, 3)] {
      #expect(firstDifference(outputs[first], outputs[second]) != nil)
    }
    let standard = try await SamplerRig.playing().play([0x90, 67, 127])
    #expect(firstDifference(outputs[2], standard) == nil)
  }

  @Test func aBypassedSamplerFallsSilentAndLosesNoNoteOff() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 60, 127])
    rig.unit.shouldBypassEffect = true
    let faded = try rig.render(2048).left
    #expect(faded[0] > 0.9 * faded.max()!)
    #expect(Array(faded.suffix(1000)) == Signal.silence(frames: 1000))
    _ = try rig.play([0x80, 60, 0], frames: 8192)
    rig.unit.shouldBypassEffect = false
    #expect(peakDecibels(try rig.render(4096).left) < -100)
  }

  @Test func aResetEndsAllSoundAndKeepsPrograms() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play([0xC0, 1], [0x90, 60, 127], [0xB0, 64, 127], [0xE0, 0, 0])
    rig.unit.reset()
    #expect(Array(try rig.render(2048).left.suffix(1024)) == Signal.silence(frames: 1024))
    #expect(balance(try rig.render(4096, [(0, [0x90, 60, 127])])) > 30)
  }
}
