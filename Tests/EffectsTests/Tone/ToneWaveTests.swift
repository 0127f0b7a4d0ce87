// Waves, their harmonics and their pitch.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct ToneWaveTests {
  static let count = 8192

  /// A wave with `periods` periods in `count` frames, without fades.
  static func wave(_ number: Float, periods: Int, sampleRate: Double) throws -> [Float] {
    let hertz = Float(sampleRate * Double(periods) / Double(count))
    return try play(
      [
        "pitch": 1, "frequency": hertz, "waveform": number, "amplitude": 1, "fadeIn": 0,
      ], frames: count, sampleRate: sampleRate)
  }

  /// A harmonic's amplitude by textbooks.
  static func harmonic(_ wave: Float, _ number: Int) -> Double {
    switch wave {
    case 0: number == 1 ? 1 : 0
    case 1: number % 2 == 0 ? 0 : 8 / (.pi * .pi) / Double(number * number)
    case 2: 2 / .pi / Double(number)
    default: number % 2 == 0 ? 0 : 4 / .pi / Double(number)
    }
  }

  /// Frequencies at which no alias falls on a harmonic, from 29 Hz to 15 kHz at 48 kHz.
  @Test(arguments: [44_100.0, 48_000, 192_000], [5, 75, 683, 1501, 2557])
  func aliasingIsBelow90DecibelsAndHarmonicsAreTheTextbooks(
    sampleRate: Double, periods: Int
  ) throws {
    let hertz = sampleRate * Double(periods) / Double(Self.count)
    // A frequency that a parameter cannot hold exactly would not be periodic in `count` frames.
    guard hertz < 20_000, Double(Float(hertz)) == hertz else { return }
    let limit = min(24_000, sampleRate / 2)
    for wave: Float in [0, 1, 2, 3] {
      let found = amplitudes(
        of: try Self.wave(wave, periods: periods, sampleRate: sampleRate))
      let fundamental = found[periods]
      for (place, amplitude) in found.enumerated() {
        let number = place / periods
        guard place % periods == 0, number > 0, Double(number) * hertz < limit else {
          #expect(amplitude < fundamental * 3e-5, "wave \(wave), \(place)")
          continue
        }
        let textbook = Self.harmonic(wave, number)
        // The highest sixth fades out towards the limit, so that no harmonic begins or ends with a
        // step.
        let weight = min(1, (limit - Double(number) * hertz) / (0.16 * limit))
        let expected = textbook * weight
        // 0.01 dB, or the error of 32-bit floats.
        #expect(
          abs(amplitude - expected) < max(expected * 0.001, 2e-6), "wave \(wave), \(number)")
      }
    }
  }

  @Test func wavesRiseThroughZeroAtTheirStart() throws {
    for wave: Float in [0, 1, 2, 3] {
      let samples = try Self.wave(wave, periods: 17, sampleRate: 48_000)
      #expect(samples[0] == 0)
      #expect(samples[1] > 0 && samples[2] > 0)
    }
  }

  @Test(arguments: [400, 415.3, 440, 442, 480] as [Float])
  func everyKeyHasItsFrequency(tuning: Float) throws {
    for key in [0, 21, 57, 60, 69, 81, 100, 127] {
      let output = try play(
        ["key": Float(key), "tuning": tuning, "amplitude": 1, "fadeIn": 0], frames: 4800)
      let hertz = Double(tuning) * pow(2, Double(key - 69) / 12)
      let sine = Signal.sine(frames: 4800, frequencyHertz: hertz)
      #expect(peakDecibels(difference: output, sine) < -120, "key \(key)")
    }
  }

  @Test func fineTuningAndBendMoveTheKey() throws {
    let unit = try makeTone(["fine": 50, "amplitude": 1, "fadeIn": 0])
    let output = try listen(
      DirectHost(unit), frames: 4800,
      midi: [(0, [0xE0, 0, 0x60]), (0, [0x90, 60, 1])])
    // A quarter tone up by `fine`, and half of two semitones by the bend.
    let sine = Signal.sine(
      frames: 4800, frequencyHertz: 440 * pow(2, (60 + 1 + 0.5 - 69) / 12))
    #expect(peakDecibels(difference: output, sine) < -120)
  }

  @Test func aRampOfTheFrequencyIsTheFormulasSweep() throws {
    let output = try play(
      ["pitch": 1, "frequency": 100, "amplitude": 1, "fadeIn": 0], frames: 12_000,
      [
        ParameterMove(
          frame: 1000, address: ToneUnit.frequencyAddress, value: 5000, rampFrames: 8000)
      ], periods: .random(upTo: 300, seed: 1))
    var turns = 0.0
    var worst = 0.0
    for frame in output.indices {
      worst = max(worst, abs(Double(output[frame]) - sin(2 * .pi * turns)))
      turns += (100 + 4900 * min(max(Double(frame - 1000 + 1) / 8000, 0), 1)) / 48_000
    }
    #expect(worst < 1e-6)
  }
}
