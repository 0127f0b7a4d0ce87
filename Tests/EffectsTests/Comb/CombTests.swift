// The comb filter against its formula, frame by frame and as a response.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct CombTests {
  /// A setting, and the same filter as a textbook writes it.
  struct Setting: CustomTestStringConvertible, Sendable {
    var sampleRate = 48_000.0
    var delay: Float = 5
    var feedback: Float = 0
    var feedforward: Float = 0
    var damping: Float = 0
    var mix: Float = 100

    var testDescription: String {
      "\(delay) ms, \(feedback) %, \(feedforward) %, \(damping) %, \(mix) % at \(sampleRate)"
    }

    static let all = [
      Setting(feedback: 80), Setting(feedback: -60), Setting(feedforward: 100),
      Setting(feedforward: -70, mix: 40), Setting(feedback: 90, damping: 50),
      Setting(feedback: -95, feedforward: 50, damping: 80, mix: 70),
      Setting(sampleRate: 44_100, delay: 3.7, feedback: 70, feedforward: 30),
      Setting(sampleRate: 96_000, delay: 0.0625, feedback: 60, damping: 30),
      Setting(sampleRate: 192_000, delay: 123.456, feedback: 50),
      Setting(sampleRate: 8000, delay: 0.05, feedback: 50),
      Setting(delay: 500, feedback: 50, feedforward: 50),
      // 14.4 and 17.28 frames.
      Setting(delay: 0.3, feedback: -70, feedforward: 20, mix: 60),
      Setting(delay: 0.36, feedback: 70, damping: 40),
    ]

    func makeUnit(channels: Int = 1) throws -> CombUnit {
      let unit = try CombUnit()
      for (keyPath, value) in [
        "delay": delay, "feedback": feedback, "feedforward": feedforward, "damping": damping,
        "mix": mix,
      ] {
        try #require(unit.parameterTree.parameter(keyPath: keyPath)).setValue(value)
      }
      try unit.allocate(channels: channels, sampleRate: sampleRate)
      return unit
    }

    /// The delay in frames, no less than two.
    var frames: Double { max(2, Double(delay) / 1000 * sampleRate) }
    var pole: Double { pow(Double(damping) / 100, 48_000 / sampleRate) }

    var taps: [(distance: Int, weight: Double)] { Fractional.taps(frames) }

    func reference(_ input: [Float]) -> [Double] {
      var line = [Double](repeating: 0, count: input.count)
      var low = 0.0
      return input.indices.map { frame in
        let delayed = taps.reduce(0.0) {
          frame - $1.distance < 0 ? $0 : $0 + line[frame - $1.distance] * $1.weight
        }
        low = (1 - pole) * delayed + pole * low
        line[frame] = Double(input[frame]) + Double(feedback) / 100 * low
        let filtered = line[frame] + Double(feedforward) / 100 * delayed
        let wet = Double(mix) / 100
        return (1 - wet) * Double(input[frame]) + wet * filtered
      }
    }

    /// |H| by the formula, with the interpolation's own response in place of z⁻ᴰ.
    func formula(atHertz hertz: Double) -> Double {
      let step = 2 * Double.pi * hertz / sampleRate
      func sum(_ terms: [(Double, Double)]) -> (Double, Double) {
        terms.reduce((0, 0)) { ($0.0 + $1.0 * cos($1.1), $0.1 + $1.0 * sin($1.1)) }
      }
      func product(_ a: (Double, Double), _ b: (Double, Double)) -> (Double, Double) {
        (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
      }
      func quotient(_ a: (Double, Double), _ b: (Double, Double)) -> (Double, Double) {
        let power = b.0 * b.0 + b.1 * b.1
        return ((a.0 * b.0 + a.1 * b.1) / power, (a.1 * b.0 - a.0 * b.1) / power)
      }
      let delay = sum(taps.map { ($0.weight, -step * Double($0.distance)) })
      let low = quotient((1 - pole, 0), sum([(1, 0), (-pole, -step)]))
      let loop = product(delay, low)
      let (g, f, wet) = (Double(feedforward) / 100, Double(feedback) / 100, Double(mix) / 100)
      let comb = quotient(
        (1 + g * delay.0, g * delay.1), (1 - f * loop.0, -f * loop.1))
      return hypot(1 - wet + wet * comb.0, wet * comb.1)
    }
  }

  @Test(arguments: Setting.all)
  func everyFrameIsTheFormulas(setting: Setting) throws {
    let input = Signal.noise(frames: 40_000, seed: 1)
    let output = try DirectHost(setting.makeUnit()).run(
      [input], periods: .random(upTo: 500, seed: 2))
    let worst = zip(output[0], setting.reference(input)).map { abs(Double($0) - $1) }.max()!
    #expect(worst < 2e-5)
  }

  @Test(arguments: Setting.all)
  func theResponseIsTheFormulas(setting: Setting) throws {
    let unit = try setting.makeUnit()
    let frames = Int((1.2 * unit.tailTime + 0.05) * setting.sampleRate)
    let response = try DirectHost(unit).run(
      [Signal.impulse(frames: frames)], periods: .fixed(1024))[0]
    let spacing = setting.sampleRate / setting.frames
    for hertz in [0, spacing / 2, spacing, 1.5 * spacing, 997, 0.3 * setting.sampleRate]
    where hertz < setting.sampleRate / 2 {
      let step = 2 * Double.pi * hertz / setting.sampleRate
      var (real, imaginary) = (0.0, 0.0)
      for (frame, sample) in response.enumerated() where sample != 0 {
        real += Double(sample) * cos(step * Double(frame))
        imaginary -= Double(sample) * sin(step * Double(frame))
      }
      let measured = hypot(real, imaginary)
      let expected = setting.formula(atHertz: hertz)
      #expect(abs(measured - expected) < 1e-4 * max(1, expected), "\(hertz) Hz")
    }
  }

  @Test func echoesComeOnTheirFrames() throws {
    let unit = try Setting(delay: 10, feedback: 50, feedforward: 20).makeUnit()
    let output = try DirectHost(unit).run([Signal.impulse(frames: 2000, at: 7)])[0]
    let sounding = output.indices.filter { output[$0] != 0 }
    #expect(sounding == [7, 487, 967, 1447, 1927])
    #expect(output[7] == 1)
    #expect(abs(output[487] - 0.7) < 1e-6)
    #expect(abs(output[967] - 0.35) < 1e-6)
  }

  /// Delays of 16 frames and more, with different fractions of a frame.
  @Test func aDelayBetweenFramesIsFlatTo18Kilohertz() throws {
    for rate in [44_100.0, 48_000, 96_000] {
      for frames in [16.01, 16.5, 20.25, 48.5, 333.77] {
        let unit = try Setting(
          sampleRate: rate, delay: Float(frames / rate * 1000), feedforward: 100
        ).makeUnit()
        let response = try DirectHost(unit).run([Signal.impulse(frames: 400)])[0].dropFirst()
        for hertz in stride(from: 0.0, through: 18_000, by: 500) {
          let step = 2 * Double.pi * hertz / rate
          var (real, imaginary) = (0.0, 0.0)
          for (frame, sample) in response.enumerated() where sample != 0 {
            real += Double(sample) * cos(step * Double(frame))
            imaginary -= Double(sample) * sin(step * Double(frame))
          }
          let level = 20 * log10(hypot(real, imaginary))
          #expect(abs(level) < 0.1, "\(frames) frames at \(rate): \(level) dB at \(hertz) Hz")
        }
      }
    }
  }

  /// 1 / (1 - 0.99) is 40 dB, at every resonance.
  @Test func resonancesKeepTheirGainUpTo18Kilohertz() throws {
    let setting = Setting(delay: Float(48.5 / 48), feedback: 99)
    let response = try DirectHost(setting.makeUnit()).run(
      [Signal.impulse(frames: 60_000)], periods: .fixed(1024))[0]
    for number in [1, 5, 10, 14, 18] {
      let step = 2 * Double.pi * Double(number) / setting.frames
      var (real, imaginary) = (0.0, 0.0)
      for (frame, sample) in response.enumerated() {
        real += Double(sample) * cos(step * Double(frame))
        imaginary -= Double(sample) * sin(step * Double(frame))
      }
      let level = 20 * log10(hypot(real, imaginary))
      #expect(abs(level - 40) < 0.3, "resonance \(number): \(level) dB")
    }
  }

  @Test func aDelayAroundTheShortestLongOneDoesNotDependOnThePeriod() throws {
    let input = Signal.noise(frames: 6000, seed: 9)
    var expected: [Float] = []
    for periods in [Periods.fixed(1000), .fixed(1), .fixed(13), .fixed(64)] {
      let unit = try Setting(delay: 13.7 / 48, feedback: 90, feedforward: 40).makeUnit()
      try unit.schedule([
        ParameterMove(
          frame: 700, address: CombUnit.delayAddress, value: 17.3 / 48, rampFrames: 1500),
        ParameterMove(frame: 3500, address: CombUnit.delayAddress, value: 14.9 / 48),
      ])
      let output = try DirectHost(unit).run([input], periods: periods)[0]
      if expected.isEmpty { expected = output }
      #expect(firstBitDifference(output, expected) == nil)
    }
  }

  @Test func settingsTakeEffectOnTheirFrame() throws {
    let input = Signal.noise(frames: 3000, seed: 3)
    let setting = Setting(delay: 2, feedback: 30, feedforward: 20, damping: 20, mix: 60)
    let unchanged = try DirectHost(setting.makeUnit()).run([input])[0]
    for address in [
      CombUnit.delayAddress, CombUnit.feedbackAddress, CombUnit.feedforwardAddress,
      CombUnit.mixAddress,
    ] {
      for frame in [1000, 1023, 1024, 1313] {
        let unit = try setting.makeUnit()
        try unit.schedule([ParameterMove(frame: frame, address: address, value: 90, rampFrames: 1)])
        let output = try DirectHost(unit).run([input], periods: .fixed(64))[0]
        #expect(firstBitDifference(output, unchanged) == frame, "\(address)")
      }
    }
  }
}
