// Scheduled sounds are played on their frames.

import Foundation
import MediaFiles
import Players
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct ScheduleTests {
  /// The refusal leaks no memory either, which AddressSanitizer checks.
  @Test(arguments: [0, -1, 1025])
  func aPlayerOfSoManyChannelsIsRefused(channels: Int) {
    #expect(throws: BusError.channelCountOutOfRange(channels)) {
      try ScheduledPlayerUnit(channels: channels)
    }
  }

  @Test(
    arguments: [0, 3, 512, 517, 1000, 1005, 20_000, 21_234, 37_590],
    [Periods.fixed(16), .fixed(1024), .random(upTo: 700, seed: 3)])
  func aSoundBeginsOnItsFrame(start: Int, periods: Periods) throws {
    let rig = try PlayerRig()
    let noise = try rig.schedule(3000, at: start)
    try rig.player.play(at: .frame(100))
    try rig.render(to: 42_000, periods: periods)
    let expected = silence(100 + start) + noise + silence(42_000 - 3100 - start)
    #expect(firstBitDifference(rig.output[0], expected) == nil)
  }

  @Test(arguments: Periods.all)
  func appendedClipsFollowWithoutAGap(periods: Periods) async throws {
    let rig = try PlayerRig()
    var expected: [Float] = []
    for (number, length) in [1, 30, 256, 257, 1, 1, 5000].enumerated() {
      expected += try rig.schedule(
        length, seed: UInt64(number), name: "\(number)", reporting: [.rendered])
    }
    try rig.player.play()
    try rig.render(to: 6000, periods: periods)
    #expect(
      firstBitDifference(rig.output[0], expected + silence(6000 - expected.count)) == nil)
    let reports = await rig.reports.wait(for: 7)
    #expect(reports.map(\.name) == (0..<7).map(String.init))
    #expect(reports.map(\.report.frame) == [1, 31, 287, 544, 545, 546, 5546])
    #expect(reports.allSatisfy { $0.report.isWhole && $0.report.passes == 1 })
  }

  @Test(arguments: Periods.all)
  func aLoopHasNoSeamAndDoesNotDrift(periods: Periods) async throws {
    let rig = try PlayerRig()
    let noise = try rig.schedule(30, [.loops], name: "loop", reporting: [.looped, .rendered])
    try rig.player.play(at: .frame(7))
    try rig.render(to: 30_007, periods: periods)
    try rig.player.stop()
    try rig.render(to: 30_500, periods: periods)
    let expected = silence(7) + (0..<1000).flatMap { _ in noise } + silence(493)
    #expect(firstBitDifference(rig.output[0], expected) == nil)
    let reports = await rig.reports.wait(for: 1001)
    #expect(reports.count == 1001)
    #expect(reports.dropLast().map(\.report.frame) == (1...1000).map { 7 + 30 * $0 })
    #expect(reports.dropLast().map(\.report.passes) == Array(1...1000))
    #expect(
      reports.last?.report
        == PlaybackReport(stage: .rendered, frame: 30_007, passes: 1000, isWhole: false))
  }

  /// The siren of the talk: an attack, a sustain that loops until it is released, and a release.
  @Test(arguments: Periods.all)
  func aSirenIsLetGoAtTheEndOfItsLoop(periods: Periods) async throws {
    let rig = try PlayerRig(fade: 5)
    let attack = try rig.schedule(1000, seed: 1, name: "attack", reporting: [.rendered])
    let sustain = try rig.schedule(
      300, seed: 2, [.loops], name: "sustain", reporting: [.rendered])
    try rig.player.play()
    try rig.render(to: 2000, periods: periods)
    let release = try rig.schedule(
      700, seed: 3, [.interruptsAtLoop], name: "release", reporting: [.rendered])
    try rig.render(to: 4000, periods: periods)
    let expected = attack + (0..<4).flatMap { _ in sustain } + release + silence(1100)
    #expect(firstBitDifference(rig.output[0], expected) == nil)
    let reports = await rig.reports.wait(for: 3)
    #expect(reports.map(\.name) == ["attack", "sustain", "release"])
    #expect(reports.map(\.report.frame) == [1000, 2200, 2900])
    #expect(reports.map(\.report.passes) == [1, 4, 1])
    #expect(reports.allSatisfy { $0.report.isWhole })
  }

  @Test func anInterruptionDropsWaitingClipsAndBeginsAtOnce() async throws {
    let rig = try PlayerRig()
    let first = try rig.schedule(5000, seed: 1, name: "first", reporting: [.rendered])
    try rig.schedule(5000, seed: 2, name: "waiting", reporting: [.rendered])
    try rig.player.play()
    try rig.render(to: 1024)
    let second = try rig.schedule(
      500, seed: 3, [.interrupts], name: "second", reporting: [.rendered])
    try rig.render(to: 2048)
    #expect(
      firstBitDifference(rig.output[0], first[..<1024] + second + silence(524)) == nil)
    let reports = await rig.reports.wait(for: 3)
    #expect(reports.map(\.name) == ["first", "waiting", "second"])
    #expect(reports.map(\.report.frame) == [1024, nil, 1524])
    #expect(reports.map(\.report.isWhole) == [false, false, true])
  }

  @Test(arguments: Periods.all)
  func anInterruptionAtATimeComesOnItsFrame(periods: Periods) throws {
    let rig = try PlayerRig()
    let loop = try rig.schedule(100, seed: 1, [.loops])
    try rig.schedule(100, seed: 2)
    let later = try rig.schedule(200, seed: 3, at: 1234, [.interrupts])
    try rig.player.play()
    try rig.render(to: 2000, periods: periods)
    let loops = (0..<13).flatMap { _ in loop }[..<1234]
    #expect(firstBitDifference(rig.output[0], loops + later + silence(566)) == nil)
  }

  @Test func lateClipsFollowAtOnce() throws {
    let rig = try PlayerRig()
    let first = try rig.schedule(600, seed: 1)
    let second = try rig.schedule(600, seed: 2, at: 300)
    try rig.player.play()
    try rig.render(to: 1200)
    #expect(firstBitDifference(rig.output[0], first + second) == nil)
  }

  @Test func anyNumberMayWait() async throws {
    let rig = try PlayerRig()
    var expected: [Float] = []
    for number in 0..<5000 {
      expected += try rig.schedule(
        1 + number % 3, seed: UInt64(number), name: "\(number)", reporting: [.rendered, .heard])
    }
    try rig.player.play()
    try rig.render(to: 10_240)
    #expect(
      firstBitDifference(rig.output[0], expected + silence(10_240 - expected.count)) == nil)
    let reports = await rig.reports.wait(for: 10_000)
    #expect(reports.count == 10_000)
    let heard = reports.filter { $0.report.stage == .heard }
    #expect(heard.map(\.name) == (0..<5000).map(String.init))
  }

  @Test func oneChannelIsHeardOnAllAndOthersHaveToFit() throws {
    let rig = try PlayerRig(channels: 2)
    let noise = try rig.schedule(256)
    let stereo = [Signal.noise(frames: 256, seed: 8), Signal.noise(frames: 256, seed: 9)]
    try rig.player.schedule(AudioClip(stereo, sampleRate: 48_000))
    try rig.player.play()
    try rig.render(to: 512)
    #expect(rig.output == [noise + stereo[0], noise + stereo[1]])
    let three = try AudioClip(stereo + [stereo[0]], sampleRate: 48_000)
    #expect(throws: PlaybackError.channels(name: "the clip", 3, player: 2)) {
      try rig.player.schedule(three)
    }
  }

  @Test func nonFiniteSamplesAreSilence() throws {
    let rig = try PlayerRig()
    try rig.player.schedule(AudioClip([[0.5, .nan, -0.25, .infinity]], sampleRate: 48_000))
    try rig.player.play()
    try rig.render(to: 16)
    #expect(rig.output[0] == [0.5, 0, -0.25, 0] + silence(12))
  }

  @Test func partsOfFilesArePlayed() throws {
    let folder = try TemporaryDirectory()
    let noise = Signal.noise(frames: 10_000, seed: 4)
    let url = folder.file("take.wav")
    let writer = try AudioFileWriter(url: url, sampleRate: 48_000, channelCount: 1)
    try writer.write([noise])
    try writer.finish()
    let rig = try PlayerRig()
    try rig.player.schedule(contentsOf: url, from: 2345, frames: 1000)
    try rig.player.schedule(contentsOf: url, from: 9990)
    try rig.player.play()
    try rig.render(to: 1024)
    let expected = noise[2345..<3345] + noise[9990...] + silence(14)
    #expect(firstBitDifference(rig.output[0], Array(expected)) == nil)
    #expect(throws: PlaybackError.segment(name: url.relativePath, startingFrame: 10_000)) {
      try rig.player.schedule(contentsOf: url, from: 10_000)
    }
    #expect(throws: PlaybackError.self) {
      try rig.player.schedule(contentsOf: folder.file("none.wav"))
    }
  }
}
