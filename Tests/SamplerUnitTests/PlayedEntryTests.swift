// Live set entries selected by program changes, and the frames of their takeovers.

import Foundation
import Realtime
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite(.serialized) struct PlayedEntryTests {
  private static func select(_ number: UInt8, at frame: Int) -> (Int, [UInt8]) {
    (frame, [0xC0, number])
  }

  @Test(arguments: [1, 64, 100, 4096])
  func eachProgramChangeIsTakenOnceWithItsFrame(period: Int) async throws {
    let live = try await LiveRig()
    #expect(live.unit.takePlayedEntries() == [])
    // No entry has the number 7; entry 1 is selected twice.
    let numbers: [(UInt8, Int)] = [(1, 77), (7, 300), (100, 640), (101, 1_001), (1, 1_900)]
    _ = try live.render(2_500, (numbers + [(1, 2_222)]).map(Self.select), period: period)
    #expect(
      live.unit.takePlayedEntries() == [
        PlayedEntry(number: 1, frame: 77), PlayedEntry(number: 100, frame: 640),
        PlayedEntry(number: 101, frame: 1_001), PlayedEntry(number: 1, frame: 1_900),
        PlayedEntry(number: 1, frame: 2_222),
      ])
    #expect(live.unit.takePlayedEntries() == [])
    _ = try live.render(100, [Self.select(0, at: 3)], period: period)
    #expect(live.unit.takePlayedEntries() == [PlayedEntry(number: 0, frame: 2_503)])
  }

  @Test func selectionsThatAreNotPlayedAreNotReported() async throws {
    let live = try await LiveRig()
    try live.unit.select(entry: 1)
    _ = try live.render(64)
    try live.unit.setCurrentPreset(Preset(number: 100, name: "Constant 100"))
    _ = try live.render(64)
    let state = live.unit.fullState
    try live.unit.select(entry: 0, at: .frame(150))
    _ = try live.render(64)
    try live.unit.setFullState(state)
    _ = try live.render(64)
    #expect(live.unit.currentEntry?.number == 100)
    #expect(live.unit.takePlayedEntries() == [])
  }

  /// One pool restarts every 64 frames; the other takeovers wait for it.
  @Test(arguments: [1, 64, 100, 4096])
  func oneThatHasToWaitIsTakenWithTheFrameOnWhichItTakesOver(period: Int) async throws {
    let live = try await LiveRig(periods: [100, 200, 150])
    let numbers: [UInt8] = [1, 2, 100]
    _ = try live.render(400, numbers.map { Self.select($0, at: 70) }, period: period)
    #expect(
      live.unit.takePlayedEntries() == [
        PlayedEntry(number: 1, frame: 70), PlayedEntry(number: 2, frame: 128),
        PlayedEntry(number: 100, frame: 192),
      ])
  }

  @Test func oneThatIsLoadedFirstIsTakenWithTheFrameOnWhichItTakesOver() async throws {
    let live = try await LiveRig(preloads: false)
    _ = try live.render(64, [Self.select(1, at: 10)])
    #expect(live.unit.takePlayedEntries() == [])
    let frames = try live.renderUntil(entry: 1).count
    // It began with the last call, in which it was seen.
    #expect(live.unit.takePlayedEntries() == [PlayedEntry(number: 1, frame: FrameTime(frames))])
    // An entry selected by hand is not a played one.
    try live.unit.select(entry: 0)
    _ = try live.renderUntil(entry: 0)
    #expect(live.unit.takePlayedEntries() == [])
  }

  /// Notes held on four other sounds leave no slot, until the oldest has faded.
  @Test func oneThatWaitsForAnotherSoundToEndIsTaken() async throws {
    let live = try await LiveRig(periods: [100, 200, 150, 120, 80, 60])
    for number in 0..<5 as Range<UInt8> {
      _ = try live.render(
        128, [Self.select(number, at: 0), (1, [0x90, 40 + number, 100])], period: 64)
    }
    _ = live.unit.takePlayedEntries()
    let start = 5 * 128
    _ = try live.render(64, [Self.select(5, at: 7)])
    #expect(live.unit.currentEntry?.number == 4 && live.unit.takePlayedEntries() == [])
    let frames = try live.renderUntil(entry: 5).count
    #expect(frames > 900)
    #expect(
      live.unit.takePlayedEntries() == [PlayedEntry(number: 5, frame: FrameTime(start + frames))])
    // The same without a program change.
    _ = try live.render(64, [(0, [0x90, 60, 100])])
    try live.unit.select(entry: 100)
    _ = try live.renderUntil(entry: 100)
    #expect(live.unit.takePlayedEntries() == [])
  }

  @Test func theLastSelectionDecidesWhetherAnEntryWasPlayed() async throws {
    let live = try await LiveRig(periods: [100, 200, 150], preloads: false)
    var frame: FrameTime = 0
    func renderUntil(_ number: Int) throws {
      frame += FrameTime(try live.renderUntil(entry: number).count)
      // Gives superseded loads time to finish.
      for _ in 0..<30 {
        frame += FrameTime(try live.render(64).left.count)
        usleep(2_000)
      }
      #expect(live.unit.currentEntry?.number == number)
    }
    // Selected by hand in the call of a program change, on a frame after it: the current entry,
    // another one, and the one of the program change.
    for number in [0, 2, 1] {
      try live.unit.select(entry: number, at: .frame(frame + 20))
      frame += FrameTime(try live.render(64, [Self.select(1, at: 3)]).left.count)
      try renderUntil(number)
      #expect(live.unit.takePlayedEntries() == [], "\(number)")
      try live.unit.select(entry: 0)
      try renderUntil(0)
    }
    // The opposite order.
    for number in [2, 1] {
      try live.unit.select(entry: 1, at: .frame(frame))
      frame += FrameTime(
        try live.render(64, [Self.select(UInt8(number), at: 3)]).left.count)
      try renderUntil(number)
      #expect(live.unit.takePlayedEntries().map(\.number) == [number])
      try live.unit.select(entry: 0)
      try renderUntil(0)
    }
  }

  @Test func ofAFloodTheLastOnesAreTaken() async throws {
    let live = try await LiveRig()
    let count = 1_000
    let flood = (0..<count).map { Self.select(UInt8(100 + $0 % 2), at: $0 * 64) }
    _ = try live.render(count * 64, flood, period: 512)
    #expect(
      live.unit.takePlayedEntries()
        == (count - 256..<count).map {
          PlayedEntry(number: 100 + $0 % 2, frame: FrameTime($0 * 64))
        })
  }

  /// None is lost, and each has the frame of its takeover.
  @Test func manyOnOneFrameAreTakenInTheirOrder() async throws {
    var frames: [[FrameTime]] = []
    let count = 200
    for period in [16, 512, 4096] {
      let live = try await LiveRig()
      let flood = (0..<count).map { Self.select(UInt8(100 + $0 % 2), at: 100) }
      _ = try live.render(count * 64, flood, period: period)
      let taken = live.unit.takePlayedEntries()
      #expect(taken.map(\.number) == (0..<count).map { 100 + $0 % 2 }, "period \(period)")
      frames.append(taken.map(\.frame))
    }
    #expect(frames[1] == frames[0] && frames[2] == frames[0])
    #expect(frames[0].first == 100 && frames[0] == frames[0].sorted())
    #expect(frames[0].dropFirst().allSatisfy { $0 > 100 && $0 % 64 == 0 })
  }

  /// One thread notes entries while another takes them: none is taken twice, none is invented.
  @Test func noneIsMadeUpWhileOthersComeIn() async throws {
    let log = PlayedEntryLog()
    defer { log.deallocate() }
    let count = 200_000
    let hasEnded = Flag()
    Thread.detachNewThread {
      for number in 0..<count { log.note(number & 0x7F, at: FrameTime(number)) }
      hasEnded.set()
    }
    var last: FrameTime = -1
    while true {
      let isLast = hasEnded.isSet
      for entry in log.take() {
        #expect(entry.frame > last && entry.number == Int(entry.frame) & 0x7F)
        last = entry.frame
      }
      if isLast { break }
    }
    #expect(last == FrameTime(count - 1))
  }
}
