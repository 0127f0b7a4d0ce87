// Reverb and chorus in the sampler: sends, independence of the period, no clicks.

import Foundation
import TestSupport
import Testing
import UnitModel
import UnitRender

@testable import SamplerUnit

extension SoundFontMaker {
  /// Programs: 0 a constant panned left, sent to the chorus by 30 %; 1 the same without sends, in
  /// the middle. 2 a sine with a slow attack; 3 two voices, hard left and right, sent by half.
  static var sending: SoundFontMaker {
    var left = Zone(sample: .constant(), panPercent: -50, tracksKey: false)
    left.extraGenerators = [(15, 300)]
    var (low, high) = (left, left)
    low.extraGenerators = [(15, 500), (16, 500)]
    high.extraGenerators = low.extraGenerators
    high.panPercent = 50
    return SoundFontMaker(
      name: "Sending",
      presets: [
        Preset(program: 0, name: "Left", zones: [left]),
        Preset(
          program: 1, name: "Middle", zones: [Zone(sample: .constant(), tracksKey: false)]),
        Preset(
          program: 2, name: "Sine",
          zones: [Zone(sample: .sine(), attackSeconds: 0.05, releaseSeconds: 0.2)]),
        Preset(program: 3, name: "Both", zones: [low, high]),
      ])
  }
}

@Suite struct EffectTests {
  /// A rig with a chorus that delays by 48 frames, with a gain of 1 on each side.
  private func delaying(
    program: Int, outputs: SamplerOutputLayout = .dryAndEffects
  ) async throws -> SamplerRig {
    let rig = try SamplerRig(font: .sending, outputs: outputs)
    rig["chorus.on"] = 1
    rig["chorus.voices"] = 1
    rig["chorus.depth"] = 0
    rig["chorus.level"] = Float(0.5).squareRoot()
    try await rig.unit.load(soundFont: rig.font, bank: 0, program: program)
    try rig.start()
    return rig
  }

  /// The send of a steady sound, relative to its level before panning.
  private func sent(_ outputs: [[Float]]) -> Float {
    let voice = (outputs[0].last! * outputs[0].last! + outputs[1].last! * outputs[1].last!)
      .squareRoot()
    return outputs[4].last! / voice
  }

  @Test func theSendIsTheGeneratorAndUpToAFifthByController() async throws {
    for (program, controller, expected): (Int, UInt8, Float) in [
      (0, 0, 0.3), (0, 127, 0.5), (1, 0, 0), (1, 127, 0.2), (1, 64, 0.2 * 64 / 127),
    ] {
      let rig = try await delaying(program: program)
      let outputs = try rig.renderBusses(
        2048, [(0, [0xB0, 93, controller]), (0, [0x90, 60, 127])])
      #expect(abs(sent(outputs) - expected) < 0.001, "\(program), \(controller)")
      #expect(outputs[4] == outputs[5])
      #expect(outputs[2] == Signal.silence(frames: 2048), "the reverb is off")
    }
  }

  @Test func aStereoPairOfVoicesIsSentAsMuchAsEachOfThem() async throws {
    let rig = try await delaying(program: 3)
    let outputs = try rig.renderBusses(2048, [(0, [0x90, 60, 127])])
    #expect(abs(outputs[4].last! / (outputs[0].last! + outputs[1].last!) - 0.5) < 0.001)
  }

  @Test func controllersMoveTheSendOfANoteThatSounds() async throws {
    let rig = try await delaying(program: 1)
    _ = try rig.renderBusses(2048, [(0, [0x90, 60, 127])])
    let outputs = try rig.renderBusses(2048, [(0, [0xB0, 93, 127])])
    #expect(abs(sent(outputs) - 0.2) < 0.001)
    // The send changes over a block, not in a step.
    #expect(largestStep(outputs[4]) < 0.03 * outputs[4].last!)
  }

  @Test func eachChannelHasItsOwnSend() async throws {
    let rig = try await delaying(program: 1)
    let both = try rig.renderBusses(
      2048, [(0, [0xB1, 93, 127]), (0, [0x90, 60, 127]), (0, [0x91, 60, 127])])
    #expect(abs(sent(both) - 0.1) < 0.001)
  }

