// What the time-pitch unit promises of its frames.

import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@testable import TimePitchUnit

/// A unit that is rendered offline, where it waits for its thread.
func offlineUnit(rate: Float = 1, pitch: Float = 0) throws -> TimePitchUnit {
  let unit = try TimePitchUnit()
  unit.isRenderingOffline = true
  try unit.parameterTree.parameter(keyPath: "rate")!.setValue(rate)
  try unit.parameterTree.parameter(keyPath: "pitch")!.setValue(pitch)
  return unit
}

extension TimePitchUnit {
  var latencyInFrames: Int { Int((latency * sampleRate).rounded()) }
}

@Suite struct TimePitchUnitTests {
  @Test(
    arguments: [16, 64, 100, 256, 1024, 2048].map { Periods.fixed($0) } + [
      .random(upTo: 1024, seed: 1), .random(upTo: 70, seed: 2),
    ])
  func atRate1AndPitch0ItIsADelayToTheBit(periods: Periods) throws {
    let noise = [1, 2, 3].map { Signal.noise(frames: 20_000, seed: $0) }
    let unit = try offlineUnit()
    var run = try TimeRun(unit, noise)
    try run.render(20_000, periods: periods)
    for channel in noise.indices {
      let latency = unit.latencyInFrames
      let expected = Signal.silence(frames: latency) + noise[channel].dropLast(latency)
      #expect(firstBitDifference(run.output[channel], expected) == nil)
    }
    #expect(run.taken == 20_000)
    #expect(unit.missedFrames == 0)
  }

  @Test func theOutputDoesNotDependOnThePeriodToTheBit() throws {
    let noise = [1, 2].map { Signal.noise(frames: 70_000, seed: $0, amplitude: 0.5) }
    for seed: UInt64 in 1..<3 {
      let periods =
        [16, 256, 2048].map { Periods.fixed($0) } + [
          .random(upTo: 1024, seed: 5)
        ]
      let outputs = try periods.map { periods in
        let unit = try offlineUnit(rate: 0.7, pitch: 300)
        var run = try TimeRun(unit, noise)
        try unit.schedule(ParameterMove.random(12, of: unit, frames: 15_000, seed: seed))
        try unit.scheduleParameter(TimePitchUnit.rateAddress, value: 1, at: .frame(15_500))
        try unit.scheduleParameter(TimePitchUnit.pitchAddress, value: 0, at: .frame(16_003))
        try run.render(30_000, periods: periods)
        return (run.output, run.taken)
      }
      #expect(outputs[0].0[0].contains { $0 != 0 })
      for output in outputs.dropFirst() {
        #expect(output.1 == outputs[0].1)
        for channel in 0..<2 {
          #expect(firstBitDifference(outputs[0].0[channel], output.0[channel]) == nil)
        }
      }
    }
  }

  @Test func itComesBackToTheInputToTheBitWithoutAClick() throws {
    let sine = Signal.sine(frames: 90_000, frequencyHertz: 200, amplitude: 0.5)
    let unit = try offlineUnit()
    var run = try TimeRun(unit, [sine])
    try unit.scheduleParameter(TimePitchUnit.rateAddress, value: 0.8, at: .frame(10_000))
    try unit.scheduleParameter(TimePitchUnit.pitchAddress, value: 250, at: .frame(10_000))
    try unit.scheduleParameter(TimePitchUnit.rateAddress, value: 1, at: .frame(30_000))
    try unit.scheduleParameter(TimePitchUnit.pitchAddress, value: 0, at: .frame(31_000))
    try run.render(70_000)
    let output = run.output[0]
    // The frames at the end are those of the input, in their order.
    let delay = output.count - run.taken + unit.latencyInFrames
    let range = 50_000..<70_000
    #expect(firstBitDifference(Array(output[range]), range.map { sine[$0 - delay] }) == nil)
    // A fade of two sines that differ goes no steeper than twice as one of them.
    let steepest = Array(output[(unit.latencyInFrames + 1)...])
    #expect(largestStep(steepest) < 2.5 * 0.5 * 2 * .pi * 231 / 48_000)
  }

