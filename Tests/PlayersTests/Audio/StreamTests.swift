// Files that are read while they are played.

import Foundation
import MediaFiles
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@testable import Players

@Suite struct StreamTests {
  /// 21.4 blocks, more than the 18 in memory, so that slots are reused.
  private static let frames = 350_000
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file(
    _ name: String = "long.wav", channels: Int = 2, rate: Double = 48_000,
    frames: Int = StreamTests.frames
  ) throws -> (url: URL, clip: AudioClip) {
    let url = folder.url.appendingPathComponent(name)
    let samples = (0..<channels).map { Signal.noise(frames: frames, seed: UInt64($0) + 7) }
    let writer = try AudioFileWriter(url: url, sampleRate: rate, channelCount: channels)
    try writer.write(samples)
    try writer.finish()
    return (url, try AudioClip(samples, sampleRate: rate))
  }

  /// Renders without waiting, with the blocks that the disk thread would have read by then.
  private func render(_ rig: PlayerRig, to frames: Int, _ periods: Periods = .fixed(1024)) throws {
    for length in periods.lengths(frames: frames - rig.output[0].count) {
      rig.player.serveOffline()
      try rig.render(to: rig.output[0].count + length, periods: .fixed(length))
    }
  }

  @Test(arguments: [Periods.fixed(64), .fixed(1000), .random(upTo: 1024, seed: 3)])
  func aStreamIsTheSameAsTheFileInMemory(periods: Periods) throws {
    let (url, clip) = try file()
    let rig = try PlayerRig(channels: 2)
    try rig.player.schedule(contentsOf: url, streams: true)
    try rig.player.play()
    try render(rig, to: Self.frames + 100, periods)
    for channel in 0..<2 {
      #expect(firstBitDifference(rig.output[channel], clip.channels[channel] + silence(100)) == nil)
    }
    #expect(rig.player.missedFrames == 0)
  }

