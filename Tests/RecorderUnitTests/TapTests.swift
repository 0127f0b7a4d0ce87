// Buffers that taps hand over.

import RecorderUnit
import Synchronization
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct TapTests {
  private final class Received: Sendable {
    private let list = Mutex<[TapBuffer]>([])
    var all: [TapBuffer] { list.withLock { $0 } }
    func take(_ buffer: TapBuffer) { list.withLock { $0.append(buffer) } }
  }

  private func render(
    _ unit: TapUnit, _ input: [[Float]], periods: Periods, from frame: Int64 = 0
  ) throws {
    let host = try DirectHost(unit, frame: frame)
    var start = 0
    for length in periods.lengths(frames: input[0].count) {
      _ = try host.render(
        length, inputs: [input.map { Array($0[start..<start + length]) }])
      start += length
    }
  }

  @Test(arguments: [1, 64, 1000, 4096], Periods.all)
  func buffersAreExactlyOfTheirSizeAndKnowTheirFrames(size: Int, periods: Periods) throws {
    let received = Received()
    let unit = try TapUnit(bufferFrames: size, received.take)
    try unit.allocate(channels: 2, sampleRate: 48_000)
    let input = (1...2).map { Signal.noise(frames: 10_000, seed: $0) }
    try render(unit, input, periods: periods, from: 777)
    unit.handOver()
    let buffers = received.all
    #expect(buffers.count == 10_000 / size)
    #expect(buffers.map(\.frame) == (0..<buffers.count).map { Int64(777 + $0 * size) })
    #expect(
      buffers.allSatisfy { $0.lostFrames == 0 && $0.channels.allSatisfy { $0.count == size } })
    for channel in 0..<2 {
      let samples = buffers.flatMap { $0.channels[channel] }
      #expect(firstBitDifference(samples, Array(input[channel][..<samples.count])) == nil)
    }
    // At its end the tap hands over the remaining frames.
    unit.finish()
    #expect(received.all.flatMap { $0.channels[1] } == input[1])
    #expect(
      received.all.dropFirst(buffers.count).map(\.frame)
        == (10_000 % size == 0 ? [] : [Int64(777 + 10_000 / size * size)]))
  }

  @Test func aHandlerMayAskItsTapForMore() throws {
    let tap = Mutex<TapUnit?>(nil)
    let received = Received()
    let unit = try TapUnit(bufferFrames: 64) { buffer in
      let unit = tap.withLock { $0 }
      unit?.handOver()
      unit?.finish()
      received.take(buffer)
    }
    tap.withLock { $0 = unit }
    defer { tap.withLock { $0 = nil } }
    try unit.allocate(channels: 1, sampleRate: 48_000)
    let input = Signal.noise(frames: 640, seed: 1)
    try render(unit, [input], periods: .fixed(64))
    unit.finish()
    #expect(received.all.flatMap { $0.channels[0] } == input)
  }

  @Test func framesThatTheServerSkippedAreSilence() throws {
    let received = Received()
    let unit = try TapUnit(bufferFrames: 100, received.take)
    try unit.allocate(channels: 1, sampleRate: 1000)
    let host = try DirectHost(unit)
    for frame: Int64 in [0, 150, 1_000_000] {
      host.frame = frame
      _ = try host.render(50, inputs: [[Signal.noise(frames: 50, seed: 1)]])
    }
    unit.finish()
    // Of a long gap, only the frames that complete a buffer are handed over.
    #expect(received.all.map(\.frame) == [0, 100, 1_000_000])
    #expect(received.all.map(\.lostFrames) == [50, 50, 0])
    #expect(received.all.map { $0.channels[0].count } == [100, 100, 50])
  }

  @Test func itHandsOverByItself() async throws {
    let received = Received()
    let unit = try TapUnit(bufferFrames: 256, received.take)
    try unit.allocate(channels: 1, sampleRate: 48_000)
    try render(unit, [Signal.noise(frames: 1024, seed: 1)], periods: .fixed(64))
    #expect(await eventually { received.all.count == 4 })
  }

  @Test func aSlowHandlerLosesFramesThatAreReported() async throws {
    let received = Received()
    let mayGoOn = Flag()
    let unit = try TapUnit(bufferFrames: 4096) { buffer in
      while !mayGoOn.isSet {}
      received.take(buffer)
    }
    try unit.allocate(channels: 1, sampleRate: 1000)
    // The tap's queue has 16,384 frames.
    let input = Signal.noise(frames: 40_960, seed: 1)
    let host = try DirectHost(unit)
    for start in stride(from: 0, to: 32_768, by: 512) {
      _ = try host.render(512, inputs: [[Array(input[start..<start + 512])]])
    }
    mayGoOn.set()
    unit.handOver()
    for start in stride(from: 32_768, to: 40_960, by: 512) {
      _ = try host.render(512, inputs: [[Array(input[start..<start + 512])]])
    }
    unit.handOver()
    let buffers = received.all
    #expect(buffers.map(\.frame) == (0..<10).map { 4096 * $0 })
    let lost = buffers.reduce(0) { $0 + $1.lostFrames }
    #expect(lost > 0 && lost <= 32_768 - 16_384)
    let samples = buffers.flatMap { $0.channels[0] }
    let silent = zip(samples, input).filter { $0 != $1 }
    #expect(silent.count == lost && silent.allSatisfy { $0.0 == 0 })
  }

  @Test(arguments: [0, -1, 1_048_577, .max, .min] as [Int])
  func buffersOfOtherSizesAreRefused(_ frames: Int) throws {
    let error = try #require(throws: AudioUnitError.self) {
      try TapUnit(bufferFrames: frames) { _ in }
    }
    #expect(error.description.contains("1 to 1048576 frames, not of \(frames)"))
  }
}
