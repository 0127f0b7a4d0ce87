// The output is as late as the unit says, and so is the dry signal in the mix.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct DistortionLatencyTests {
  @Test(arguments: [44_100.0, 48_000, 96_000]) func theLatencyIsTrue(rate: Double) throws {
    let unit = try DistortionCurveTests.unit(DistortionCurveTests.Setting(shape: 2), rate: rate)
    let late = Int((unit.latency * rate).rounded())
    #expect(late == 56)
    let output = try DirectHost(unit).run([Signal.impulse(frames: 1000, at: 100, amplitude: 0.5)])[
      0]
    let peak = output.indices.max { abs(output[$0]) < abs(output[$1]) }
    #expect(peak == 100 + late)
    // A linear-phase filter: symmetric around its middle, but for the high-pass.
    for distance in 1..<40 {
      let (before, after) = (output[156 - distance], output[156 + distance])
      #expect(abs(before - after) < 1e-3, "\(distance) frames away")
    }
  }

  @Test func theInputThatIsMixedIsExactlyAsLate() throws {
    let noise = Signal.noise(frames: 4000, seed: 1)
    let unit = try DistortionCurveTests.unit(.init(shape: 0, preGain: 20, mix: 0))
    let output = try DirectHost(unit).run([noise], periods: .fixed(100))[0]
    #expect(firstBitDifference(Array(output[56...]), Array(noise[..<3944])) == nil)
    #expect(output[..<56].allSatisfy { $0 == 0 })
  }

  /// Both halves are aligned; otherwise they would cancel at some frequencies.
  @Test func halfOfEachIsTheWhole() throws {
    for hertz in [100.0, 1000, 5000, 12_000, 18_000] {
      let tone = Signal.sine(frames: 12_000, frequencyHertz: hertz, amplitude: 0.1)
      let unit = try DistortionCurveTests.unit(DistortionCurveTests.Setting(shape: 2, mix: 50))
      let output = try DirectHost(unit).run([tone])[0]
      let level = rootMeanSquareDecibels(Array(output[6000...]))
      let expected = rootMeanSquareDecibels(Array(tone[6000...]))
      #expect(abs(level - expected) < 0.2, "\(hertz) Hz")
    }
  }

  @Test func parameterChangesMakeNoStepInTheSound() throws {
    let tone = Signal.sine(frames: 12_000, frequencyHertz: 220, amplitude: 0.25)
    for shape in 0..<5 {
      for (address, value) in [(0, Float((shape + 2) % 5)), (1, 0), (2, -10), (3, 20)] {
        let unit = try DistortionCurveTests.unit(.init(shape: shape, preGain: 10))
        try unit.schedule([
          ParameterMove(frame: 6000, address: UInt64(address), value: value)
        ])
        let output = try DirectHost(unit).run([tone])[0]
        let own = max(
          largestStep(Array(output[2000..<6000])), largestStep(Array(output[9000...])))
        #expect(largestStep(Array(output[5900..<9000])) < own * 1.05 + 0.002, "\(address)")
      }
    }
  }
}
