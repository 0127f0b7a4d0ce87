// The chorus: delays of its voices, its end, and independence of the division into calls.

import Glibc
import TestSupport
import Testing

@testable import DSP

@Suite struct ChorusTests {
  static func settings(_ change: (inout Chorus.Settings) -> Void) -> Chorus.Settings {
    var settings = Chorus.Settings()
    change(&settings)
    return settings
  }

  /// Returns the centre of the energy, in frames.
  private func centre(_ samples: [Float]) -> Double {
    var (moment, energy) = (0.0, 0.0)
    for (frame, sample) in samples.enumerated() {
      moment += Double(frame) * Double(sample) * Double(sample)
      energy += Double(sample) * Double(sample)
    }
    return moment / energy
  }

  @Test(arguments: [false, true]) func voicesLagByTheStatedTimes(_ isTriangle: Bool) {
    let rate = 48_000.0
    for depth in [0.0, 8, 256] {
      var chorus = Chorus(
        sampleRate: rate,
        settings: Self.settings {
          $0.voices = 2
          $0.speedHertz = 0.1
          $0.depthMilliseconds = depth
          $0.isTriangle = isTriangle
        })
      for start in [0, 1000, 24_000, 96_000] {
        // The impulse arrives at `start`: sets the phase that the voices have reached by then.
        chorus.reset()
        chorus.phase = 0.1 * Double(start) / rate
        let output = chorused(impulse(13_000), by: &chorus)
        for (samples, place) in [(output.left, 0.0), (output.right, 0.5)] {
          // The delay when the impulse leaves, found by iteration.
          var delay = 0.0
          for _ in 0..<50 {
            let turns = 0.1 * (Double(start) + delay) / rate + place
            let wave =
              isTriangle ? asin(sin(2 * .pi * turns)) * 2 / .pi : sin(2 * .pi * turns)
            delay = rate * (0.001 + depth / 2000 * (1 + wave))
          }
          let measured = centre(samples)
          #expect(abs(measured - delay) < 0.6 + 0.001 * depth * 24, "\(depth) ms at \(start)")
        }
      }
    }
  }

  @Test func eachVoiceHasTwiceTheLevelOnItsSide() {
    for (voices, left, right) in [
      (0, 0, 0), (1, 0.5, 0.5), (2, 1, 1), (3, 1.5, 1.5), (4, 2, 2), (99, 49.5, 49.5),
    ] {
      var random = SplitMix(seed: 7)
      var chorus = Chorus(
        sampleRate: 8_000,
        settings: Self.settings {
          ($0.voices, $0.level, $0.depthMilliseconds) = (voices, 0.5, 256)
        })
      let input = random.noise(8_000)
      let output = chorused(input + silence(2200), by: &chorus)
      let energy = input.reduce(0.0) { $0 + Double($1) * Double($1) }
      for (samples, expected) in [(output.left, left), (output.right, right)] {
        let gain = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / energy
        // Interpolation attenuates the highest frequencies.
        #expect(gain <= expected * 1.2 && gain >= expected * 0.7, "\(voices): \(gain)")
      }
    }
  }

  @Test func allCornersStayFinite() {
    for voices in [0, 1, 99] {
      for depth in [0.0, 256] {
        for speed in [0.1, 5] {
          var random = SplitMix(seed: 1)
          var chorus = Chorus(
            sampleRate: 8_000,
            settings: Self.settings {
              $0.voices = voices
              $0.level = 10
              $0.depthMilliseconds = depth
              $0.speedHertz = speed
            })
          let output = chorused(
            random.noise(4000) + [.nan, .infinity, -.infinity] + silence(2200), by: &chorus)
          #expect(output.isFinite && output.peak <= 20_000 * 99)
        }
      }
    }
  }

  @Test func theOutputDoesNotDependOnTheDivisionIntoCalls() {
    var random = SplitMix(seed: 2)
    let input = random.noise(3000) + silence(5000) + random.noise(500)
    func output(_ period: Int) -> Stereo {
      var chorus = Chorus(sampleRate: 8_000)
      var whole = Stereo()
      for (index, start) in stride(from: 0, to: input.count, by: 500).enumerated() {
        if index == 2 { chorus.setVoices(7) }
        if index == 3 { chorus.setSpeed(hertz: 5) }
        if index == 4 { chorus.rampLevel(to: 0.5, overFrames: 700) }
        if index == 5 { chorus.setTriangle(true) }
        // The chorus is silent here, and until frame 8000.
        if index == 12 { chorus.setVoices(2) }
        if index == 15 { chorus.setDepth(milliseconds: 4) }
        let part = chorused(
          Array(input[start..<min(start + 500, input.count)]), by: &chorus, period: period)
        whole.left += part.left
        whole.right += part.right
      }
      return whole
    }
    let reference = output(500)
    for period in [1, 7, 64, 333] { #expect(output(period) == reference, "period \(period)") }
  }

  @Test func silenceFollowsTheLongestDelayExactly() {
    var chorus = Chorus(
      sampleRate: 8_000, settings: Self.settings { $0.depthMilliseconds = 256 })
    var isSilent = chorus.isSilent
    #expect(isSilent)
    _ = chorused(impulse(100), by: &chorus)
    isSilent = chorus.isSilent
    #expect(!isSilent)
    _ = chorused(silence(2060), by: &chorus)
    isSilent = chorus.isSilent
    #expect(isSilent)
    let place = chorus.cursor
    #expect(chorused(silence(100), by: &chorus).peak == 0)
    let last = chorus.cursor
    #expect(last == place, "silence is worked at")
    _ = chorused(impulse(10), by: &chorus)
    chorus.reset()
    isSilent = chorus.isSilent
    #expect(isSilent)
    #expect(chorused([1e-30] + silence(3000), by: &chorus).peak < 1e-20)
    #expect(Chorus.tailSeconds(depthMilliseconds: 256) == 0.257)
  }

  @Test func changesOfAnySettingMakeNoClick() {
    let rate = 16_000.0
    for change in 0..<5 {
      var chorus = Chorus(sampleRate: rate)
      let before = chorused(tone(16_000, sampleRate: rate), by: &chorus)
      switch change {
      case 0: chorus.setVoices(5)
      case 1: chorus.setDepth(milliseconds: 100)
      case 2: chorus.setSpeed(hertz: 5)
      case 3: chorus.setTriangle(true)
      default: chorus.rampLevel(to: 0.1, overFrames: 0)
      }
      let after = chorused(tone(640, sampleRate: rate), by: &chorus)
      // A tone of 300 Hz moves by an eighth of its peak from frame to frame.
      let peak = max(before.peak, after.peak)
      let join = Array(before.left.suffix(1) + after.left)
      #expect(largestStep(join) < 0.16 * peak, "change \(change)")
    }
  }
}
