// Bypass passes the input exactly, and switches on and off without a click.

import Effects
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct FilterBypassTests {
  /// Bypassed from frame 6400, filtered again from 19 200 on: starts of cycles at every period
  /// used.
  static let frames = 25_600
  static let sine = Signal.sine(frames: frames, frequencyHertz: 1000, amplitude: 0.5)

  private func run(_ input: [[Float]], _ periods: Periods) throws -> [[Float]] {
    let unit = try makeFilter(channels: input.count, cutoffHertz: 384, resonanceDecibels: -3)
    let host = try DirectHost(unit)
    return try host.run(input, periods: periods) { frame in
      if frame == 6400 { unit.shouldBypassEffect = true }
      if frame == 19_200 { unit.shouldBypassEffect = false }
    }
  }

  @Test func theFadesHaveNoStepLargerThanTheSignalsOwn() throws {
    let output = try run([Self.sine], .fixed(64))[0]
    // The fade itself adds its slope of 1 in 960 to a difference below 1.
    let own = largestStep(Self.sine) + 1.0 / 960
    #expect(largestStep(Array(output[6000..<8000])) < own)
    #expect(largestStep(Array(output[19_000..<21_000])) < own)
    // Filtered, bypassed, filtered again.
    #expect(rootMeanSquareDecibels(Array(output[5000..<6400])) < -22)
    #expect(firstDifference(Array(output[7360..<19_200]), Array(Self.sine[7360..<19_200])) == nil)
    #expect(rootMeanSquareDecibels(Array(output[24_000...])) < -22)
  }

  @Test func theFadesDoNotDependOnThePeriod() throws {
    let noise = [Signal.noise(frames: Self.frames, seed: 1), Self.sine, Self.sine.map { -$0 }]
    let expected = try run(noise, .fixed(256))
    for period in [16, 64, 100, 128, 640] {
      let output = try run(noise, .fixed(period))
      for channel in 0..<3 {
        #expect(
          firstBitDifference(output[channel], expected[channel]) == nil, "period \(period)")
      }
    }
  }

  @Test func aBypassTakenBackInMidFadeTurnsRoundWhereItIs() throws {
    let unit = try makeFilter(cutoffHertz: 384)
    let host = try DirectHost(unit)
    let output = try host.run([Self.sine], periods: .fixed(100)) { frame in
      unit.shouldBypassEffect = frame / 500 % 2 == 1
    }[0]
    let own = largestStep(Self.sine) + 1.0 / 960
    #expect(largestStep(output) < own)
  }

  @Test func aUnitThatStartsBypassedPassesItsInputFromTheFirstFrameOn() throws {
    let unit = try makeFilter(cutoffHertz: 384)
    try unit.deallocateRenderResources()
    unit.shouldBypassEffect = true
    try unit.allocateRenderResources()
    let output = try DirectHost(unit).run([Self.sine])[0]
    #expect(firstDifference(output, Self.sine) == nil)
  }

  @Test func parametersMoveOnUnderABypass() throws {
    let unit = try makeFilter(cutoffHertz: 384)
    let host = try DirectHost(unit)
    unit.shouldBypassEffect = true
    _ = try host.render(1000)
    _ = try host.render(1000)
    try unit.scheduleParameter(FilterUnit.cutoffAddress, value: 1384, rampFrames: 1000)
    _ = try host.render(500)
    #expect(unit.cutoff == 884)
    _ = try host.render(500)
    #expect(unit.cutoff == 1384)
  }
}
