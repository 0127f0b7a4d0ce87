// The filter's response, compared with the formula and with SciPy.

import DSP
import Foundation
import Testing

@Suite struct ResonantLowPassResponseTests {
  struct Setting: CustomTestStringConvertible {
    var sampleRate: Double
    var cutoffHertz: Double
    var resonanceDecibels: Double

    var testDescription: String {
      "\(cutoffHertz) Hz, \(resonanceDecibels) dB at \(sampleRate) Hz"
    }

    var heldCutoffHertz: Double { min(cutoffHertz, sampleRate * 0.499) }
    var q: Double { pow(10, resonanceDecibels / 20) }

    /// H(s) = 1/(s² + s/Q + 1) on the warped frequency axis.
    func formula(atHertz frequency: Double) -> Double {
      let s = tan(.pi * frequency / sampleRate) / tan(.pi * heldCutoffHertz / sampleRate)
      return 1 / hypot(1 - s * s, s / q)
    }

    /// Frames until the slower of the two poles has decayed by 100 dB.
    var decayFrames: Int {
      let g = tan(.pi * heldCutoffHertz / sampleRate)
      // The poles' radius: of a complex pair by the quotient of the polynomials' ends, else the
      // larger one.
      let root = (1 / (4 * q * q) - 1)
      let radius =
        root < 0
        ? ((1 - g / q + g * g) / (1 + g / q + g * g)).squareRoot()
        : [-1.0, 1].map { sign in
          let pole = g * (sign * root.squareRoot() - 1 / (2 * q))
          return abs((1 + pole) / (1 - pole))
        }.max()!
      return Int(log(1e-5) / log(radius)) + 200
    }

    var filter: ResonantLowPass {
      ResonantLowPass(
        channelCount: 1, sampleRate: sampleRate, cutoffHertz: cutoffHertz,
        resonanceDecibels: resonanceDecibels)
    }

    func impulseResponse(frames: Int) -> [Float] {
      var impulse = [Float](repeating: 0, count: frames)
      impulse[0] = 1
      var filter = self.filter
      return filtered(impulse, by: &filter)
    }
  }

  static let corners = [44_100.0, 48_000, 96_000, 192_000].flatMap { sampleRate in
    [(12.0, -20.0), (12, 20), (20_000, -20), (20_000, 20), (997, 0), (5000, -3), (14_000, 12)]
      .map {
        Setting(sampleRate: sampleRate, cutoffHertz: $0.0, resonanceDecibels: $0.1)
      }
  }
  /// A cutoff above Nyquist, and one between the limit and Nyquist.
  static let held = [
    Setting(sampleRate: 32_000, cutoffHertz: 20_000, resonanceDecibels: 20),
    Setting(sampleRate: 40_001, cutoffHertz: 20_000, resonanceDecibels: -20),
  ]

  static func frequencies(_ setting: Setting) -> [Double] {
    let relative = [0.01, 0.1, 0.5, 0.9, 0.97, 1, 1.03, 1.1, 2, 10, 50, 200, 310]
    return (relative.map { $0 * setting.heldCutoffHertz } + [1000, 0.4 * setting.sampleRate])
      .filter { $0 < 0.4999 * setting.sampleRate && setting.formula(atHertz: $0) > 1e-5 }
  }

  static func magnitude(of response: [Float], radiansPerFrame: Double) -> Double {
    let (stepReal, stepImaginary) = (cos(radiansPerFrame), sin(radiansPerFrame))
    var (real, imaginary, phaseReal, phaseImaginary) = (0.0, 0.0, 1.0, 0.0)
    response.withUnsafeBufferPointer { response in
      var frame = 0
      while frame < response.count {
        let sample = Double(response[frame])
        real += sample * phaseReal
        imaginary += sample * phaseImaginary
        let next = phaseReal * stepReal - phaseImaginary * stepImaginary
        phaseImaginary = phaseReal * stepImaginary + phaseImaginary * stepReal
        phaseReal = next
        frame += 1
      }
    }
    return hypot(real, imaginary)
  }

  @Test(arguments: corners + held)
  func theMeasuredMagnitudeIsTheFormulasWithinTheTolerance(setting: Setting) {
    let response = setting.impulseResponse(frames: setting.decayFrames)
    for frequency in Self.frequencies(setting) {
      let measured = Self.magnitude(
        of: response, radiansPerFrame: 2 * .pi * frequency / setting.sampleRate)
      let errorDecibels = 20 * log10(measured / setting.formula(atHertz: frequency))
      #expect(abs(errorDecibels) < 0.05, "at \(frequency) Hz")
    }
  }

  @Test(arguments: corners + held)
  func theResponseForViewsIsTheFormula(setting: Setting) {
    let response = ResonantLowPassResponse(
      cutoffHertz: setting.cutoffHertz, resonanceDecibels: setting.resonanceDecibels,
      sampleRate: setting.sampleRate)
    #expect(response.magnitude(atHertz: 0) == 1)
    for frequency in Self.frequencies(setting) {
      let ratio = response.magnitude(atHertz: frequency) / setting.formula(atHertz: frequency)
      #expect(abs(ratio - 1) < 1e-9, "at \(frequency) Hz")
    }
  }

  struct Reference: Decodable {
    struct Case: Decodable {
      var sampleRate: Double
      var cutoffHertz: Double
      var resonanceDecibels: Double
      var peak: Double
      var response: [Double]
    }
    var frames: [Int]
    var cases: [Case]
  }

  /// Equal within a float's precision at the response's peak (2^-24), plus a little for SciPy.
  @Test func theImpulseResponseIsSciPys() throws {
    let url = try #require(
      Bundle.module.url(forResource: "Fixtures/impulse_responses", withExtension: "json"))
    let reference = try JSONDecoder().decode(Reference.self, from: Data(contentsOf: url))
    #expect(reference.cases.count == 14)
    for expected in reference.cases {
      let setting = Setting(
        sampleRate: expected.sampleRate, cutoffHertz: expected.cutoffHertz,
        resonanceDecibels: expected.resonanceDecibels)
      let response = setting.impulseResponse(frames: 20_000)
      var worst = 0.0
      for (frame, value) in zip(reference.frames, expected.response) {
        worst = max(worst, abs(Double(response[frame]) - value))
      }
      #expect(worst < 7e-8 * expected.peak, "\(setting.testDescription)")
    }
  }
}
