// The reverb: decay, stability, end, and independence of the division into calls.

import Glibc
import TestSupport
import Testing

@testable import DSP

@Suite struct ReverbTests {
  static func settings(_ change: (inout Reverb.Settings) -> Void) -> Reverb.Settings {
    var settings = Reverb.Settings()
    change(&settings)
    return settings
  }

  @Test(arguments: [0.0, 0.2, 0.5, 0.8]) func soundFallsBySixtyDecibelsInTheStatedTime(
    _ room: Double
  ) {
    let rate = 16_000.0
    let decay = Reverb.decaySeconds(roomSize: room)
    var reverb = Reverb(sampleRate: rate, settings: Self.settings { $0.roomSize = room })
    let frames = Int((decay + 0.4) * rate)
    let output = reverberated(impulse(frames), by: &reverb)
    // From 0.2 seconds on, when the echoes are dense, over 0.2 seconds each.
    let window = Int(0.2 * rate)
    let start = output.energy(window..<2 * window)
    let end = output.energy(window + Int(decay * rate)..<2 * window + Int(decay * rate))
    let fall = 10 * log10(start / end)
    #expect(abs(fall - 60) < 4, "\(fall) dB")
  }

  @Test func decayTimesAreThoseOfTheFormula() {
    #expect(abs(Reverb.decaySeconds(roomSize: 0) - 0.7) < 0.01)
    #expect(abs(Reverb.decaySeconds(roomSize: 1) - 12.5) < 0.01)
    #expect(Reverb.decaySeconds(roomSize: 7) == Reverb.decaySeconds(roomSize: 1))
    #expect(Reverb.decaySeconds(roomSize: .nan) == Reverb.decaySeconds(roomSize: 0))
  }

  /// The energy of wet noise relative to dry noise, as measured on FluidSynth 2.3.1.
  @Test(arguments: [(0.0, -3.1), (0.2, -0.7), (0.5, 2.8), (0.8, 7.0)])
  func isAsLoudAsFluidSynths(_ room: Double, _ decibels: Double) {
    var random = SplitMix(seed: 5)
    let noise = random.noise(24_000)
    var reverb = Reverb(sampleRate: 48_000, settings: Self.settings { $0.roomSize = room })
    let output = reverberated(noise + silence(264_000), by: &reverb)
    let dry = noise.reduce(0.0) { $0 + Double($1) * Double($1) }
    let level = 10 * log10(output.energy(0..<288_000) / dry)
    #expect(abs(level - decibels) < 2, "\(level) dB")
  }

  @Test func dampingShortensHighFrequencies() {
    func fall(_ damping: Double, _ hertz: Double) -> Double {
      var reverb = Reverb(
        sampleRate: 16_000, settings: Self.settings { ($0.damping, $0.roomSize) = (damping, 0.5) })
      let burst = (0..<1600).map { Float(sin(2 * .pi * hertz * Double($0) / 16_000)) }
      let output = reverberated(burst + silence(8000), by: &reverb)
      return 10 * log10(output.energy(1600..<3200) / output.energy(6400..<8000))
    }
    #expect(fall(1, 4000) > fall(0, 4000) + 20)
    #expect(abs(fall(1, 20) - fall(0, 20)) < 3)
  }

  @Test(arguments: [0.0, 1.0], [0.0, 1.0]) func isStableForMinutesAtEveryCorner(
    _ room: Double, _ damping: Double
  ) {
    let rate = 8_000.0
    for (width, level) in [(0.0, 1.0), (100.0, 1.0), (100.0, 0.0)] {
      let settings = Self.settings {
        ($0.roomSize, $0.damping, $0.width, $0.level) = (room, damping, width, level)
      }
      var reverb = Reverb(sampleRate: rate, settings: settings)
      // Two minutes at the network's greatest loudness.
      let seconds = width == 100 && level == 1 ? 120 : 2
      var random = SplitMix(seed: 1)
      var peak: Float = 0
      for _ in 0..<seconds {
        let output = reverberated(random.noise(Int(rate)), by: &reverb)
        #expect(output.isFinite)
        peak = max(peak, output.peak)
      }
      #expect(peak < 100)
      #expect(level == 0 ? peak == 0 : peak > 0.01)
    }
  }

