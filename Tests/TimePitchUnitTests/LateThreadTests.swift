// Blocks that are stretched too late.

import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@testable import TimePitchUnit

@Suite struct LateThreadTests {
  /// Returns a unit whose blocks are stretched when the test says so.
  private func unit() throws -> TimePitchUnit {
    try TimePitchUnit(TimePitchUnit.component.description, worksByItself: false)
  }

  @Test func lateBlocksAreSilentAndCountedAndTheRestIsInTime() throws {
    let noise = Signal.noise(frames: 60_000, seed: 1, amplitude: 0.5)
    let unit = try unit()
    var run = try TimeRun(unit, [noise])
    let latency = unit.latencyInFrames
    // No block collected in these frames is stretched.
    let pause = 20_480..<23_808
    try run.render(50_000) { frame in
      if !pause.contains(frame) { while unit.worker!.serve() {} }
    }
    let expected = Signal.silence(frames: latency) + noise[..<(50_000 - latency)]
    let room = 9 * 256
    let output = run.output[0]
    let silent = output.indices.filter { $0 >= latency && output[$0] == 0 && expected[$0] != 0 }
    let (first, last) = (silent[0], silent[silent.count - 1])
    #expect(first >= pause.lowerBound + room - 256 && last < pause.upperBound + 512)
    // Between fades of 128 frames.
    #expect((first - 127..<first).allSatisfy { abs(output[$0]) <= abs(expected[$0]) })
    #expect(abs(output[first - 2]) < 0.05 && abs(output[last + 2]) < 0.05)
    #expect(
      firstBitDifference(Array(output[..<(first - 128)]), Array(expected[..<(first - 128)])) == nil)
    #expect(
      firstBitDifference(Array(output[(last + 129)...]), Array(expected[(last + 129)...])) == nil)
    #expect(unit.missedFrames == 1280)
    #expect((1278...1282).contains(last - first + 1))
    #expect(unit.counts[0].number == unit.missedFrames)
  }

  @Test func inputForWhichThereIsNoRoomIsMissingAndNoMore() throws {
    let noise = Signal.noise(frames: 80_000, seed: 2, amplitude: 0.5)
    let unit = try unit()
    var run = try TimeRun(unit, [noise])
    let latency = unit.latencyInFrames
    try run.render(60_000) { frame in
      if !(16_384..<32_768).contains(frame) { while unit.worker!.serve() {} }
    }
    let expected = Signal.silence(frames: latency) + noise[..<(60_000 - latency)]
    #expect(unit.missedFrames >= 10_000)
    // The output returns with a fade, in the middle of the sound.
    let output = run.output[0]
    let last = try #require(output.lastIndex { $0 == 0 })
    #expect((last + 1..<last + 13).allSatisfy { abs(output[$0]) < 0.06 })
    #expect((last + 1..<last + 128).allSatisfy { abs(output[$0]) <= abs(expected[$0]) })
    // As soon as the missing input has passed.
    let tail = 32_768 + latency + 1024
    #expect(
      firstBitDifference(Array(run.output[0][tail...]), Array(expected[tail...])) == nil)
  }

  @Test func aThreadBringsItInRealTime() async throws {
    let noise = Signal.noise(frames: 200_000, seed: 3, amplitude: 0.5)
    let unit = try TimePitchUnit()
    var run = try TimeRun(unit, [noise])
    // A slow host: each block is stretched before it is due.
    var rounds = 0
    while run.output[0].count < 30_000 {
      try run.render(256)
      rounds += 1
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(run.output[0].contains { $0 != 0 })
  }
}
