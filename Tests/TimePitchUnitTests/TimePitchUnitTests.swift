// The time-pitch unit's promises about its frames.

import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender
import UnitTestSupport

@testable import TimePitchUnit

/// Returns a unit for offline rendering, in which it waits for its thread.
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

/// Returns the largest second difference of a signal.
private func sharpestBend(_ signal: [Float]) -> Float {
  var sharpest: Float = 0
  for frame in 2..<signal.count {
    let before: Float = signal[frame - 2] - signal[frame - 1]
    sharpest = max(sharpest, abs(before + signal[frame] - signal[frame - 1]))
  }
  return sharpest
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
        try unit.scheduleParameter(unit.$rate.address, value: 1, at: .frame(15_500))
        try unit.scheduleParameter(unit.$pitch.address, value: 0, at: .frame(16_003))
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
    try unit.scheduleParameter(unit.$rate.address, value: 0.8, at: .frame(10_000))
    try unit.scheduleParameter(unit.$pitch.address, value: 250, at: .frame(10_000))
    try unit.scheduleParameter(unit.$rate.address, value: 1, at: .frame(30_000))
    try unit.scheduleParameter(unit.$pitch.address, value: 0, at: .frame(31_000))
    try run.render(70_000)
    let output = run.output[0]
    // The frames at the end are those of the input, in order.
    let delay = output.count - run.taken + unit.latencyInFrames
    let range = 50_000..<70_000
    #expect(firstBitDifference(Array(output[range]), range.map { sine[$0 - delay] }) == nil)
    // A fade between two different sines is at most twice as steep as one of them.
    let steepest = Array(output[(unit.latencyInFrames + 1)...])
    #expect(largestStep(steepest) < 2.5 * 0.5 * 2 * .pi * 231 / 48_000)
    // Input frames skipped or repeated in a fade would be bends of 0.01.
    #expect(sharpestBend(Array(output[10_000...])) < 3e-3)
  }

  @Test func aBypassIsTheInputAsLate() throws {
    let noise = Signal.noise(frames: 80_000, seed: 10, amplitude: 0.5)
    let unit = try offlineUnit(rate: 2, pitch: 500)
    unit.shouldBypassEffect = true
    var run = try TimeRun(unit, [noise])
    // The rate continues to ramp during the bypass.
    try unit.scheduleParameter(unit.$rate.address, value: 3, at: .frame(0), rampFrames: 9000)
    try unit.scheduleParameter(
      unit.$rate.address, value: 2, at: .frame(10_000), rampFrames: 9000)
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

  @Test func aBypassComesAndGoesWithoutAClick() throws {
    let sine = Signal.sine(frames: 120_000, frequencyHertz: 200, amplitude: 0.5)
    let unit = try offlineUnit(rate: 1.3, pitch: 200)
    var run = try TimeRun(unit, [sine])
    try run.render(60_000) {
      if $0 == 20_480 { unit.shouldBypassEffect = true }
      if $0 == 40_960 { unit.shouldBypassEffect = false }
    }
    let output = run.output[0]
    // After the latency the bypass has the input's own frames, between stretched ones.
    let delay = 20_480 + unit.latencyInFrames
    let start = try #require(
      (27_640...27_656).first { start in
        (0..<64).allSatisfy { output[delay + 1024 + $0] == sine[start + $0] }
      })
    let plain = Array(output[(delay + 1024)..<(delay + 18_000)])
    #expect(firstBitDifference(plain, Array(sine[start..<(start + plain.count)])) == nil)
    #expect(largestStep(Array(output[10_000...])) < 2.5 * 0.5 * 2 * .pi * 225 / 48_000)
    #expect(sharpestBend(Array(output[10_000...])) < 3e-3)
    #expect(output[50_000...].contains { abs($0) > 0.4 })
  }

  @Test func nonFiniteSamplesAreSilenceAndCounted() throws {
    var noise = Signal.noise(frames: 60_000, seed: 3, amplitude: 0.3)
    let clean = noise
    noise[20_000] = .nan
    noise[20_001] = .infinity
    let unit = try offlineUnit(rate: 1.2, pitch: -400)
    var run = try TimeRun(unit, [noise])
    try run.render(40_000)
    #expect(run.output[0].allSatisfy { $0.isFinite })
    #expect(unit.counts.last?.number == 2)
    // The fault has no lasting effect.
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
      let quiet = end + Int((unit.tailTime * 48_000).rounded(.up)) + 4
      #expect(run.output[0][end...].contains { $0 != 0 })
      let left = run.output[0][quiet...].map(abs).max()!
      #expect(left < 0.000_01, "rate \(rate), pitch \(pitch): \(left)")
      #expect(run.output[0].suffix(2_000).allSatisfy { $0 == 0 })
    }
  }

  @Test func aResetForgets() throws {
    let unit = try offlineUnit(rate: 1.5, pitch: 100)
    var run = try TimeRun(unit, [Signal.noise(frames: 90_000, seed: 12)])
    try run.render(20_000)
    #expect(run.output[0].suffix(100).contains { $0 != 0 })
    unit.reset()
    let (delay, taken) = (unit.latencyInFrames / 2, run.taken)
    try run.render(delay)
    #expect(run.output[0].suffix(delay).allSatisfy { $0 == 0 })
    // It continues like a new unit.
    try run.render(30_000)
    let fresh = try offlineUnit(rate: 1.5, pitch: 100)
    var other = try TimeRun(fresh, [Array(run.channels[0][taken...])])
    try other.render(delay + 30_000)
    #expect(firstBitDifference(Array(run.output[0][20_000...]), other.output[0]) == nil)
  }

  @Test func aRampThatPassesByThePitchOfTheInputDoesNotStopThere() throws {
    let sine = Signal.sine(frames: 60_000, frequencyHertz: 220, amplitude: 0.5)
    // One ramp has a frame at 0 cents, the other passes it between two frames.
    let outputs = try [Float(0), 0.005].map { beside in
      let unit = try offlineUnit(pitch: -100 + beside)
      var run = try TimeRun(unit, [sine])
      try unit.scheduleParameter(
        unit.$pitch.address, value: 100 + beside, at: .frame(10_000), rampFrames: 2000)
      try run.render(30_000)
      return run.output[0]
    }
    #expect(peakDecibels(difference: outputs[0], outputs[1]) < -40)
  }

  @Test func aNewStretchHasNothingOfEarlierSound() throws {
    let sound =
      Signal.noise(frames: 20_000, seed: 13)
      + Signal.sine(frames: 60_000, frequencyHertz: 300, amplitude: 0.25)
    let outputs = try [Float(700), 0].map { pitch in
      let unit = try offlineUnit(pitch: pitch)
      var run = try TimeRun(unit, [sound])
      try unit.scheduleParameter(unit.$pitch.address, value: 0, at: .frame(18_000))
      try unit.scheduleParameter(unit.$pitch.address, value: 700, at: .frame(40_000))
      try run.render(70_000)
      return Array(run.output[0][40_000...])
    }
    #expect(peakDecibels(difference: outputs[0], outputs[1]) < -100)
  }

  @Test(arguments: [(.infinity, 4), (1e9, 4), (-1e9, 0.25), (.nan, 0.25)] as [(Float, Float)])
  func aRateOutOfRangeIsHeldAtItsEnd(value: Float, end: Float) throws {
    let unit = try offlineUnit()
    try unit.allocate(channels: 1)
    let hosting = try unit.makeHosting()
    hosting.hosted.beginCycle(at: 0, frameCount: 64)
    #expect(
      hosting.hosted.events.insert(
        RenderEvent.parameter(
          address: unit.$rate.address, value: value, rampFrames: 0, at: 0)))
    var before = [Int32](repeating: 0, count: 64)
    let needed = before.withUnsafeMutableBufferPointer {
      hosting.hosted.demand(
        at: 0, frameCount: 64, hostNanoseconds: 0, context: MusicalContext(), sessionFrame: 0,
        before: $0.baseAddress!)
    }
    #expect(needed == Int(Float(63) * end) + 1)
    #expect(unit.parameterTree.parameter(keyPath: "rate")!.value == end)
  }

  @Test func aDocumentBringsItBackAndPresetsSetTheirValues() throws {
    let unit = try offlineUnit(rate: 1.7, pitch: -350)
    let other = try TimePitchUnit()
    try other.setFullStateForDocument(unit.fullStateForDocument)
    #expect(other.parameterTree.parameter(keyPath: "rate")!.value == 1.7)
    #expect(other.parameterTree.parameter(keyPath: "pitch")!.value == -350)
    let presets: [(String, rate: Float, pitch: Float)] = [
      ("Half Speed", 0.5, 0), ("Double Speed", 2, 0), ("Octave Down", 1, -1200),
      ("Octave Up", 1, 1200), ("Chipmunk", 1, 1000), ("Giant", 0.9, -500),
    ]
    #expect(unit.factoryPresets.map(\.name) == presets.map(\.0))
    for (preset, expected) in zip(unit.factoryPresets, presets) {
      try unit.setCurrentPreset(preset)
      #expect(unit.parameterTree.parameter(keyPath: "rate")!.value == expected.rate)
      #expect(unit.parameterTree.parameter(keyPath: "pitch")!.value == expected.pitch)
    }
  }
}