  @Test func anyInputLeavesFiniteOutput() {
    var reverb = Reverb(sampleRate: 48_000, settings: Self.settings { $0.roomSize = 1 })
    let input: [Float] =
      [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
      + silence(8000)
    #expect(reverberated(input, by: &reverb).isFinite)
    reverb.setRoomSize(.nan)
    reverb.setDamping(.infinity)
    reverb.rampLevel(to: .nan, overFrames: 0)
    reverb.rampWidth(to: -.infinity, overFrames: 0)
    #expect(reverberated(input, by: &reverb).isFinite)
  }

  @Test func theOutputDoesNotDependOnTheDivisionIntoCalls() {
    var random = SplitMix(seed: 2)
    let input = random.noise(3000) + silence(30_000) + random.noise(500)
    func output(_ period: Int) -> Stereo {
      var reverb = Reverb(sampleRate: 8_000, settings: Self.settings { $0.roomSize = 0 })
      var whole = Stereo()
      // Changes occur at the same frames.
      for (index, start) in stride(from: 0, to: input.count, by: 500).enumerated() {
        if index == 2 { reverb.setRoomSize(0.3) }
        if index == 3 { reverb.setDamping(0.5) }
        if index == 4 { reverb.rampLevel(to: 0.5, overFrames: 700) }
        if index == 5 { reverb.rampWidth(to: 2, overFrames: 0) }
        let part = reverberated(
          Array(input[start..<min(start + 500, input.count)]), by: &reverb, period: period)
        whole.left += part.left
        whole.right += part.right
      }
      return whole
    }
    let reference = output(500)
    for period in [1, 7, 64, 333] { #expect(output(period) == reference, "period \(period)") }
  }

  @Test func silenceFollowsTheTailExactly() {
    var reverb = Reverb(sampleRate: 8_000, settings: Self.settings { $0.roomSize = 0 })
    var isSilent = reverb.isSilent
    #expect(isSilent)
    _ = reverberated(impulse(100), by: &reverb)
    isSilent = reverb.isSilent
    #expect(!isSilent)
    // The rest of a decay by 160 dB, at 60 dB in 0.7 seconds.
    _ = reverberated(silence(20_000), by: &reverb)
    isSilent = reverb.isSilent
    #expect(isSilent)
    #expect(reverberated(silence(100), by: &reverb).peak == 0)
    let place = reverb.cursor
    _ = reverberated(silence(100), by: &reverb)
    let last = reverb.cursor
    #expect(last == place, "silence is worked at")
    _ = reverberated(impulse(2000), by: &reverb)
    isSilent = reverb.isSilent
    #expect(!isSilent)
    reverb.reset()
    isSilent = reverb.isSilent
    #expect(isSilent)
    #expect(reverberated([1e-30] + silence(5000), by: &reverb).peak == 0)
  }

  @Test func widthGoesFromMonoToSidesAloneAtTheSamePower() {
    func output(_ width: Double) -> Stereo {
      var random = SplitMix(seed: 3)
      var reverb = Reverb(sampleRate: 16_000, settings: Self.settings { $0.width = width })
      return reverberated(random.noise(16_000), by: &reverb)
    }
    let (mono, natural, sides) = (output(0), output(1), output(100))
    #expect(mono.left == mono.right)
    #expect(correlation(natural) < 0.2 && correlation(natural) > -0.2)
    #expect(correlation(sides) < -0.99)
    for other in [mono, sides] {
      let difference = 10 * log10(other.energy(0..<16_000) / natural.energy(0..<16_000))
      #expect(abs(difference) < 1, "\(difference) dB")
    }
  }

  @Test func changesOfAnySettingMakeNoClick() {
    let rate = 16_000.0
    for change in 0..<4 {
      // From a large room to a small one: a line's gain changes by a quarter.
      var reverb = Reverb(
        sampleRate: rate, settings: Self.settings { $0.roomSize = change == 0 ? 1 : 0.2 })
      let before = reverberated(tone(16_000, sampleRate: rate), by: &reverb)
      switch change {
      case 0: reverb.setRoomSize(0)
      case 1: reverb.setDamping(1)
      case 2: reverb.rampLevel(to: 0.1, overFrames: 0)
      default: reverb.rampWidth(to: 100, overFrames: 0)
      }
      // The tone continues in phase: 16,000 frames are whole periods.
      let after = reverberated(tone(640, sampleRate: rate), by: &reverb)
      let usual = max(largestStep(before.left), largestStep(before.right))
      let join = before.left.suffix(1) + after.left
      #expect(largestStep(Array(join)) < 1.5 * usual, "change \(change)")
    }
  }

  private func correlation(_ output: Stereo) -> Double {
    var (product, left, right) = (0.0, 0.0, 0.0)
    for (x, y) in zip(output.left, output.right) {
      product += Double(x) * Double(y)
      left += Double(x) * Double(x)
      right += Double(y) * Double(y)
    }
    return product / (left * right).squareRoot()
  }
}
