// Harmonics that the curves add to tones, and their aliases.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct DistortionCurveTests {
  struct Setting: Sendable {
    var shape: Int
    var preGain: Float = 0
    var gain: Float = 0
    var mix: Float = 100
  }

  static func unit(_ setting: Setting, rate: Double = 48_000) throws -> DistortionUnit {
    let unit = try DistortionUnit()
    for (keyPath, value) in [
      ("shape", Float(setting.shape)), ("preGain", setting.preGain), ("gain", setting.gain),
      ("mix", setting.mix),
    ] {
      try #require(unit.parameterTree.parameter(keyPath: keyPath)).setValue(value)
    }
    try unit.allocate(channels: 1, sampleRate: rate)
    return unit
  }

  /// The amplitudes of the output for a tone of `periods` periods in 2^15 frames, once settled.
  static func spectrum(
    _ setting: Setting, periods: Int, amplitude: Double = 1
  ) throws -> [Double] {
    let count = 1 << 15
    let tone = Signal.sine(
      frames: 3 * count, frequencyHertz: Double(periods) * 48_000 / Double(count),
      amplitude: amplitude)
    let output = try DirectHost(unit(setting)).run([tone], periods: .fixed(1024))[0]
    return amplitudes(of: Array(output.suffix(count)))
  }

  /// The curves as `DistortionShape` states them.
  static func curve(_ shape: Int, _ x: Double) -> Double {
    func soft(_ x: Double) -> Double { abs(x) > 1.5 ? (x < 0 ? -1 : 1) : x - 4 * x * x * x / 27 }
    return switch shape {
    case 0: soft(x)
    case 1: soft(x + 0.5) - soft(0.5)
    case 2: min(max(x, -1), 1)
    case 3: sin(.pi * x / 2)
    default: abs(x)
    }
  }

  /// The amplitude of a harmonic of a sine that passed through a curve.
  static func harmonic(_ number: Int, shape: Int, peak: Double) -> Double {
    let count = 20_000
    var (real, imaginary) = (0.0, 0.0)
    for step in 0..<count {
      let angle = 2 * Double.pi * (Double(step) + 0.5) / Double(count)
      let value = curve(shape, peak * sin(angle))
      real += value * cos(Double(number) * angle)
      imaginary += value * sin(Double(number) * angle)
    }
    return 2 * hypot(real, imaginary) / Double(count)
  }

  @Test(arguments: 0..<5) func aToneHasTheHarmonicsOfItsCurve(shape: Int) throws {
    // A tone of 293 Hz, which the high-pass at 5 Hz leaves unchanged.
    for decibels: Float in [-6, 6, 12] {
      let made = try Self.spectrum(Setting(shape: shape, preGain: decibels), periods: 200)
      let peak = pow(10, Double(decibels) / 20)
      for number in 1...16 {
        let expected = Self.harmonic(number, shape: shape, peak: peak)
        if expected > 1e-3 {
          let error = 20 * log10(made[200 * number] / expected)
          #expect(abs(error) < 0.05, "harmonic \(number) at \(decibels) dB")
        } else {
          #expect(made[200 * number] < expected + 1e-4, "harmonic \(number) at \(decibels) dB")
        }
      }
    }
  }

  /// `Distortion` promises a limit up to 20 kHz for everything but harmonics.
  @Test(arguments: 0..<5) func inharmonicPartsAreFarBelowATone(shape: Int) throws {
    for (decibels, limit) in [(Float(12), -90.0), (30, -70)] {
      for periods in [331, 683, 1367, 2741, 3413] {
        let made = try Self.spectrum(Setting(shape: shape, preGain: decibels), periods: periods)
        let loudest = made.max()!
        var worst = 0.0
        for bin in 0..<Int(20_000 / 48_000.0 * Double(1 << 15))
        where !bin.isMultiple(of: periods) {
          worst = max(worst, made[bin])
        }
        let level = 20 * log10(worst / loudest)
        #expect(level < limit, "\(periods) periods, \(decibels) dB: \(level)")
      }
    }
  }

  /// The documents state a limit for the frequencies above 20 kHz.
  @Test func inharmonicPartsAbove20KilohertzStayBelowTheDocumentedLimit() throws {
    var worst = -200.0
    for shape in 0..<5 {
      for periods in [1367, 3413] {
        let made = try Self.spectrum(Setting(shape: shape, preGain: 12), periods: periods)
        let loudest = made.max()!
        let bins = Int(20_000 / 48_000.0 * Double(1 << 15))..<made.count
        for bin in bins where !bin.isMultiple(of: periods) {
          worst = max(worst, 20 * log10(made[bin] / loudest))
        }
      }
    }
    #expect(worst < -11, "\(worst) dB")
  }

  @Test func constantOffsetsAreRemoved() throws {
    for shape in [1, 4] {
      let made = try Self.spectrum(Setting(shape: shape, preGain: 12), periods: 683)
      #expect(20 * log10(made[0]) < -60, "shape \(shape)")
    }
  }
}
