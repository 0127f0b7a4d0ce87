// The unit's output has the response and the tail that the unit reports.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct FilterResponseTests {
  struct Setting: CustomTestStringConvertible, Sendable {
    var sampleRate: Double
    var cutoffHertz: Float
    var resonanceDecibels: Float

    var testDescription: String { "\(cutoffHertz) Hz, \(resonanceDecibels) dB at \(sampleRate) Hz" }

    /// The corners of the range; at high rates without the longest ringing, which takes long.
    static let all: [Setting] = [44_100, 48_000, 96_000, 192_000].flatMap { rate in
      [rate < 50_000 ? 12 : 150, 1000, 20_000].flatMap { hertz in
        [-20, 0, 20].map { Setting(sampleRate: rate, cutoffHertz: hertz, resonanceDecibels: $0) }
      }
    }

    func impulseResponse(frames: Int) throws -> [Float] {
      let unit = try makeFilter(
        sampleRate: sampleRate, cutoffHertz: cutoffHertz, resonanceDecibels: resonanceDecibels)
      return try DirectHost(unit).run([Signal.impulse(frames: frames)], periods: .fixed(1024))[0]
    }

    /// |H(s)| for s on the unit circle's image, with the cutoff held below Nyquist.
    func formula(_ hertz: Double) -> Double {
      let cutoff = min(Double(cutoffHertz), 0.499 * sampleRate)
      let s = tan(.pi * hertz / sampleRate) / tan(.pi * cutoff / sampleRate)
      return 1 / hypot(1 - s * s, s * pow(10, -Double(resonanceDecibels) / 20))
    }
  }

  static func magnitude(of response: [Float], atHertz hertz: Double, sampleRate: Double) -> Double {
    let step = 2 * Double.pi * hertz / sampleRate
    var real = 0.0
    var imaginary = 0.0
    for (frame, sample) in response.enumerated() where sample != 0 {
      real += Double(sample) * cos(step * Double(frame))
      imaginary += Double(sample) * sin(step * Double(frame))
    }
    return hypot(real, imaginary)
  }

  @Test(arguments: Setting.all)
  func theReportedResponseIsTheMeasuredOneAndTheFormulas(setting: Setting) throws {
    let unit = try makeFilter(
      sampleRate: setting.sampleRate, cutoffHertz: setting.cutoffHertz,
      resonanceDecibels: setting.resonanceDecibels)
    let frames = Int((1.3 * unit.tailTime + 0.02) * setting.sampleRate)
    let response = try setting.impulseResponse(frames: frames)
    let cutoff = Double(setting.cutoffHertz)
    let frequencies = [0, cutoff / 3, cutoff, 1.5 * cutoff, 10 * cutoff, 0.4 * setting.sampleRate]
      .filter { $0 < 0.49 * setting.sampleRate }
    let reported = unit.magnitudes(atHertz: frequencies)
    for (hertz, reported) in zip(frequencies, reported) {
      let formula = setting.formula(hertz)
      #expect(abs(20 * log10(reported / formula)) < 0.001)
      guard 20 * log10(formula) > -100 else { continue }
      let measured = Self.magnitude(of: response, atHertz: hertz, sampleRate: setting.sampleRate)
      #expect(abs(20 * log10(measured / formula)) < 0.05, "at \(hertz) Hz")
    }
  }

  @Test(arguments: Setting.all)
  func theTailCoversTheRingingAndIsHardlyLonger(setting: Setting) throws {
    let unit = try makeFilter(
      sampleRate: setting.sampleRate, cutoffHertz: setting.cutoffHertz,
      resonanceDecibels: setting.resonanceDecibels)
    let tail = Int((unit.tailTime * setting.sampleRate).rounded(.up))
    let response = try setting.impulseResponse(frames: 2 * tail + 64)
    let peak = response.map(abs).max()!
    // 100 dB below its peak; two equal poles ring a little longer than one, two zeros add two
    // frames.
    #expect(response[(tail + 2)...].allSatisfy { abs($0) < 4e-5 * peak })
    #expect(response[(tail / 3)...].contains { abs($0) > 1e-5 * peak })
  }

  @Test func theReportFollowsTheParametersAndTheRate() throws {
    let unit = try FilterUnit()
    unit.cutoff = 1000
    unit.resonance = 6
    #expect(abs(unit.magnitudes(atHertz: [1000])[0] - pow(10, 6.0 / 20)) < 1e-6)
    unit.resonance = -20
    #expect(abs(unit.magnitudes(atHertz: [1000])[0] - 0.1) < 1e-6)
    #expect(unit.magnitudes(atHertz: []) == [])
  }
}
