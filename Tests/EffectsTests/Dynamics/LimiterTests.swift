// A limiter keeps all samples within its ceiling, and is as late as it says.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct LimiterTests {
  /// Noise with leaps of loudness, and single samples far above the others.
  static func wild(frames: Int, seed: UInt64) -> [Float] {
    var random = SeededRandom(seed: seed)
    var amplitude: Float = 1
    return Signal.noise(frames: frames, seed: seed &+ 100).enumerated().map { frame, sample in
      if frame.isMultiple(of: 700) { amplitude = .random(in: 0...3, using: &random) }
      return Int.random(in: 0..<300, using: &random) == 0 ? sample * 30 : sample * amplitude
    }
  }

  @Test(arguments: [0.0, 0.02, 0.5, 1.5, 5, 20])
  func noSampleIsAboveTheCeiling(lookAhead: Double) throws {
    for (seed, rate) in zip([1, 2, 3] as [UInt64], [44_100.0, 48_000, 96_000]) {
      for (ceiling, gain, release) in [(-1, 0, 100), (-6.5, 12, 1), (0, -3, 2000)]
        as [(Float, Float, Float)]
      {
        let unit = try prepared(
          LimiterUnit(lookAhead: lookAhead),
          ["ceiling": ceiling, "gain": gain, "release": release], channels: 2, rate: rate)
        let input = [
          Self.wild(frames: 30_000, seed: seed), Self.wild(frames: 30_000, seed: seed + 10),
        ]
        let loudest = try DirectHost(unit).run(input).joined().map(abs).max()!
        let limit = amplitude(Double(ceiling))
        #expect(Double(loudest) <= limit)
        #expect(Double(loudest) > limit * 0.999)
      }
    }
  }

  /// The ceiling and gain of a sample are those of the frame on which it enters.
  @Test func noSampleIsAboveTheCeilingWhileItMoves() throws {
    let unit = try prepared(LimiterUnit(lookAhead: 5), ["ceiling": 0])
    try unit.schedule([
      ParameterMove(frame: 5000, address: 1, value: -24, rampFrames: 4000),
      ParameterMove(frame: 7000, address: 0, value: 12, rampFrames: 500),
      ParameterMove(frame: 9500, address: 0, value: -12, rampFrames: 1),
      ParameterMove(frame: 12_000, address: 1, value: -3, rampFrames: 1),
      ParameterMove(frame: 12_300, address: 1, value: -20, rampFrames: 1),
    ])
    let output = try DirectHost(unit).run([Self.wild(frames: 20_000, seed: 4)])[0]
    for (frame, sample) in output.enumerated().dropFirst(240) {
      let from = Double(frame - 240)
      var ceiling = -24 * min(max((from - 4999) / 4000, 0), 1)
      if from >= 12_000 { ceiling = -3 }
      if from >= 12_300 { ceiling = -20 }
      #expect(Double(abs(sample)) <= amplitude(ceiling) * (1 + 1e-7), "frame \(frame)")
    }
  }

  /// The gains calculated frame by frame, without any optimization.
  static func reference(
    _ input: [Float], ceiling: Double, release: Double, lookAheadFrames: Int, rate: Double
  ) -> [Double] {
    let part = 1 - exp(-1000 / (release * rate))
    var state = 1.0
    let needed = input.map { sample in
      let level = abs(Double(sample))
      state = min(level > ceiling ? ceiling / level : 1, state + (1 - state) * part)
      return state
    }
    let lowest = needed.indices.map { needed[max(0, $0 - lookAheadFrames)...$0].min()! }
    return lowest.indices.map { frame in
      let sum = (frame - lookAheadFrames...frame).reduce(0) { $0 + ($1 < 0 ? 1 : lowest[$1]) }
      let before = frame - lookAheadFrames
      return before < 0 ? 0 : Double(input[before]) * sum / Double(lookAheadFrames + 1)
    }
  }

  @Test(arguments: [0.0, 0.1, 1, 5]) func theOutputMatchesTheFormulas(lookAhead: Double) throws {
    for rate in [44_100.0, 48_000, 96_000] {
      let input = Self.wild(frames: 6000, seed: 5)
      let unit = try prepared(LimiterUnit(lookAhead: lookAhead), ["ceiling": -6], rate: rate)
      let output = try DirectHost(unit).run([input], periods: .fixed(77))[0]
      let expected = Self.reference(
        input, ceiling: amplitude(-6), release: 100,
        lookAheadFrames: Int((lookAhead / 1000 * rate).rounded()), rate: rate)
      let worst = zip(output, expected).map { abs(Double($0) - $1) }.max()!
      #expect(worst < 3e-6, "\(rate) Hz")
    }
  }

  @Test(arguments: [44_100.0, 48_000, 96_000]) func theLatencyIsTrue(rate: Double) throws {
    for lookAhead in [0, 0.3, 5, 20] {
      for unit in [
        try LimiterUnit(lookAhead: lookAhead), try CompressorUnit(lookAhead: lookAhead),
      ] as [DynamicsProcessor] {
        _ = try prepared(unit, rate: rate)
        let late = Int((unit.latency * rate).rounded())
        #expect(late == Int((lookAhead / 1000 * rate).rounded()))
        // Samples that need no lower gain pass unchanged, exactly as late.
        let noise = Signal.noise(frames: 4000, seed: 6, amplitude: 0.01)
        let output = try DirectHost(unit).run([noise], periods: .fixed(100))[0]
        #expect(output[..<late].allSatisfy { $0 == 0 })
        #expect(
          firstBitDifference(Array(output[late...]), Array(noise.dropLast(late))) == nil)
      }
    }
  }

  @Test func aPeakIsHeardComingOverTheLookAheadAndNoLonger() throws {
    let unit = try prepared(LimiterUnit(lookAhead: 5), ["ceiling": -12])
    var input = Signal.constant(0.1, frames: 4000)
    input[2000] = 1
    let output = try DirectHost(unit).run([input])[0]
    // The peak leaves at frame 2240; before frame 2000 the limiter has not seen it.
    #expect(output[240..<2000].allSatisfy { $0 == 0.1 })
    let way = (0...240).map { Double(output[1999 + $0] / 0.1) }
    for (frame, gain) in way.enumerated() {
      let expected = 1 - (1 - amplitude(-12)) * Double(frame) / 241
      #expect(abs(gain - expected) < 1e-5, "frame \(frame)")
    }
    #expect(abs(Double(output[2240]) - amplitude(-12)) < 1e-5)
  }

  /// The loudest value between frames: eight of each, by a sinc of 64 frames under Hann's window.
  static func truePeak(_ signal: [Float]) -> Double {
    let half = 32
    let taps = (0..<8).map { phase in
      (-half + 1...half).map { tap in
        let distance = Double(tap) - Double(phase) / 8
        let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
        return sinc * pow(cos(.pi * distance / Double(2 * half)), 2)
      }
    }
    var peak = 0.0
    for frame in half..<signal.count - half {
      for taps in taps {
        var sum = 0.0
        for (index, tap) in taps.enumerated() {
          sum += tap * Double(signal[frame - half + 1 + index])
        }
        peak = max(peak, abs(sum))
      }
    }
    return peak
  }

  /// Bursts of tones of up to 16 kHz.
  static func tones(_ frames: Int, seed: UInt64, rate: Double) -> [Float] {
    var random = SeededRandom(seed: seed)
    let parts = (0..<12).map { _ in
      (Double.random(in: 1000...16_000, using: &random), Double.random(in: 0...6, using: &random))
    }
    return (0..<frames).map { frame in
      let loudness = 0.05 + 0.3 * pow(sin(.pi * Double(frame) / 900), 8)
      return Float(
        parts.reduce(0) { $0 + loudness * sin(2 * .pi * $1.0 * Double(frame) / rate + $1.1) })
    }
  }

  @Test(arguments: [0.125, 1, 5]) func noTruePeakIsAboveTheCeiling(lookAhead: Double) throws {
    for rate in [44_100.0, 48_000] {
      let quarter = (0..<3000).map { Float(sin(.pi / 2 * Double($0) + .pi / 4)) }
      for (number, input) in [quarter, Self.tones(3000, seed: 1, rate: rate)].enumerated() {
        func peak(_ truePeak: Float) throws -> Double {
          let unit = try prepared(
            LimiterUnit(lookAhead: lookAhead),
            ["ceiling": -6, "release": 50, "truePeak": truePeak], rate: rate)
          let output = try DirectHost(unit).run([input], periods: .fixed(256))[0]
          // The signal begins abruptly, so the limiter cannot foresee its first peak.
          return decibels(Self.truePeak(Array(output[500...])))
        }
        let found = try peak(1)
        #expect(found < -5.7 && found > -9, "signal \(number), \(rate) Hz: \(found) dB")
        if number == 0 { #expect(try peak(0) > -3.1) }
      }
    }
  }

  @Test func truePeaksDoNotDependOnThePeriodAndLetNoSampleAboveTheCeiling() throws {
    let input = [Self.wild(frames: 9000, seed: 7), Self.wild(frames: 9000, seed: 8)]
    let calls: [Periods] = [.fixed(1000), .fixed(1), .fixed(13), .fixed(64)]
    var expected: [[Float]] = []
    for periods in calls {
      let unit = try prepared(LimiterUnit(lookAhead: 2), ["truePeak": 1], channels: 2)
      let address = unit.$truePeak.address
      #expect(address == 5)
      try unit.schedule([
        ParameterMove(frame: 3001, address: address, value: 0),
        ParameterMove(frame: 5007, address: address, value: 1),
        ParameterMove(frame: 5300, address: unit.$sideChain.address, value: 1),
        ParameterMove(frame: 5400, address: unit.$sideChain.address, value: 0),
      ])
      let output = try DirectHost(unit).run(input, key: input, periods: periods)
      if expected.isEmpty { expected = output }
      for channel in 0..<2 {
        #expect(firstBitDifference(output[channel], expected[channel]) == nil)
        #expect(Double(output[channel].map(abs).max()!) <= amplitude(-1))
      }
    }
  }

  @Test func theLoudestPresetsKeepTruePeaksBelowTheirCeilings() throws {
    for (name, truePeak) in [("Safety", 0), ("Loud", 0), ("Broadcast", 1), ("Brick Wall", 1)]
      as [(String, Float)]
    {
      let unit = try LimiterUnit()
      let preset = try #require(unit.factoryPresets.first { $0.name == name })
      try unit.setCurrentPreset(preset)
      #expect(unit.parameterTree.parameter(keyPath: "truePeak")?.value == truePeak)
    }
  }
}
