// Obstacles and the reverb.

import DSP
import Effects
import EnvironmentUnit
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct ObstacleTests {
  private let noise = Signal.noise(frames: 6000, seed: 1, amplitude: 0.3)

  private func power(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }

  @Test(arguments: [44_100.0, 48_000, 96_000])
  func anObstacleTakesItsDecibelsAndMore(rate: Double) throws {
    let plain = try impulseResponse(at(0, 0, 0), sampleRate: rate, frames: 20_000)[0]
    for (values, decibels) in [
      (["inputs.1.obstruction": -6], -6), (["inputs.1.occlusion": -20], -20),
      (["inputs.1.obstruction": -10, "inputs.1.occlusion": -30], -40),
    ] as [([String: Float], Double)] {
      let response = try impulseResponse(at(0, 0, 0, 0, values), sampleRate: rate, frames: 20_000)[
        0]
      let cutoff = 10_000 / (pow(10, -decibels / 10 * 0.301_029_995_663_981_2) - 1)
      let y = 1 - cos(2 * .pi * min(cutoff / rate, 0.5))
      let held = cutoff < rate / 2 ? y : 8 * pow(cutoff / rate, 2)
      let pole = 1 + held - (held * (held + 2)).squareRoot()
      for hertz in [0.0, 100, 1000, 5000, 15_000] {
        let turn = 2 * Double.pi * hertz / rate
        // (1 − p) / (1 − p z⁻¹)
        let lowPass =
          (1 - pole) / (1 - 2 * pole * cos(turn) + pole * pole).squareRoot()
        let made = magnitude(response, hertz, rate) / magnitude(plain, hertz, rate)
        let expected = pow(10, decibels / 20) * lowPass
        #expect(abs(made / expected - 1) < 1e-3, "\(values), \(hertz) Hz: \(made), \(expected)")
      }
    }
  }

  @Test(arguments: Algorithm.all) func everyAlgorithmRunsAtTheHighestRate(_ algorithm: Float) throws
  {
    let usual = try impulseResponse(at(1, 0, -1, algorithm), frames: 1000)
    let high = try impulseResponse(at(1, 0, -1, algorithm), sampleRate: 384_000, frames: 8000)
    for ear in 0..<2 {
      let expected = magnitude(usual[ear], 1000, 48_000)
      let made = magnitude(high[ear], 1000, 384_000)
      #expect(abs(20 * log10(made / expected)) < 1, "\(made) in place of \(expected)")
    }
  }

  @Test func obstructionLeavesTheReverbAndOcclusionDoesNot() throws {
    func wet(_ values: [String: Float]) throws -> [Float] {
      let unit = try environment(
        at(0, 0, 0, 0, values.merging(["reverb.on": 1, "inputs.1.reverbBlend": 1]) { $1 }))
      return try DirectHost(unit).run(busses: [[noise]])[0]
    }
    let plain = try wet([:])
    #expect(power(plain) > 0.1)
    #expect(firstBitDifference(try wet(["inputs.1.obstruction": -100]), plain) == nil)
    #expect(power(try wet(["inputs.1.occlusion": -60])) < 1e-6 * power(plain))
  }

  @Test func theReverbIsThatOfTheUnitAndThePreset() throws {
    for (place, preset) in ReverbPreset.allCases.enumerated() {
      let unit = try environment(
        ["reverb.on": 1, "reverb.preset": Float(place), "inputs.1.reverbBlend": 1])
      let output = try DirectHost(unit).run(busses: [[noise]])
      let reverb = try ReverbUnit()
      try reverb.setCurrentPreset(reverb.factoryPresets[place])
      #expect(reverb.factoryPresets[place].name == preset.name)
      try reverb.set("mix", 100)
      try reverb.inputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1))
      try reverb.allocateRenderResources()
      let expected = try DirectHost(reverb).run(busses: [[noise]])
      for channel in 0..<2 {
        let difference = zip(output[channel], expected[channel]).map { abs($0 - $1) }.max() ?? 1
        #expect(difference < 1e-6, "\(preset.name)")
      }
    }
  }

  @Test func aBlendDividesBetweenPlaceAndReverbAndCountsOnlyWhileThereIsOne() throws {
    func run(_ values: [String: Float]) throws -> [Float] {
      try DirectHost(environment(values)).run(busses: [[noise]])[1]
    }
    let dry = try run([:])
    #expect(firstBitDifference(try run(["inputs.1.reverbBlend": 0.7]), dry) == nil)
    #expect(firstBitDifference(try run(["reverb.on": 1]), dry) == nil)
    let wet = try run(["reverb.on": 1, "inputs.1.reverbBlend": 1])
    let both = try run(["reverb.on": 1, "inputs.1.reverbBlend": 0.25])
    let louder = try run(["reverb.on": 1, "inputs.1.reverbBlend": 1, "reverb.level": 20])
    for frame in 0..<noise.count {
      #expect(abs(both[frame] - (0.75 * dry[frame] + 0.25 * wet[frame])) < 1e-5)
      #expect(abs(louder[frame] - 10 * wet[frame]) < 1e-4)
    }
  }

  @Test func soundSentBeforeABlendOfZeroDoesNotReturn() throws {
    let unit = try environment([
      "reverb.on": 1, "reverb.preset": 0, "inputs.1.reverbBlend": 1, "inputs.1.occlusion": -20,
    ])
    let silence = Signal.silence(frames: 4 * Int(unit.tailTime * 48_000) + 48_000)
    let sound = noise + noise + silence
    let end = sound.count - 4800
    let host = try DirectHost(unit)
    var output: [Float] = []
    for (blend, range) in [(1, 0..<6000), (0, 6000..<end), (1, end..<sound.count)]
      as [(Float, Range<Int>)]
    {
      try unit.set("inputs.1.reverbBlend", blend)
      output += try host.run(busses: [[Array(sound[range])]])[0]
    }
    #expect(output[6000..<12_000].contains { $0 != 0 })
    #expect(output[(end - 100)...].allSatisfy { $0.bitPattern == 0 })
  }

  @Test func oneBandFiltersTheReverbAlone() throws {
    func response(_ values: [String: Float]) throws -> [Double] {
      try impulseResponse(
        values.merging(["reverb.on": 1, "reverb.preset": 0, "inputs.1.reverbBlend": 1]) { $1 },
        frames: 48_000)[0]
    }
    let plain = try response([:])
    let band: [String: Float] = [
      "reverb.filter.bypass": 0, "reverb.filter.frequency": 1000, "reverb.filter.gain": 12,
    ]
    let filtered = try response(band)
    for (hertz, expected) in [(1000.0, 12.0), (50, 0.03), (15_000, 0.1)] {
      let change = decibels(Float(magnitude(filtered, hertz) / magnitude(plain, hertz)))
      #expect(abs(change - expected) < 0.3, "\(hertz) Hz: \(change)")
    }
    var dry = band
    dry["reverb.on"] = 1
    let unit = try environment(dry)
    let still = try environment()
    #expect(
      try DirectHost(unit).run(busses: [[noise]]) == DirectHost(still).run(busses: [[noise]]))
  }

  @Test func switchedOffTheReverbForgetsItsSound() throws {
    let unit = try environment(["reverb.on": 1, "inputs.1.reverbBlend": 1, "reverb.preset": 7])
    let host = try DirectHost(unit)
    _ = try host.run(busses: [[noise]])
    let silence = [[Signal.silence(frames: 2000)]]
    try unit.set("reverb.on", 0)
    let fading = try host.run(busses: silence)[0]
    #expect(power(Array(fading[..<900])) > 0)
    #expect(fading[1100...].allSatisfy { $0.bitPattern == 0 })
    try unit.set("reverb.on", 1)
    #expect(try host.run(busses: silence)[0].allSatisfy { $0.bitPattern == 0 })
  }
}