  /// A short file of a low rate is long at the session's rate.
  @Test func filesThatAreLargeAtTheSessionsRateAreStreamed() throws {
    let (url, clip) = try file(channels: 1, rate: 1000, frames: 90_000)
    let source = try SoundFile(url).source(streams: nil)
    #expect(try source.sound(atRate: 44_100, for: .either).streams.isEmpty)
    #expect(try source.sound(atRate: 48_000, for: .either).streams.count == 2)
    #expect(
      try SoundFile(url).source(streams: false).sound(atRate: 48_000, for: .once).streams.isEmpty)
    let rig = try PlayerRig()
    try rig.player.schedule(contentsOf: url)
    try rig.player.play()
    try render(rig, to: 100_000)
    let expected = Array(try clip.converted(to: 48_000).channels[0][..<100_000])
    #expect(firstBitDifference(rig.output[0], expected) == nil)
    #expect(!rig.player.takeNews().contains { $0.kind == .failed })
  }

  @Test func ratesThatNobodyMeansAreRefused() throws {
    let rig = try PlayerRig()
    for rate in [1.0, 1_000_000_000] {
      let (url, _) = try file(channels: 1, rate: rate, frames: 10_000)
      for streams in [nil, false, true] {
        let error = try #require(throws: PlaybackError.self) {
          try rig.player.schedule(contentsOf: url, streams: streams)
        }
        #expect(error.description.contains("accepted: 1000 to 768000 Hz"))
      }
    }
  }

  @Test func aSegmentBeginsAndEndsOnItsFrames() throws {
    let (url, clip) = try file(channels: 1)
    let rig = try PlayerRig()
    try rig.player.schedule(contentsOf: url, from: 50_001, frames: 200_003, streams: true)
    try rig.player.schedule(contentsOf: url, from: 349_990, streams: true)
    try rig.player.play()
    try render(rig, to: 200_100)
    let expected = clip.channels[0][50_001..<250_004] + clip.channels[0][349_990...]
    #expect(
      firstBitDifference(rig.output[0], expected + silence(200_100 - expected.count)) == nil)
  }

  /// A loop longer than the blocks read ahead, and one that fits into them.
  @Test(arguments: [StreamTests.frames, 40_000])
  func aLoopIsSeamless(frames: Int) throws {
    let (url, clip) = try file(channels: 1, frames: frames)
    let rig = try PlayerRig(fade: 5)
    try rig.player.schedule(contentsOf: url, streams: true, options: .loops)
    try rig.player.play()
    try render(rig, to: 3 * frames)
    let sound = clip.channels[0]
    #expect(firstBitDifference(rig.output[0], sound + sound + sound) == nil)
    #expect(rig.player.missedFrames == 0)
  }

  @Test(arguments: [(44_100.0, 48_000.0), (96_000, 44_100), (47_999, 48_000)])
  func anotherRateIsConverted(from: Double, to: Double) throws {
    let (url, clip) = try file(channels: 2, rate: from)
    let rig = try PlayerRig(channels: 2, sampleRate: to)
    try rig.player.schedule(contentsOf: url, streams: true)
    try rig.player.play()
    let whole = try clip.converted(to: to)
    try render(rig, to: whole.frameCount)
    for channel in 0..<2 {
      #expect(peakDecibels(difference: rig.output[channel], whole.channels[channel]) < -110)
    }
  }

  /// Frames at any position read as if all frames before had been read.
  @Test(arguments: [(44_100.0, 48_000.0), (96_000, 44_100), (47_999, 48_000), (48_000, 48_000)])
  func readingFromAnywhereGivesTheSame(from: Double, to: Double) throws {
    let (url, clip) = try file(channels: 1, rate: from)
    let whole = try clip.converted(to: to).channels[0]
    let reader = try ConvertedReader(
      AudioFileReader(contentsOf: url), name: "long.wav", sampleRate: to)
    #expect(reader.frameCount == whole.count)
    let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 5000)
    defer { buffer.deallocate() }
    for frame in [100_000, 3, 150_001, 149_000, 154_000, whole.count - 5000] {
      #expect(try reader.read(from: frame, into: [buffer], count: 5000) >= 4990)
      let read = Array(UnsafeBufferPointer(start: buffer, count: 5000))
      let expected = Array(whole[frame..<frame + 5000])
      #expect(peakDecibels(difference: read, expected) < -105, "\(frame)")
    }
  }

  @Test func aTransportIsFollowedToAnywhere() throws {
    let (url, clip) = try file(channels: 1)
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.setContent(contentsOf: url, streams: true)
    try player.parameterTree.parameter(keyPath: "transport")!.setValue(1)
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try player.allocate(channels: 1, sampleRate: 48_000)
    let host = try DirectHost(player)
    host.musicalContext.valid = UInt32(kTransportPosition)
    host.musicalContext.transportFlags = UInt32(kTransportMoving)
    for start in [0, 250_000, 100_000, 40_000] {
      // The first frames after a jump are silent until the disk thread has read the next ones.
      host.musicalContext.samplePosition = Double(start)
      _ = try host.render(256)
      player.serveOffline()
      var played: [Float] = []
      for cycle in 1...150 {
        host.musicalContext.samplePosition = Double(start + cycle * 256)
        played += try host.render(256)[0][0]
        player.serveOffline()
      }
      let expected = Array(clip.channels[0][(start + 256)...].prefix(played.count))
      #expect(firstBitDifference(played, expected) == nil, "\(start)")
    }
    #expect(player.missedFrames == 0)
  }

  /// Without a reader everything after the beginning is missing.
  @Test func lateFramesAreSilentBetweenFadesAndCounted() throws {
    let url = folder.url.appendingPathComponent("steady.wav")
    let writer = try AudioFileWriter(url: url, sampleRate: 48_000, channelCount: 1)
    try writer.write([[Float](repeating: 1, count: Self.frames)])
    try writer.finish()
    let rig = try PlayerRig(fade: 5)
    try rig.player.schedule(contentsOf: url, streams: true)
    try rig.player.play()
    let stream = try #require(rig.player.streams.first)
    // No block arrives while the test holds the reader's lock; a few may have arrived already.
    let gap = try stream.reading.withLock { _ in
      let first = (StreamQueue.headBlocks + stream.line.answers.count) * StreamQueue.blockFrames
      try rig.render(to: first + 40_000)
      return first..<first + 40_000
    }
    rig.player.serveOffline()
    try rig.render(to: gap.upperBound + 2000)
    let output = rig.output[0]
    #expect(output[..<(gap.lowerBound - 240)].allSatisfy { $0 == 1 })
    #expect(output[gap].allSatisfy { $0 == 0 })
    #expect(output.last == 1)
    // Fades of 240 frames.
    #expect(largestStep(output) < 1 / 239)
    #expect(rig.player.missedFrames == 40_000)
    #expect(rig.player.counts.first?.number == 40_000)
  }

  @Test func aFileThatEndsEarlyIsReportedOnce() throws {
    let (url, clip) = try file(channels: 1)
    let rig = try PlayerRig()
    try rig.player.schedule(contentsOf: url, streams: true)
    // The header has 44 bytes or a few more: more than the last quarter of the audio is cut off.
    try FileHandle(forWritingTo: url).truncate(atOffset: 1_000_000)
    try rig.player.play()
    try render(rig, to: Self.frames + 100)
    let good = 245_000
    #expect(Array(rig.output[0][..<good]) == Array(clip.channels[0][..<good]))
    #expect(rig.output[0][251_000...].allSatisfy { $0 == 0 })
    let news = rig.player.takeNews()
    #expect(news.count == 1)
    #expect(news.first?.kind == .failed)
    #expect(news.first?.text.contains("long.wav ends after 5.2") == true, "\(news)")
    #expect(rig.player.takeNews().isEmpty)
  }

  @Test func shortFilesAreKeptInMemory() throws {
    for (frames, isStreamed) in [(250_000, false), (300_000, true)] {
      let (url, _) = try file("\(frames).wav", channels: 16, frames: frames)
      let rig = try PlayerRig(channels: 16)
      try rig.player.schedule(contentsOf: url)
      #expect(rig.player.streams.count == (isStreamed ? 1 : 0))
      try rig.player.schedule(contentsOf: url, streams: !isStreamed)
      #expect(rig.player.streams.count == 1)
    }
  }

  /// Many players at once, all served by one thread, in the time of a session.
  @Test func theThreadServesManyPlayers() async throws {
    let (url, clip) = try file(channels: 2)
    let rigs = try (0..<16).map { _ in try PlayerRig(channels: 2) }
    for rig in rigs {
      try rig.player.schedule(contentsOf: url, streams: true)
      try rig.player.play()
    }
    while rigs[0].output[0].count < Self.frames {
      for rig in rigs {
        let stream = rig.player.streams[0]
        #expect(
          await eventually { stream.reading.withLock { _ in stream.line.requests.count == 0 } })
        try rig.render(to: min(rig.output[0].count + 8192, Self.frames))
      }
    }
    for rig in rigs {
      for channel in 0..<2 {
        #expect(firstBitDifference(rig.output[channel], clip.channels[channel]) == nil)
      }
      #expect(rig.player.missedFrames == 0)
    }
  }
}
