// The decays that docs/Effects.md states for the reverb, in thirds of an octave.

import TestSupport
import Testing

@testable import DSP

@Suite struct ReverbDecayTests {
  private static let rates = [44_100.0, 48_000, 96_000]

  /// Returns the response to an impulse, left and right, until it has fallen by 45 dB.
  private func response(_ seconds: Double, damping: Double = 0, rate: Double) -> Stereo {
    var settings = Reverb.Settings()
    settings.decaySeconds = seconds
    settings.damping = damping
    settings.width = 1
    var reverb = Reverb(sampleRate: rate, settings: settings)
    return reverberated(Signal.impulse(frames: Int((0.75 * seconds + 0.3) * rate)), by: &reverb)
  }

  /// Returns the mean decay of both sides, in seconds.
  private func decay(_ response: Stereo, hertz: Double, rate: Double) throws -> Double {
    let left = try #require(bandDecay(response.left, hertz: hertz, sampleRate: rate))
    let right = try #require(bandDecay(response.right, hertz: hertz, sampleRate: rate))
    return (left + right) / 2
  }

  @Test(arguments: rates) func upToFourKilohertzItIsTheOneThatIsSet(_ rate: Double) throws {
    for seconds in [0.5, 1, 8] {
      let response = response(seconds, rate: rate)
      for hertz in [125.0, 250, 500, 1000, 2000, 4000] {
        let measured = try decay(response, hertz: hertz, rate: rate)
        #expect(abs(measured / seconds - 1) < 0.15, "\(measured) of \(seconds) s at \(hertz) Hz")
      }
    }
  }

  @Test(arguments: rates) func shortDecaysLastLonger(_ rate: Double) throws {
    for (seconds, range) in [(0.2, 0.85...1.25), (0.1, 1.1...1.8)] {
      let response = response(seconds, rate: rate)
      for hertz in [125.0, 250, 500, 1000, 2000, 4000] {
        let measured = try decay(response, hertz: hertz, rate: rate)
        #expect(range.contains(measured / seconds), "\(measured) of \(seconds) s at \(hertz) Hz")
      }
    }
  }

  /// Sample rate, decay setting in seconds, frequency in hertz, expected fraction of the setting.
  @Test(arguments: [
    (44_100.0, 3.0, 8000.0, 0.8), (44_100, 8, 8000, 0.6), (44_100, 1, 16_000, 0.55),
    (44_100, 3, 16_000, 0.3), (48_000, 3, 8000, 0.85), (48_000, 8, 8000, 0.7),
    (48_000, 1, 16_000, 0.6), (48_000, 3, 16_000, 0.35), (96_000, 8, 16_000, 0.7),
  ])
  func aboveItIsShorterAsStated(
    _ rate: Double, _ seconds: Double, _ hertz: Double, _ part: Double
  ) throws {
    let measured = try decay(response(seconds, rate: rate), hertz: hertz, rate: rate)
    #expect(abs(measured / seconds - part) < 0.06, "\(measured) of \(seconds) s")
  }

  /// The decay that damping adds per second is that of the formula.
  @Test(arguments: rates) func theHighestFrequenciesAreDampedAsStated(_ rate: Double) throws {
    let (seconds, damping, hertz) = (2.0, 0.8, 0.4 * rate)
    let whole = try decay(response(seconds, rate: rate), hertz: hertz, rate: rate)
    let damped = try decay(
      response(seconds, damping: damping, rate: rate), hertz: hertz, rate: rate)
    let added = (1 / damped - 1 / whole) * seconds
    let stated = 1 / (1 - 0.95 * damping) - 1
    #expect(abs(added / stated - 1) < 0.2, "\(added) in place of \(stated)")
  }
}
