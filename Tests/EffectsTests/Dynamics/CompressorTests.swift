// A compressor lowers by its static curve, within its times.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct CompressorTests {
  /// The decibels by which the curve lowers a level, as `Compressor` states it.
  static func lowered(_ level: Double, threshold: Double, ratio: Double, knee: Double) -> Double {
    let over = level - threshold
    if over <= -knee / 2 { return 0 }
    if over >= knee / 2 { return (1 - 1 / ratio) * over }
    return (1 - 1 / ratio) * pow(over + knee / 2, 2) / (2 * knee)
  }

  static let curves: [(threshold: Float, ratio: Float, knee: Float)] = [
    (-20, 4, 6), (-40, 20, 0), (-12, 1.5, 24), (0, 3, 0), (-60, 2, 12), (-24, 1, 6),
  ]

  @Test func aConstantIsLoweredByTheCurve() throws {
    for (threshold, ratio, knee) in Self.curves {
      for level in stride(from: -80.0, through: 12, by: 2.3) {
        let unit = try prepared(
          CompressorUnit(),
          ["threshold": threshold, "ratio": ratio, "knee": knee, "attack": 1, "gain": 3])
        let input = Signal.constant(Float(amplitude(level)), frames: 9600)
        let output = try DirectHost(unit).run([input])[0]
        let lowered = level + 3 - decibels(Double(output.last!))
        let expected = Self.lowered(
          level, threshold: Double(threshold), ratio: Double(ratio), knee: Double(knee))
        #expect(abs(lowered - expected) < 0.002, "\(level) dB, \(threshold), \(ratio), \(knee)")
        let read = try #require(unit.parameterTree.parameter(keyPath: "reduction")).value
        #expect(abs(Double(read) - expected) < 0.002)
      }
    }
  }

  @Test(arguments: [44_100.0, 48_000, 96_000])
  func aToneIsLoweredByTheCurveOfItsPeak(rate: Double) throws {
    for (threshold, ratio, knee) in Self.curves {
      for level in stride(from: -50.0, through: 6, by: 8) {
        let unit = try prepared(
          CompressorUnit(),
          ["threshold": threshold, "ratio": ratio, "knee": knee, "attack": 5, "release": 1000],
          rate: rate)
        let count = Int(rate / 2)
        let tone = Signal.sine(
          frames: count, frequencyHertz: 1000, sampleRate: rate, amplitude: amplitude(level))
        let output = try DirectHost(unit).run([tone], periods: .fixed(1024))[0]
        let lowered =
          rootMeanSquareDecibels(Array(tone[(count / 2)...]))
          - rootMeanSquareDecibels(Array(output[(count / 2)...]))
        let expected = Self.lowered(
          level, threshold: Double(threshold), ratio: Double(ratio), knee: Double(knee))
        #expect(abs(lowered - expected) < 0.1, "\(level) dB, \(threshold), \(ratio), \(knee)")
      }
    }
  }

  /// A step of the level by 40 dB up, and down again. The remaining distance falls to 1/e within
  /// the attack; on the way back the attack follows the release.
  @Test(arguments: [44_100.0, 48_000, 96_000]) func theTimesAreTrue(rate: Double) throws {
    for (attack, release) in [(10.0, 120.0), (0.1, 50), (50, 400)] {
      let unit = try prepared(
        CompressorUnit(),
        [
          "threshold": -30, "ratio": 2, "knee": 0, "attack": Float(attack),
          "release": Float(release),
        ], rate: rate)
      let loud = Int(rate)
      let quiet = Float(amplitude(-40))
      let input =
        Signal.constant(quiet, frames: 1000) + Signal.constant(1, frames: loud)
        + Signal.constant(quiet, frames: loud)
      let output = try DirectHost(unit).run([input], periods: .fixed(1000))[0]
      let lowered = zip(input, output).map { decibels(Double($0)) - decibels(Double($1)) }
      for part in [0.1, 0.5, 1, 2, 4] {
        let frames = (part * attack / 1000 * rate).rounded()
        // The gain of a frame includes that frame's movement, hence `frames + 1`.
        let expected = 15 * (1 - exp(-(frames + 1) * 1000 / attack / rate))
        #expect(abs(lowered[1000 + Int(frames)] - expected) < 0.01, "\(part) of \(attack) ms")
      }
      for part in [0.1, 0.5, 1, 2] {
        let frames = (part * release / 1000 * rate).rounded()
        let time = (frames + 1) * 1000 / rate
        let expected =
          15 * (release * exp(-time / release) - attack * exp(-time / attack))
          / (release - attack)
        // The formula is for continuous time.
        #expect(abs(lowered[1000 + loud + Int(frames)] - expected) < 0.05, "\(part) of \(release)")
      }
    }
  }

  @Test func inputBelowTheThresholdIsUnchangedToTheBit() throws {
    let noise = Signal.noise(frames: 5000, seed: 1, amplitude: 0.01)
    let unit = try prepared(CompressorUnit())
    #expect(firstBitDifference(try DirectHost(unit).run([noise])[0], noise) == nil)
  }

  @Test func parameterChangesMakeNoStepInTheSound() throws {
    let tone = Signal.sine(frames: 24_000, frequencyHertz: 220, amplitude: 0.5)
    for (address, value) in [(0, -50), (1, 20), (2, 0), (3, 0.1), (4, 5), (5, -12), (6, 1)] {
      let unit = try prepared(CompressorUnit(), ["release": 400])
      try unit.schedule([
        ParameterMove(frame: 12_000, address: UInt64(address), value: Float(value))
      ])
      let output = try DirectHost(unit).run([tone])[0]
      #expect(largestStep(Array(output[6000...])) < largestStep(tone) * 1.02, "\(address)")
    }
  }
}
