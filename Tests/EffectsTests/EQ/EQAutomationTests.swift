// The equalizer's bands move without clicks, and reach their targets.

import DSP
import Effects
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct EQAutomationTests {
  static let sine = Signal.sine(frames: 24_000, frequencyHertz: 220, amplitude: 0.25)

  @Test func changesOfABandMakeNoStepInTheSound() throws {
    for kind in 0..<11 {
      for (address, value) in [(1, (kind + 5) % 11), (2, 4000), (3, 12), (4, 4), (5, 1), (0, -12)] {
        let unit = try EQResponseTests.unit([
          EQResponseTests.band(EqualizerBandKind.allCases[kind], 400, -6)
        ])
        try unit.schedule([
          ParameterMove(frame: 12_000, address: UInt64(address), value: Float(value))
        ])
        let output = try DirectHost(unit).run([Self.sine])[0]
        let own = max(
          largestStep(Array(output[6000..<12_000])), largestStep(Array(output[16_000...])))
        // The crossfade within 960 frames adds its own slope.
        let crossing = largestStep(Array(output[11_000..<16_000]))
        #expect(crossing < own + 0.003, "kind \(kind), address \(address)")
      }
    }
  }

  @Test func aRampEndsExactlyAtItsTarget() throws {
    let target = EQResponseTests.band(.parametric, 3000, 9, 0.7)
    let noise = Signal.noise(frames: 48_000, seed: 2)
    let expected = try DirectHost(EQResponseTests.unit([target])).run([noise])[0]
    for kind in [EqualizerBandKind.parametric, .highPass] {
      let unit = try EQResponseTests.unit([EQResponseTests.band(kind, 90, -20, 3)])
      try unit.schedule([
        ParameterMove(frame: 0, address: 2, value: 3000, rampFrames: 777),
        ParameterMove(frame: 100, address: 3, value: 9, rampFrames: 1000),
        ParameterMove(frame: 130, address: 4, value: 0.7, rampFrames: 1),
        ParameterMove(frame: 131, address: 1, value: 0),
      ])
      let output = try DirectHost(unit).run([noise], periods: .fixed(100))[0]
      let worst = zip(output[24_000...], expected[24_000...]).map { abs($0 - $1) }.max()!
      #expect(worst < 1e-6, "\(kind)")
    }
  }

  /// Filters with abruptly changed coefficients may ring up without end.
  @Test func leapsOnEveryFrameDoNotRingUp() throws {
    let unit = try EQResponseTests.unit(
      Array(repeating: EQResponseTests.band(.resonantLowPass, 1000, 0, 0.3), count: 3))
    var random = SeededRandom(seed: 3)
    var loudest: Float = 0
    let host = try DirectHost(unit)
    for _ in 0..<20 {
      let moves = (0..<250).map { _ in
        ParameterMove(
          frame: Int(host.frame) + Int.random(in: 0..<1000, using: &random),
          address: [2, 7, 12].randomElement(using: &random)!,
          value: .random(in: 20...20_000, using: &random), rampFrames: 1)
      }
      try unit.schedule(moves)
      let output = try host.run([Signal.noise(frames: 1000, seed: 9)], periods: .fixed(500))[0]
      loudest = max(loudest, output.map(abs).max()!)
    }
    #expect(loudest < 1000)
  }

  @Test func aBypassedBandCostsNoneOfItsSound() throws {
    var band = EQResponseTests.band(.resonantHighPass, 5000, 0, 0.1)
    band.isBypassed = true
    let noise = Signal.noise(frames: 3000, seed: 1)
    let unit = try EQResponseTests.unit([band, band, band, band, band])
    #expect(firstBitDifference(try DirectHost(unit).run([noise])[0], noise) == nil)
  }
}
