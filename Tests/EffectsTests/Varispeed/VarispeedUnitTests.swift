// The promises of the varispeed.

import Effects
import Foundation
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct VarispeedUnitTests {
  static let latency = 192

  private func unit(_ rate: Float = 1) throws -> VarispeedUnit {
    let unit = try VarispeedUnit()
    try unit.parameterTree.parameter(keyPath: "rate")!.setValue(rate)
    return unit
  }

  @Test(arguments: Periods.all)
  func atRate1ItIsADelayToTheBit(periods: Periods) throws {
    let noise = [1, 2, 3].map { Signal.noise(frames: 5_000, seed: $0) }
    var run = try TimeRun(try unit(), noise)
    try run.render(5_000, periods: periods)
    for channel in noise.indices {
      let expected = Signal.silence(frames: Self.latency) + noise[channel].dropLast(Self.latency)
      #expect(firstBitDifference(run.output[channel], expected) == nil)
    }
    #expect(run.taken == 5_000)
    let latency = try unit().latency
    #expect(latency * 48_000 == Double(Self.latency))
  }

  /// The level of the expected signal above the deviation from it, in decibels.
  private func signalToNoise(_ signal: ArraySlice<Float>, _ expected: (Int) -> Double) -> Double {
    var (power, error) = (0.0, 0.0)
    for index in signal.indices {
      let ideal = expected(index)
      power += ideal * ideal
      error += (Double(signal[index]) - ideal) * (Double(signal[index]) - ideal)
    }
    return 10 * log10(power / error)
  }

  @Test(arguments: [0.25, 0.3, 0.5, 0.9999, 1.0001, 1.37, 2, 2.5, 3.99, 4] as [Float])
  func aSineIsTheSineOfAnotherSpeedBy90Decibels(rate: Float) throws {
    // Up to the end of the filter's passband, at the lower of the two rates.
    let highest = 0.43 / max(1, Double(rate))
    for part in [0.003, 0.1, 0.5, 0.9, 1] {
      let step = 2 * Double.pi * highest * part
      let sine = (0..<70_000).map { Float(0.9 * sin(step * Double($0))) }
      var run = try TimeRun(try unit(rate), [sine])
      try run.render(16_000)
      let ratio = signalToNoise(run.output[0][4_000...]) {
        0.9 * sin(step * (Double($0) * Double(rate) - Double(Self.latency)))
      }
      #expect(ratio >= 90, "\(highest * part) of the rate: \(ratio) dB")
    }
  }

  @Test(arguments: [1.1, 1.5, 2, 3, 4] as [Float])
  func aliasesAre90DecibelsDown(rate: Float) throws {
    let lowest = 0.5 / Double(rate)
    for part in [0.0, 0.01, 0.1, 0.3, 0.7, 0.99] {
      let step = 2 * Double.pi * (lowest + (0.5 - lowest) * part)
      let sine = (0..<70_000).map { Float(sin(step * Double($0))) }
      var run = try TimeRun(try unit(rate), [sine])
      try run.render(16_000)
      let level = rootMeanSquareDecibels(Array(run.output[0][4_000...])) + 3.01
      #expect(level < -90, "\(step / 2 / .pi) of the rate: \(level) dB")
    }
  }

  @Test func theOutputDoesNotDependOnThePeriodToTheBit() throws {
    let noise = [1, 2].map { Signal.noise(frames: 60_000, seed: $0) }
    for seed: UInt64 in 1..<4 {
      let outputs = try (Periods.all + [.fixed(1)]).map { periods in
        let unit = try unit(0.7)
        var run = try TimeRun(unit, noise)
        try unit.schedule(ParameterMove.random(12, of: unit, frames: 12_000, seed: seed))
        try run.render(12_000, periods: periods)
        return (run.output, run.taken)
      }
      for output in outputs.dropFirst() {
        #expect(output.1 == outputs[0].1)
        for channel in 0..<2 {
          #expect(firstBitDifference(outputs[0].0[channel], output.0[channel]) == nil)
        }
      }
    }
  }

  @Test func aRateTakesEffectOnItsFrame() throws {
    let ramp = (0..<20_000).map { Float($0) }
    let unit = try unit()
    var run = try TimeRun(unit, [ramp])
    try unit.scheduleParameter(unit.$rate.address, value: 2, at: .frame(1_000))
    try unit.scheduleParameter(
      unit.$rate.address, value: 0.5, at: .frame(2_000), rampFrames: 500)
    try run.render(4_000, periods: .fixed(300))
    var place = -Double(Self.latency)
    for frame in 0..<4_000 {
      if frame > 400 && abs(frame - 1_000) > 200 && frame < 2_000 {
        #expect(abs(Double(run.output[0][frame]) - place) < 0.05, "frame \(frame)")
      }
      let moved = Double(min(frame - 1_999, 500)) / 500
      place += frame < 1_000 ? 1 : frame < 2_000 ? 2 : 2 - 1.5 * moved
    }
    #expect(
      run.taken == Int(place.rounded(.up)) + Self.latency || run.taken == Int(place) + Self.latency)
    #expect(unit.parameterTree.parameter(keyPath: "rate")!.value == 0.5)
  }

  @Test func backAtRate1ItIsADelayToTheBitAgain() throws {
    let noise = Signal.noise(frames: 40_000, seed: 9)
    let unit = try unit(1.37)
    var run = try TimeRun(unit, [noise])
    try unit.scheduleParameter(unit.$rate.address, value: 1, at: .frame(1_003))
    try run.render(8_000)
    // After the glide the output has the input's frames in order.
    let delay = run.output[0].count - run.taken + Self.latency
    let range = 4_000..<8_000
    #expect(
      firstBitDifference(
        Array(run.output[0][range]), range.map { noise[$0 - delay] }) == nil)
  }

  @Test func aBypassIsRate1AsLate() throws {
    let noise = Signal.noise(frames: 40_000, seed: 10)
    let unit = try unit(2)
    unit.shouldBypassEffect = true
    var run = try TimeRun(unit, [noise])
    try run.render(4_000)
    #expect(run.taken == 4_000)
    #expect(
      firstBitDifference(
        run.output[0], Signal.silence(frames: Self.latency) + noise[..<(4_000 - Self.latency)])
        == nil)
    unit.shouldBypassEffect = false
    try run.render(1_000)
    #expect(run.taken == 4_000 + 1_999)
  }

  @Test func aBypassComesOnItsFrameAtAnyPeriod() throws {
    let noise = Signal.noise(frames: 10_000, seed: 12)
    var first: [Float] = []
    for period in [1_000, 13, 64] {
      let unit = try unit(1.7)
      var run = try TimeRun(unit, [noise])
      try unit.scheduleBypass(true, at: .frame(501))
      try unit.scheduleBypass(false, at: .frame(1_203))
      try unit.scheduleBypass(true, at: .frame(1_950))
      try run.render(3_000, periods: .fixed(period))
      if first.isEmpty { first = run.output[0] }
      #expect(firstBitDifference(run.output[0], first) == nil, "period \(period)")
    }
  }

  @Test func silenceIsSilentBehindItsTailAndAResetForgets() throws {
    for rate: Float in [0.25, 0.6, 1, 2.5, 4] {
      let unit = try unit(rate)
      var run = try TimeRun(unit, [Signal.noise(frames: 3_000, seed: 11)])
      try run.render(Int(2_999 / rate))
      let end = run.output[0].count
      try run.render(4_000)
      let quiet = end + Int((unit.tailTime * 48_000).rounded(.up)) + 4
      #expect(run.output[0][quiet...].allSatisfy { $0 == 0 }, "rate \(rate)")
      // Below rate 1 the stated tail is less than 40 frames too long.
      #expect(rate >= 1 || run.output[0][(quiet - 40)...].contains { $0 != 0 }, "rate \(rate)")
    }
    let unit = try unit(1.5)
    var run = try TimeRun(unit, [Signal.noise(frames: 2_000, seed: 12)])
    try run.render(1_000)
    unit.reset()
    try run.render(100)
    #expect(run.output[0].suffix(100).prefix(20).allSatisfy { $0 == 0 })
  }

  @Test func aDocumentBringsItBackAndPresetsSetTheirRates() throws {
    let unit = try unit(1.7)
    let other = try VarispeedUnit()
    try other.setFullStateForDocument(unit.fullStateForDocument)
    #expect(other.parameterTree.parameter(keyPath: "rate")!.value == 1.7)
    #expect(
      unit.factoryPresets.map(\.name) == [
        "Half Speed", "Fifth Down", "Fifth Up", "Double Speed",
      ])
    for preset in unit.factoryPresets {
      try unit.setCurrentPreset(preset)
      #expect(
        unit.parameterTree.parameter(keyPath: "rate")!.value
          == unit.factoryPresetValues(of: preset)["rate"])
    }
  }
}
