// The cue: where the content begins, and where it goes on.

import MediaFiles
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@testable import Players

@Suite struct PlayerCueTests {
  private static let noise = Signal.noise(frames: 5000, seed: 1)

  /// Makes a player of `content` with values of its parameters.
  private func player(
    _ values: [String: Float] = [:], of content: [Float] = noise, sampleRate: Double = 48_000
  ) throws -> ScheduledPlayerUnit {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.setContent(AudioClip([content], sampleRate: sampleRate))
    for (key, value) in ["fade": 0].merging(values, uniquingKeysWith: { $1 }) {
      try player.parameterTree.parameter(keyPath: key)!.setValue(value)
    }
    try player.allocate(channels: 1, sampleRate: 48_000)
    return player
  }

  private func seconds(_ frames: Int) -> Float { Float(Double(frames) / 48_000) }

  @Test(arguments: Periods.all)
  func startsAndJumpsAreExact(periods: Periods) throws {
    let player = try player(["cue": seconds(3001)])
    let host = try DirectHost(player)
    func cue(_ frames: Int, at frame: Int64) throws {
      try player.scheduleParameter(
        ScheduledPlayerUnit.cueAddress, value: seconds(frames), at: .frame(frame))
    }
    try player.play(at: .frame(10))
    try cue(1000, at: 510)
    try player.pause(at: .frame(700))
    // In a pause it moves without a sound, in a stop it is only noted.
    try cue(4000, at: 720)
    try player.play(at: .frame(800))
    try player.stop(at: .frame(900))
    try cue(100, at: 950)
    try player.play(at: .frame(1000))
    var output: [Float] = []
    for length in periods.lengths(frames: 1200) { output += try host.render(length)[0][0] }
    let noise = Self.noise
    let expected =
      [
        silence(10)[...], noise[3001..<3501], noise[1000..<1190], silence(100)[...],
        noise[4000..<4100],
        silence(100)[...], noise[100..<300],
      ] as [ArraySlice<Float>]
    #expect(firstBitDifference(output, expected.flatMap(\.self)) == nil)
  }

  /// Values that are none, or beyond the sound, are its beginning; a loop begins its next pass
  /// there, too.
  @Test func theFirstPassAloneBeginsThere() throws {
    let noise = Array(Self.noise[..<300])
    let player = try player(["cue": seconds(200), "loop": 1], of: noise)
    let host = try DirectHost(player)
    let state = try #require(player.parameterTree.parameter(keyPath: "state"))
    let cue = try #require(player.parameterTree.parameter(keyPath: "cue"))
    try state.setValue(1)
    #expect(try host.render(500)[0][0] == Array(noise[200...] + noise + noise[..<100]))
    for value in [seconds(300), 1_000_000] {
      try cue.setValue(value)
      #expect(try host.render(50)[0][0] == Array(noise[..<50]))
      try state.setValue(0)
      _ = try host.render(16)
      try state.setValue(1)
      #expect(try host.render(50)[0][0] == Array(noise[..<50]))
    }
    for value: Float in [-1, 2_000_000, -1e30, 1e30] {
      try player.scheduleParameter(ScheduledPlayerUnit.cueAddress, value: value, at: .immediate)
      #expect(try host.render(50)[0][0] == Array(noise[..<50]))
    }
  }

  @Test func jumpsDoNotClick() throws {
    let player = try player(["fade": 10], of: Signal.constant(0.5, frames: 40_000))
    let host = try DirectHost(player)
    try player.play(at: .immediate)
    var output: [Float] = []
    for number in 0..<40 {
      try player.scheduleParameter(
        ScheduledPlayerUnit.cueAddress, value: seconds(1 + number * 613 % 30_000),
        at: .frame(Int64(output.count + 100)))
      output += try host.render(700)[0][0]
    }
    #expect(largestStep(Array(output.dropFirst())) <= 2 * 0.5 / 480 + 1e-6)
    #expect(output.allSatisfy { $0 <= 0.5 + 1e-6 })
  }

  @Test func aPlayerThatFollowsTheTransportDoesNotJump() throws {
    let player = try player(["transport": 1])
    let host = try DirectHost(player)
    host.musicalContext.valid = UInt32(kTransportPosition)
    host.musicalContext.transportFlags = UInt32(kTransportMoving)
    host.musicalContext.samplePosition = 0
    #expect(try host.render(100)[0][0] == Array(Self.noise[..<100]))
    try player.parameterTree.parameter(keyPath: "cue")!.setValue(seconds(2000))
    host.musicalContext.samplePosition = 100
    #expect(try host.render(100)[0][0] == Array(Self.noise[100..<200]))
  }

  @Test func whatIsScheduledIsNotLeft() throws {
    let player = try player()
    let host = try DirectHost(player)
    let other = Signal.noise(frames: 400, seed: 2)
    try player.schedule(AudioClip([other], sampleRate: 48_000))
    try player.play()
    #expect(try host.render(100)[0][0] == Array(other[..<100]))
    try player.parameterTree.parameter(keyPath: "cue")!.setValue(seconds(2000))
    #expect(try host.render(300)[0][0] == Array(other[100...]))
  }

  /// The cue is a time: at another sample rate it is another frame.
  @Test func aCueIsATime() throws {
    let ramp = (0..<44_100).map { Float($0) / 44_100 }
    let player = try player(["cue": 0.5], of: ramp, sampleRate: 44_100)
    try player.play()
    let output = try DirectHost(player).render(512)[0][0]
    for (frame, sample) in output.enumerated() {
      #expect(abs(Double(sample) - 0.5 - Double(frame) / 48_000) < 1e-3)
    }
  }
}