  @Test func aBypassIsTheInputAsLate() throws {
    let noise = Signal.noise(frames: 80_000, seed: 10, amplitude: 0.5)
    let unit = try offlineUnit(rate: 2, pitch: 500)
    unit.shouldBypassEffect = true
    var run = try TimeRun(unit, [noise])
    try run.render(20_000)
    #expect(run.taken == 20_000)
    let latency = unit.latencyInFrames
    #expect(
      firstBitDifference(
        run.output[0], Signal.silence(frames: latency) + noise[..<(20_000 - latency)]) == nil)
    unit.shouldBypassEffect = false
    try run.render(1_000)
    #expect(run.taken == 20_000 + 1_999)
  }

  @Test func whatIsNoNumberIsSilenceAndCounted() throws {
    var noise = Signal.noise(frames: 60_000, seed: 3, amplitude: 0.3)
    let clean = noise
    noise[20_000] = .nan
    noise[20_001] = .infinity
    let unit = try offlineUnit(rate: 1.2, pitch: -400)
    var run = try TimeRun(unit, [noise])
    try run.render(40_000)
    #expect(run.output[0].allSatisfy { $0.isFinite })
    #expect(unit.counts.last?.number == 2)
    // It does not ring on.
    let other = try offlineUnit(rate: 1.2, pitch: -400)
    var expected = try TimeRun(other, [clean])
    try expected.render(40_000)
    #expect(rootMeanSquareDecibels(Array(run.output[0][30_000...])) > -30)
    #expect(
      firstBitDifference(Array(run.output[0][..<20_000]), Array(expected.output[0][..<20_000]))
        == nil)
  }

  @Test(arguments: [0.25, 1, 4] as [Float])
  func silenceIsSilentBehindItsTail(rate: Float) throws {
    for pitch: Float in [-2400, 700] {
      let unit = try offlineUnit(rate: rate, pitch: pitch)
      var run = try TimeRun(unit, [Signal.noise(frames: 24_000, seed: 11)])
      try run.render(Int(24_000 / rate))
      let end = run.output[0].count
      try run.render(40_000)
      let quiet = end + Int(((unit.latency + unit.tailTime) * 48_000).rounded(.up)) + 4
      #expect(run.output[0][end...].contains { $0 != 0 })
      let left = run.output[0][quiet...].map(abs).max()!
      #expect(left < 0.000_01, "rate \(rate), pitch \(pitch): \(left)")
      #expect(run.output[0].suffix(2_000).allSatisfy { $0 == 0 })
    }
  }

  @Test func aResetForgets() throws {
    let unit = try offlineUnit(rate: 1.5, pitch: 100)
    var run = try TimeRun(unit, [Signal.noise(frames: 40_000, seed: 12)])
    try run.render(20_000)
    #expect(run.output[0].suffix(100).contains { $0 != 0 })
    unit.reset()
    let (delay, taken) = (unit.latencyInFrames / 2, run.taken)
    try run.render(delay)
    #expect(run.output[0].suffix(delay).allSatisfy { $0 == 0 })
    // It goes on as one does that is new.
    try run.render(12_000)
    let fresh = try offlineUnit(rate: 1.5, pitch: 100)
    var other = try TimeRun(fresh, [Array(run.channels[0][taken...])])
    try other.render(delay + 12_000)
    #expect(firstBitDifference(Array(run.output[0][20_000...]), other.output[0]) == nil)
  }

  @Test func aDocumentBringsItBackAndPresetsSetTheirValues() throws {
    let unit = try offlineUnit(rate: 1.7, pitch: -350)
    let other = try TimePitchUnit()
    try other.setFullStateForDocument(unit.fullStateForDocument)
    #expect(other.parameterTree.parameter(keyPath: "rate")!.value == 1.7)
    #expect(other.parameterTree.parameter(keyPath: "pitch")!.value == -350)
    for preset in unit.factoryPresets {
      try unit.setCurrentPreset(preset)
      let values = unit.factoryPresetValues(of: preset)
      #expect(values.count == 2)
      for (name, value) in values {
        #expect(unit.parameterTree.parameter(keyPath: name)!.value == value)
      }
    }
  }
}
