// Parameter events take effect on exactly their frame, whatever the period.

import Effects
import Foundation
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct FilterTimingTests {
  static let frames = 12_000

  @Test(arguments: Periods.all)
  func setsAndRampsAreTheFrameByFrameReference(periods: Periods) throws {
    let input = Signal.noise(frames: Self.frames, seed: 1)
    for seed: UInt64 in 10..<14 {
      let events = FilterEvent.random(60, frames: Self.frames, seed: seed)
      let unit = try makeFilter(cutoffHertz: 700, resonanceDecibels: 3)
      let host = try DirectHost(unit)
      try unit.schedule(events)
      let output = try host.run([input], periods: periods)[0]
      let expected = reference(input, events, cutoffHertz: 700, resonanceDecibels: 3)
      #expect(firstBitDifference(output, expected) == nil)
      #expect(unit.switches.value(of: .lateEvents) == 0)
    }
  }

  @Test func aStepShowsAtItsFrameAndNotBefore() throws {
    let input = Signal.noise(frames: 200, seed: 2)
    let unchanged = reference(input, [], cutoffHertz: 500)
    for frame in [0, 1, 63, 64, 65, 99, 150, 199] {
      let unit = try makeFilter(cutoffHertz: 500)
      let host = try DirectHost(unit)
      try unit.scheduleParameter(
        FilterUnit.cutoffAddress, value: 5000, at: .frame(FrameTime(frame)), rampFrames: 1)
      let output = try host.run([input], periods: .fixed(64))[0]
      #expect(firstDifference(output, unchanged) == frame)
    }
  }

  /// The structure as in textbooks, with each frame's coefficients from the ramp's definition.
  @Test func theWholeShapeOfARampIsTheFormulas() throws {
    let input = Signal.noise(frames: 4000, seed: 3)
    let unit = try makeFilter(cutoffHertz: 200, resonanceDecibels: -10)
    let host = try DirectHost(unit)
    try unit.scheduleParameter(
      FilterUnit.cutoffAddress, value: 9000, at: .frame(333), rampFrames: 2000)
    try unit.scheduleParameter(
      FilterUnit.resonanceAddress, value: 10, at: .frame(1001), rampFrames: 777)
    let output = try host.run([input], periods: .random(upTo: 500, seed: 4))[0]
    func ramp(_ frame: Int, _ start: Int, _ length: Int, _ from: Double, _ to: Double) -> Double {
      from + (to - from) * min(max(Double(frame - start + 1) / Double(length), 0), 1)
    }
    var band = 0.0
    var low = 0.0
    var worst = 0.0
    for frame in input.indices {
      let g = tan(.pi * ramp(frame, 333, 2000, 200, 9000) / 48_000)
      let k = pow(10, -ramp(frame, 1001, 777, -10, 10) / 20)
      let v1 = (band + g * (Double(input[frame]) - low)) / (1 + g * (g + k))
      let v2 = low + g * v1
      band = 2 * v1 - band
      low = 2 * v2 - low
      worst = max(worst, abs(Double(output[frame]) - v2))
    }
    #expect(worst < 1e-6)
  }

  @Test func anImmediateEventIsTheNextCyclesFirstFrame() throws {
    let input = Signal.noise(frames: 512, seed: 5)
    let unit = try makeFilter(cutoffHertz: 500)
    let host = try DirectHost(unit)
    let output = try host.run([input], periods: .fixed(128)) { frame in
      if frame == 256 {
        try unit.scheduleParameter(FilterUnit.cutoffAddress, value: 5000, rampFrames: 50)
      }
    }[0]
    let event = FilterEvent(
      frame: 256, address: FilterUnit.cutoffAddress, value: 5000, rampFrames: 50)
    #expect(firstBitDifference(output, reference(input, [event], cutoffHertz: 500)) == nil)
  }

  @Test(arguments: [2, 3, 7, 16])
  func everyChannelIsFilteredAsIfItWereAlone(channels: Int) throws {
    let input = (0..<channels).map { Signal.noise(frames: 3000, seed: UInt64($0)) }
    let events = FilterEvent.random(20, frames: 3000, seed: 6)
    let unit = try makeFilter(channels: channels)
    let host = try DirectHost(unit)
    try unit.schedule(events)
    let output = try host.run(input, periods: .fixed(100))
    for channel in 0..<channels {
      #expect(firstBitDifference(output[channel], reference(input[channel], events)) == nil)
    }
  }

  @Test func inputAndOutputMayBeTheSameMemory() throws {
    let input = [Signal.noise(frames: 1000, seed: 7), Signal.noise(frames: 1000, seed: 8)]
    let unit = try makeFilter(channels: 2, cutoffHertz: 900)
    let hosting = try unit.makeHosting()
    let memory = input.map { samples in
      let pointer = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
      pointer.initialize(from: samples, count: samples.count)
      return pointer
    }
    defer { for pointer in memory { pointer.deallocate() } }
    hosting.hosted.beginCycle(at: 0, frameCount: 1000)
    for channel in 0..<2 {
      hosting.hosted.call.input(0)[channel] = memory[channel]
      hosting.hosted.call.output(0)[channel] = memory[channel]
    }
    #expect(hosting.hosted.render(at: 0, frameCount: 1000) == RenderStatus.ok)
    hosting.hosted.endCycle()
    for channel in 0..<2 {
      let output = Array(UnsafeBufferPointer(start: memory[channel], count: 1000))
      #expect(
        firstBitDifference(output, reference(input[channel], [], cutoffHertz: 900)) == nil)
    }
  }

  @Test func whileRampingTheValueReadIsTheSoundingOne() throws {
    let unit = try makeFilter(cutoffHertz: 1000)
    let host = try DirectHost(unit)
    try unit.scheduleParameter(
      FilterUnit.cutoffAddress, value: 3000, at: .frame(100), rampFrames: 1000)
    _ = try host.run([Signal.silence(frames: 100)], periods: .fixed(50))
    #expect(unit.cutoff == 1000)
    _ = try host.run([Signal.noise(frames: 250, seed: 9)])
    #expect(unit.cutoff == 1500)
    _ = try host.run([Signal.silence(frames: 750)])
    #expect(unit.cutoff == 3000)
  }

  @Test func aPlainSetReadsBackAsSet() throws {
    let unit = try makeFilter(cutoffHertz: 1000)
    let host = try DirectHost(unit)
    try unit.scheduleParameter(FilterUnit.cutoffAddress, value: 3000, rampFrames: 1000)
    _ = try host.render(100)
    unit.cutoff = 440
    #expect(unit.cutoff == 440)
    for _ in 0..<20 {
      _ = try host.render(100)
      #expect(unit.cutoff == 440)
    }
  }

  @Test func aScheduledSetReadsAsItselfFromItsFrameOnAlsoAfterARamp() throws {
    let unit = try makeFilter(cutoffHertz: 1000)
    let host = try DirectHost(unit)
    try unit.scheduleParameter(FilterUnit.cutoffAddress, value: 3000, rampFrames: 1000)
    try unit.scheduleParameter(FilterUnit.cutoffAddress, value: 440, at: .frame(150))
    _ = try host.render(100)
    #expect(unit.cutoff == 1200)
    for _ in 0..<20 {
      _ = try host.render(100)
      #expect(unit.cutoff == 440)
    }
  }

  @Test func aSetValueIsDeZipperedOver20Milliseconds() throws {
    let input = Signal.noise(frames: 2000, seed: 10)
    let unit = try makeFilter(cutoffHertz: 1000)
    let host = try DirectHost(unit)
    unit.cutoff = 8000
    let ramp = FilterEvent(
      frame: 0, address: FilterUnit.cutoffAddress, value: 8000, rampFrames: 960)
    let expected = reference(input, [ramp], cutoffHertz: 1000)
    #expect(firstBitDifference(try host.run([input])[0], expected) == nil)
  }
}
