// Delays and levels of a chorus's copies.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct ChorusUnitTests {
  /// One voice lags by 1 ms + depth/2 · (1 + sin(2π · rate · t)).
  @Test(arguments: [44_100.0, 48_000, 96_000]) func aCopyLagsByItsFormula(rate: Double) throws {
    let (depth, hertz) = (8.0, 2.0)
    let unit = try prepared(
      ChorusUnit(), ["voices": 1, "depth": Float(depth), "rate": Float(hertz), "mix": 100],
      inputs: 1, outputs: 1, rate: rate)
    let count = Int(rate)
    // The phase of a slow sine shows the lag.
    let step = 2 * Double.pi * 20 / rate
    let input = (0..<count).map { Float(sin(step * Double($0))) }
    let quarter = (0..<count).map { Float(cos(step * Double($0))) }
    let host = try DirectHost(unit)
    let output = try host.run(blocks: [input])[0]
    let other = try DirectHost(
      prepared(
        ChorusUnit(), ["voices": 1, "depth": Float(depth), "rate": Float(hertz), "mix": 100],
        inputs: 1, outputs: 1, rate: rate)
    ).run(blocks: [quarter])[0]
    for frame in stride(from: count / 10, to: count, by: 997) {
      let phase = atan2(Double(output[frame]), Double(other[frame]))
      var lag = step * Double(frame) - phase
      lag -= (lag / (2 * .pi)).rounded() * 2 * .pi
      let milliseconds = lag / step / rate * 1000
      let expected = 1 + depth / 2 * (1 + sin(2 * .pi * hertz * Double(frame) / rate))
      #expect(abs(milliseconds - expected) < 0.03, "frame \(frame)")
    }
  }

  @Test func theCopiesAreTogetherAboutAsLoudAsTheSound() throws {
    let noise = Signal.noise(frames: 48_000, seed: 1)
    for voices in 1...8 {
      let unit = try prepared(
        ChorusUnit(), ["voices": Float(voices), "depth": 15, "mix": 100], inputs: 1, outputs: 2)
      let output = try DirectHost(unit).run(blocks: [noise])
      let power = output.reduce(0.0) { $0 + pow(10, rootMeanSquareDecibels($1) / 10) } / 2
      let level = 10 * log10(power) - rootMeanSquareDecibels(noise)
      #expect(abs(level) < 1.5, "\(voices) voices: \(level) dB")
    }
  }

  @Test func parameterChangesMakeNoStepInTheSound() throws {
    let tone = Signal.sine(frames: 24_000, frequencyHertz: 220, amplitude: 0.25)
    for (address, value) in [(0, 8), (1, 5), (2, 20), (3, 1), (4, 100)] {
      let unit = try prepared(ChorusUnit(), [:], inputs: 1, outputs: 2)
      try unit.schedule([
        ParameterMove(frame: 12_000, address: UInt64(address), value: Float(value))
      ])
      for channel in try DirectHost(unit).run(blocks: [tone]) {
        #expect(largestStep(Array(channel[2000...])) < largestStep(tone) * 2, "\(address)")
      }
    }
  }
}
