// A gate opens and closes on its frames, and moves within its times.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct GateTests {
  @Test func itOpensAtTheThresholdAndShutsAfterTheHold() throws {
    let unit = try prepared(
      GateUnit(),
      ["threshold": -20, "range": -40, "attack": 0.05, "hold": 10, "release": 5])
    // Down to 3 dB below the threshold it stays open, however long that lasts.
    let levels: [(decibels: Double, frames: Int)] = [
      (-20.1, 2000), (-19.9, 500), (-22.9, 3000), (-23.1, 479), (-22.9, 10), (-23.1, 6000),
    ]
    let input = levels.flatMap {
      Signal.constant(Float(amplitude($0.decibels)), frames: $0.frames)
    }
    let output = try DirectHost(unit).run([input], periods: .fixed(77))[0]
    let gains = zip(input, output).map { decibels(Double($1 / $0)) }
    #expect(gains[..<2000].allSatisfy { abs($0 + 40) < 0.001 })
    // 0.05 ms are 2.4 frames.
    #expect(gains[2000] > -40 && gains[2030] > -0.01)
    // Open for the 480 frames of the hold after the last frame that is loud enough.
    let last = 2000 + 500 + 3000 + 479 + 10
    #expect(gains[2030..<last + 480].allSatisfy { $0 > -0.01 })
    #expect(gains[last + 480] < -0.01)
    #expect(abs(gains[last + 480 + 5000] + 40) < 0.001)
  }

  @Test(arguments: [44_100.0, 48_000, 96_000]) func theTimesAreTrue(rate: Double) throws {
    for (attack, release) in [(1.0, 150.0), (20, 5), (100, 400)] {
      let unit = try prepared(
        GateUnit(),
        [
          "threshold": -20, "range": -30, "attack": Float(attack), "hold": 1,
          "release": Float(release),
        ], rate: rate)
      let loud = Int(rate)
      let quiet = Float(amplitude(-40))
      let input =
        Signal.constant(quiet, frames: 1000) + Signal.constant(0.5, frames: loud)
        + Signal.constant(quiet, frames: 2 * loud)
      let output = try DirectHost(unit).run([input], periods: .fixed(1000))[0]
      let gains = zip(input, output).map { Double($1 / $0) }
      let shut = amplitude(-30)
      let held = 1000 + loud + Int((rate / 1000).rounded())
      for part in [0.1, 0.5, 1, 2, 4] {
        var frames = (part * attack / 1000 * rate).rounded()
        var left = exp(-(frames + 1) * 1000 / attack / rate)
        #expect(abs(gains[1000 + Int(frames)] - (1 - (1 - shut) * left)) < 1e-4)
        frames = (part * release / 1000 * rate).rounded()
        left = exp(-(frames + 1) * 1000 / release / rate)
        #expect(abs(gains[held + Int(frames)] - (shut + (1 - shut) * left)) < 1e-4)
      }
    }
  }

  @Test func withALookAheadNothingOfABeginningIsLost() throws {
    let unit = try prepared(
      GateUnit(lookAhead: 5), ["threshold": -20, "attack": 0.5, "range": -96])
    let burst =
      Signal.silence(frames: 3000) + Signal.sine(frames: 3000, frequencyHertz: 1000, amplitude: 0.5)
    let output = try DirectHost(unit).run([burst])[0]
    let worst = zip(output[3240...], burst[3000...]).map { abs($0 - $1) }.max()!
    #expect(worst < 1e-3)
  }
}
