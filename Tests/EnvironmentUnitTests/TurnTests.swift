// Turns of many sources at once, which wait for each other.

import EnvironmentUnit
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct TurnTests {
  /// Returns an environment with all sources at one place, rendered by a measured head.
  private func crowd(_ count: Int) throws -> EnvironmentUnit {
    var values: [String: Float] = [:]
    for index in 1...count {
      values["inputs.\(index).z"] = -2
      values["inputs.\(index).algorithm"] = Algorithm.headResponses
    }
    return try environment(Array(repeating: 1, count: count), values)
  }

  /// Returns the output for one audible source when the head turns on frame 1000.
  private func heard(_ index: Int, of count: Int) throws -> [[Float]] {
    let unit = try crowd(count)
    try unit.schedule([try unit.move("listener.yaw", to: 60, at: 1000)])
    var input = Array(repeating: Signal.silence(frames: 4800), count: count)
    input[index] = Signal.noise(frames: 4800, seed: 1, amplitude: 0.5)
    return try DirectHost(unit).run(busses: input.map { [$0] }, periods: .fixed(64))
  }

  @Test func theSeventeenthWaitsUntilTheOthersHaveTurned() throws {
    let (first, sixteenth, last) = (
      try heard(0, of: 17), try heard(15, of: 17), try heard(16, of: 17)
    )
    let alone = try heard(0, of: 16)
    for channel in 0..<2 {
      #expect(firstBitDifference(first[channel], sixteenth[channel]) == nil)
      // Turns take 480 frames and begin on multiples of that.
      let place = try #require(firstBitDifference(first[channel], last[channel]))
      #expect((1440..<1480).contains(place), "\(place)")
      // A fade later the last one has turned too; 600 frames empty its delays and responses.
      let end = 1920 + 480 + 600
      #expect(
        firstBitDifference(Array(first[channel][end...]), Array(last[channel][end...])) == nil)
      #expect(
        firstBitDifference(Array(last[channel][1920...2300]), Array(first[channel][1920...2300]))
          != nil)
      // If all sources can turn at once, they turn when the head does.
      let early = try #require(firstBitDifference(first[channel], alone[channel]))
      #expect((1000..<1040).contains(early), "\(early)")
      #expect(
        firstBitDifference(Array(first[channel][end...]), Array(alone[channel][end...])) == nil)
    }
  }

  @Test func turnsDoNotDependOnThePeriod() throws {
    func run(_ period: Int) throws -> [[Float]] {
      let unit = try crowd(18)
      try unit.schedule([
        try unit.move("listener.yaw", to: 60, at: 100),
        try unit.move("listener.yaw", to: -120, at: 1500, over: 1000),
        try unit.move("inputs.17.x", to: 3, at: 960), try unit.move("inputs.3.x", to: 3, at: 1441),
      ])
      // Some fall silent meanwhile.
      var input: [[Float]] = []
      for index in 0..<18 {
        let frames = index % 3 == 0 ? 1200 : 4000
        let sound = Signal.noise(frames: frames, seed: UInt64(index), amplitude: 0.1)
        input.append(sound + Signal.silence(frames: 4000 - frames))
      }
      return try DirectHost(unit).run(busses: input.map { [$0] }, periods: .fixed(period))
    }
    let expected = try run(64)
    for period in [16, 256, 1000] {
      let output = try run(period)
      for channel in 0..<2 {
        #expect(firstBitDifference(output[channel], expected[channel]) == nil, "\(period)")
      }
    }
  }

  /// None is skipped, however long all of them turn.
  @Test func allHaveTheirTurnWhileTheHeadTurns() throws {
    func run(_ index: Int, over frames: Int) throws -> [[Float]] {
      let unit = try crowd(40)
      try unit.schedule([try unit.move("listener.yaw", to: 170, at: 0, over: frames)])
      var input = Array(repeating: Signal.silence(frames: 4800), count: 40)
      input[index] = Signal.noise(frames: 4800, seed: 1, amplitude: 0.5)
      return try DirectHost(unit).run(busses: input.map { [$0] }, periods: .fixed(256))
    }
    // Along a slow turn the direction at 4320 to 4800 differs little from that 30 ms before.
    let (first, last) = (try run(0, over: 48_000), try run(39, over: 48_000))
    for channel in 0..<2 {
      var (difference, power) = (0.0, 0.0)
      for frame in 4000..<4800 {
        let (a, b) = (Double(first[channel][frame]), Double(last[channel][frame]))
        difference += (a - b) * (a - b)
        power += a * a
      }
      #expect(difference < power * 0.03, "\(10 * log10(difference / power)) dB")
    }
  }
}
