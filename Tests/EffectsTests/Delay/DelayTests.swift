// The delay against its formula, its echoes, and its limits.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct DelayTests {
  struct Setting: CustomTestStringConvertible, Sendable {
    var sampleRate = 48_000.0
    var delay: Float = 0.05
    var feedback: Float = 50
    var cutoff: Float = 15_000
    var mix: Float = 50

    var testDescription: String {
      "\(delay) s, \(feedback) %, \(cutoff) Hz, \(mix) % at \(sampleRate)"
    }

    static let all = [
      Setting(), Setting(feedback: -80, cutoff: 1000, mix: 100),
      Setting(sampleRate: 44_100, delay: 0.0333, feedback: 90, cutoff: 20_000, mix: 30),
      Setting(sampleRate: 96_000, delay: 0.4, feedback: 100, cutoff: 10, mix: 70),
      Setting(delay: 0, feedback: 50, cutoff: 5000), Setting(delay: 2, feedback: -100, mix: 100),
      // 14.4 and 17.28 frames.
      Setting(delay: 0.0003, feedback: 80, cutoff: 8000),
      Setting(delay: 0.00036, feedback: -60, mix: 100),
    ]

    func makeUnit() throws -> DelayUnit {
      let unit = try DelayUnit()
      for (keyPath, value) in [
        "delay": delay, "feedback": feedback, "cutoff": cutoff, "mix": mix,
      ] {
        try #require(unit.parameterTree.parameter(keyPath: keyPath)).setValue(value)
      }
      try unit.allocate(channels: 1, sampleRate: sampleRate)
      return unit
    }

    /// The smaller root of p² − 2 (2 − cos ω) p + 1, at which (1 − p) / (1 − p z⁻¹) is 3 dB down.
    static func pole(_ cutoff: Double, _ sampleRate: Double) -> Double {
      let b = 2 - cos(2 * .pi * cutoff / sampleRate)
      return b - (b * b - 1).squareRoot()
    }

    /// The formula, frame by frame, as a textbook writes it.
    func reference(_ input: [Float]) -> [Double] {
      let frames = max(2, Double(delay) * sampleRate)
      let taps = Fractional.taps(frames)
      let pole = Self.pole(Double(cutoff), sampleRate)
      var line = [Double](repeating: 0, count: input.count)
      var low = 0.0
      return input.indices.map { frame in
        var delayed = 0.0
        for (distance, weight) in taps where frame >= distance {
          delayed += line[frame - distance] * weight
        }
        low = (1 - pole) * delayed + pole * low
        line[frame] = min(max(Double(input[frame]) + Double(feedback) / 100 * low, -8), 8)
        let wet = Double(mix) / 100
        return (1 - wet) * Double(input[frame]) + wet * low
      }
    }
  }

  @Test(arguments: Setting.all)
  func everyFrameIsTheFormulas(setting: Setting) throws {
    let input = Signal.noise(frames: 20_000, seed: 1) + Signal.silence(frames: 100_000)
    let output = try DirectHost(setting.makeUnit()).run(
      [input], periods: .random(upTo: 500, seed: 2))
    let worst = zip(output[0], setting.reference(input)).map { abs(Double($0) - $1) }.max()!
    #expect(worst < 2e-5)
  }

  @Test(arguments: [44_100.0, 48_000, 96_000])
  func theFirstEchoIsThreeDecibelsDownAtTheCutoff(rate: Double) throws {
    for cutoff: Float in [100, 1000, 5000, 15_000, 20_000] {
      let unit = try Setting(
        sampleRate: rate, delay: 0.01, feedback: 0, cutoff: cutoff, mix: 100
      ).makeUnit()
      let echo = try DirectHost(unit).run([Signal.impulse(frames: 20_000)])[0]
      var (real, imaginary) = (0.0, 0.0)
      for (frame, sample) in echo.enumerated() where sample != 0 {
        let angle = 2 * Double.pi * Double(cutoff) * Double(frame) / rate
        real += Double(sample) * cos(angle)
        imaginary += Double(sample) * sin(angle)
      }
      let level = 20 * log10(hypot(real, imaginary))
      #expect(abs(level + 3.01) < 0.02, "\(cutoff) Hz: \(level) dB")
    }
  }

  @Test func echoesComeOnTheirFrames() throws {
    let unit = try Setting(delay: 0.5, feedback: -50, cutoff: 20_000, mix: 100).makeUnit()
    let output = try DirectHost(unit).run([Signal.impulse(frames: 80_000, at: 3)])[0]
    #expect(onset(of: output) == 24_003)
    let gain = Float(1 - Setting.pole(20_000, 48_000))
    #expect(abs(output[24_003] - gain) < 1e-6)
    #expect(abs(output[48_003] + gain * gain / 2) < 1e-6)
  }

  @Test func withAFullFeedbackItNeitherEndsNorGrowsBeyondItsLimit() throws {
    let unit = try Setting(delay: 0.01, feedback: 100, cutoff: 20_000, mix: 100).makeUnit()
    #expect(unit.tailTime == .infinity)
    let output = try DirectHost(unit).run([Signal.constant(1, frames: 48_000)])[0]
    #expect(peakDecibels(output) < 18.1)
    #expect(peakDecibels(Array(output[24_000...])) > 18)
    #expect(unit.switches.value(of: .nonFiniteCycles) == 0)
  }

  @Test func aDelayThatIsSetCrossesOver() throws {
    let sine = Signal.sine(frames: 96_000, frequencyHertz: 220, amplitude: 0.5)
    func run(_ delay: Float, _ moves: [ParameterMove] = []) throws -> [Float] {
      let unit = try Setting(delay: delay, feedback: 0, mix: 100).makeUnit()
      try unit.schedule(moves)
      return try DirectHost(unit).run([sine])[0]
    }
    let moved = try run(
      0.1, [ParameterMove(frame: 60_000, address: DelayUnit.delayAddress, value: 1)])
    let (before, after) = (try run(0.1), try run(1))
    for frame in sine.indices {
      let part = min(max(Float(frame - 60_000 + 1) / 960, 0), 1)
      // The low-pass comes after the crossfade, and follows within a few frames.
      let expected = before[frame] + (after[frame] - before[frame]) * part
      guard abs(moved[frame] - expected) < 1e-3 else {
        Issue.record("frame \(frame): \(moved[frame]) in place of \(expected)")
        return
      }
    }
    #expect(largestStep(moved) < 1.1 * largestStep(sine) + 1.0 / 960)
  }
}
