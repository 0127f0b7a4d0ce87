// Sample rates in headers: read, converted, or refused with the reason.

import Foundation
import TestSupport
import Testing

@testable import MediaFiles

struct SampleRateTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file(_ rate: Double, frames: Int = 1000) throws -> URL {
    let url = folder.file("r.wav")
    let writer = try AudioFileWriter(url: url, sampleRate: rate, channelCount: 1)
    try writer.write([Signal.noise(frames: frames, seed: 1, amplitude: 0.5)])
    try writer.finish()
    return url
  }

  @Test(arguments: [1, 999, 768_001, 1_000_000_000, 2_147_483_647])
  func ratesThatNobodyMeansAreRefused(_ rate: Double) throws {
    let url = try file(rate)
    let error = AudioFileError.sampleRate(file: url.relativePath, hertz: rate)
    #expect(throws: error) { try AudioFileReader(contentsOf: url) }
    #expect(throws: AudioClipError.audio(error)) { try AudioClip(contentsOf: url) }
    #expect(
      error.description
        == "\(url.relativePath) has a sample rate of \(Int(rate)) Hz; accepted: 1000 to 768000 Hz")
  }

  @Test(arguments: [1000, 768_000.0]) func theFirstAndTheLastRateAreRead(_ rate: Double) throws {
    #expect(try AudioFileReader(contentsOf: file(rate)).sampleRate == rate)
  }

  @Test func everyRateThatIsReadIsConvertedToEveryOther() throws {
    var random = SeededRandom(seed: 11)
    var pairs = [(1000.0, 768_000.0), (768_000, 1000), (1001, 767_999), (767_999, 1001)]
    for _ in 0..<12 {
      let logarithms = (0..<2).map { _ in Double.random(in: 3...5.885, using: &random) }
      pairs.append((pow(10, logarithms[0]).rounded(), pow(10, logarithms[1]).rounded()))
    }
    for (from, to) in pairs {
      let clip = try AudioClip([Signal.noise(frames: 300, seed: 2)], sampleRate: from)
      let converted = try clip.converted(to: to)
      #expect(converted.frameCount == max(1, Int((300 * to / from).rounded())), "\(from) \(to)")
      #expect(converted.channels[0].allSatisfy { abs($0) < 4 })
      let reader = try ConvertedReader(clip, name: "clip", sampleRate: to, loops: false)
      var samples = [Float](repeating: 0, count: converted.frameCount)
      _ = try samples.withUnsafeMutableBufferPointer {
        try reader.read(from: 0, into: [$0.baseAddress!], count: converted.frameCount)
      }
      #expect(samples == converted.channels[0], "\(from) \(to)")
      _ = try LoopedClip(clip, at: to, name: "clip", maximumBytes: 1 << 24)
    }
  }

  /// A program's own clips may have any rate.
  @Test func ratesThatSoxrDoesNotBearAreRefused() throws {
    let clip = try AudioClip([Signal.noise(frames: 300, seed: 2)], sampleRate: 1)
    for rate in [384_000, 769, 0, -1, .nan, .infinity, 1e300] {
      #expect(throws: AudioClipError.self, "\(rate)") { try clip.converted(to: rate) }
      #expect(throws: AudioClipError.self, "\(rate)") {
        try ConvertedReader(clip, name: "clip", sampleRate: rate, loops: true)
      }
    }
    #expect(try clip.converted(to: 768).frameCount == 300 * 768)
  }

  @Test func limitsOfMemoryHoldAtTheNewRate() throws {
    let clip = try AudioClip([Signal.noise(frames: 1000, seed: 2)], sampleRate: 1000)
    #expect(try clip.converted(to: 2000, maximumBytes: 8000).frameCount == 2000)
    #expect(throws: AudioClipError.tooLarge(name: "the clip", maximumBytes: 8000)) {
      try clip.converted(to: 2001, maximumBytes: 8000)
    }
    #expect(try LoopedClip(clip, at: 2000, name: "clip", maximumBytes: 8000) != nil)
    #expect(try LoopedClip(clip, at: 2001, name: "clip", maximumBytes: 8000) == nil)
  }
}