  private func piece() -> [(Int, [UInt8])] {
    var midi = randomPiece(seed: 11, frames: 40_000, grid: 1)
    for channel in UInt8(0)..<4 {
      midi.insert((0, [0xB0 | channel, 91, 127]), at: 0)
      midi.append((20_000, [0xB0 | channel, 93, 100]))
    }
    return midi.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element)
  }

  @Test(arguments: SamplerOutputLayout.allCases)
  func theOutputDoesNotDependOnThePeriod(_ layout: SamplerOutputLayout) async throws {
    var first: [[Float]]?
    for period in [4096, 1000, 64, 16] {
      let rig = try await SamplerRig.playing(font: .ensemble, outputs: layout)
      (rig["reverb.on"], rig["chorus.on"]) = (1, 1)
      try rig.schedule("reverb.level", 0.3, ramp: 5000, after: 9000)
      try rig.schedule("chorus.depth", 20, after: 9001)
      try rig.schedule("gain", -6, ramp: 3000, after: 12_345)
      let outputs = try rig.renderBusses(45_000, piece(), period: period)
      for (side, output) in outputs.enumerated() {
        #expect(
          firstDifference(first?[side] ?? output, output) == nil, "output \(side), \(period)")
      }
      first = outputs
    }
    #expect(first!.last!.contains { abs($0) > 1e-3 })
  }

  @Test func aNoteWithEffectsIsTheSameWhereverItBegins() async throws {
    func note(_ frame: Int) async throws -> [Float] {
      let rig = try SamplerRig(font: .sending)
      (rig["reverb.on"], rig["chorus.on"]) = (1, 1)
      try await rig.unit.load(soundFont: rig.font, bank: 0, program: 3)
      try rig.start()
      let output = try rig.render(
        frame + 20_000, [(frame, [0x90, 60, 127]), (frame + 640, [0x80, 60, 0])])
      return Array(output.left[frame...])
    }
    let reference = try await note(0)
    for frame in [1, 63, 1000, 4095] {
      let shifted = try await note(frame)
      #expect(firstDifference(reference, shifted) == nil, "frame \(frame)")
    }
  }

  @Test func withEffectsOffTheyLeaveTheSoundAsItIs() async throws {
    let plain = try await SamplerRig.playing(font: .ensemble)
    let other = try await SamplerRig.playing(font: .ensemble)
    (other["reverb.on"], other["chorus.on"]) = (1, 1)
    (other["reverb.level"], other["chorus.level"]) = (0, 0)
    let midi = piece()
    let (first, second) = try (plain.render(45_000, midi), other.render(45_000, midi))
    #expect(peakDecibels(difference: first.left, second.left) < -120)
    #expect(peakDecibels(difference: first.right, second.right) < -120)
    (other["reverb.on"], other["chorus.on"]) = (0, 0)
    let ends = (0..<16).map { (0, [0xB0 | UInt8($0), 120, 0]) }
    #expect(try other.render(48_000 * 4, ends).left.suffix(64) == Signal.silence(frames: 64)[...])
  }

  @Test func switchingEffectsWhilePlayingMakesNoClick() async throws {
    let rig = try await SamplerRig.playing(program: 2, font: .sending)
    let begin = try rig.render(
      24_000, [(0, [0xB0, 91, 127]), (0, [0xB0, 93, 127]), (0, [0x90, 60, 127])]
    ).left
    let usual = largestStep(begin)
    for (effect, value): (String, Float) in [
      ("reverb.on", 1), ("chorus.on", 1), ("reverb.on", 0), ("chorus.on", 0), ("reverb.on", 1),
    ] {
      rig[effect] = value
      let sound = try rig.render(9600, [(100, [0x90, 60, 127])]).left
      #expect(largestStep(sound) < 4 * usual, "\(effect) \(value)")
      #expect(sound.map(abs).max()! > 0.05)
    }
  }

  @Test func aNoteHeldOnAReplacedSoundFontIsStillSent() async throws {
    let rig = try await delaying(program: 0)
    _ = try rig.renderBusses(2048, [(0, [0x90, 60, 127])])
    try await rig.unit.load(soundFont: rig.font, bank: 0, program: 1)
    let held = try rig.renderBusses(2048)
    #expect(abs(sent(held) - 0.3) < 0.001)
    // Four more loads: the first sound is faded out, and so is its send.
    for key: UInt8 in 62..<66 {
      _ = try rig.renderBusses(64, [(0, [0x90, key, 127])])
      try await rig.unit.load(soundFont: rig.font, bank: 0, program: 1)
    }
    _ = try rig.renderBusses(4096)
    _ = try rig.renderBusses(4096)
    let left = try rig.renderBusses(64)
    #expect(left[4] == Signal.silence(frames: 64))
    #expect(left[0].last! > 0.05)
  }

  @Test func theTailIsStatedAndEnds() async throws {
    let rig = try await SamplerRig.playing(program: 3, font: .sending)
    let dry = rig.unit.tailTime
    rig["reverb.on"] = 1
    rig["reverb.roomSize"] = 0
    #expect(abs(rig.unit.tailTime - dry - 0.7 * 1.6) < 0.01)
    _ = try rig.render(4800, [(0, [0x90, 60, 127]), (4000, [0x80, 60, 0])])
    #expect(rig.unit.tailTime > 1)
    let tail = try rig.render(Int(48_000 * rig.unit.tailTime)).left
    #expect(tail[..<4800].map(abs).max()! > 1e-3)
    #expect(peakDecibels(Array(tail.suffix(1000))) < -80)
    #expect(try rig.render(96_000).left.suffix(64) == Signal.silence(frames: 64)[...])
  }

  @Test func bypassAndResetSilenceTheEffectsToo() async throws {
    let rig = try await SamplerRig.playing(program: 3, font: .sending)
    rig["reverb.on"] = 1
    _ = try rig.render(4800, [(0, [0x90, 60, 127]), (4000, [0x80, 60, 0])])
    rig.unit.shouldBypassEffect = true
    _ = try rig.render(960)
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
    rig.unit.shouldBypassEffect = false
    _ = try rig.render(960)
    #expect(try rig.render(64).left.contains { $0 != 0 })
    rig.unit.reset()
    _ = try rig.render(64)
    #expect(try rig.render(4096).left.suffix(64) == Signal.silence(frames: 64)[...])
  }
}
