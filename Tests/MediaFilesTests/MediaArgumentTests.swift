// Calls with senseless values throw, and change nothing.

import Foundation
import TestSupport
import Testing

@testable import MediaFiles

struct MediaArgumentTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file() throws -> URL {
    let url = folder.file("a.wav")
    let writer = try AudioFileWriter(url: url, sampleRate: 48_000, channelCount: 2)
    try writer.write([[0.5, 0.25], [-0.5, -0.25]])
    try writer.finish()
    return url
  }

  @Test func clipsOfUnequalChannelsAreRefused() throws {
    let error = try #require(throws: AudioClipError.self) {
      try AudioClip([[1, 2], [1], [1, 2]], sampleRate: 48_000)
    }
    #expect(
      error.description == "the clip has channels of 2, 1, 2 samples; accepted: as many in each")
    for channels in [[], [[]], [[], []], [[], [1]], [[1], []]] as [[[Float]]] {
      #expect(throws: AudioClipError.self) { try AudioClip(channels, sampleRate: 48_000) }
    }
    for rate in [0, -48_000, .nan, .infinity] {
      #expect(throws: AudioClipError.self) { try AudioClip([[1]], sampleRate: rate) }
    }
  }

  @Test func writersRefuseOtherChannelsAndGoOn() throws {
    let url = folder.file("out.wav")
    let writer = try AudioFileWriter(url: url, sampleRate: 48_000, channelCount: 2)
    for channels in [[], [[1]], [[1], [1], [1]], [[1, 2], [1]], [[], [1]]] as [[[Float]]] {
      #expect(throws: AudioFileError.self) { try writer.write(channels) }
    }
    let sample: [Float] = [1]
    sample.withUnsafeBufferPointer { buffer in
      let pointer = buffer.baseAddress!
      for (buffers, count) in [([], 1), ([pointer], 1), ([pointer, pointer], -1)] {
        #expect(throws: AudioFileError.self) { try writer.write(buffers, frameCount: count) }
      }
      #expect(throws: AudioFileError.self) {
        try writer.write([pointer, pointer, pointer], frameCount: .max)
      }
    }
    try writer.write([[0.5], [0.25]])
    try writer.finish()
    #expect(try AudioFileReader(contentsOf: url).read() == [[0.5], [0.25]])
  }

  @Test(arguments: [0, -1, .max, .min] as [Int])
  func writersOfAnyChannelCountAndRateAreMadeOrRefused(_ count: Int) throws {
    for container in AudioFileFormat.Container.allCases {
      let name = "out.\(container.rawValue)"
      #expect(throws: AudioFileError.self) {
        try AudioFileWriter(url: folder.file(name), sampleRate: 48_000, channelCount: count)
      }
      for rate in [Double(count), .nan, -.infinity, 0.5, 1e300] {
        #expect(throws: AudioFileError.self) {
          try AudioFileWriter(
            recordingTo: folder.file("\(rate).\(name)"), format: AudioFileFormat(fileName: name),
            sampleRate: rate, channelCount: 2)
        }
      }
    }
  }

  @Test func readersRefuseOtherBuffersAndGoOn() throws {
    let reader = try AudioFileReader(contentsOf: file())
    #expect(throws: AudioFileError.self) { try reader.seek(toFrame: -1) }
    #expect(throws: AudioFileError.self) { try reader.seek(toFrame: .min) }
    #expect(throws: AudioFileError.self) { try reader.read(into: [], frameCount: 1) }
    #expect(try reader.read(maximumFrames: -1) == [[], []])
    #expect(try reader.countFrames(upTo: -1) == 0)
    #expect(throws: AudioClipError.self) {
      try AudioClip(reader, name: "a.wav", frames: -1, maximumBytes: 100)
    }
    #expect(throws: AudioClipError.self) {
      try AudioClip(reader, name: "a.wav", maximumBytes: -1)
    }
    #expect(try AudioFileReader(contentsOf: file()).read() == [[0.5, 0.25], [-0.5, -0.25]])
  }

  @Test func convertedReadersRefuseOtherPartsAndGoOn() throws {
    let url = try file()
    for (start, frames) in [(-1, nil), (.min, nil), (2, nil), (.max, 1), (0, 0), (0, -1)] {
      #expect(throws: AudioClipError.self, "\(start) \(String(describing: frames))") {
        try ConvertedReader(
          AudioFileReader(contentsOf: url), name: "a.wav", from: start, frames: frames,
          sampleRate: 48_000)
      }
    }
    for loops in [false, true] {
      let reader = try ConvertedReader(
        AudioFileReader(contentsOf: url), name: "a.wav", sampleRate: 44_100, loops: loops)
      var samples = [Float](repeating: 9, count: 2)
      try samples.withUnsafeMutableBufferPointer { (buffer) throws in
        let buffers = [buffer.baseAddress!, buffer.baseAddress! + 1]
        #expect(throws: AudioClipError.self) { try reader.read(from: -1, into: buffers, count: 1) }
        #expect(throws: AudioClipError.self) { try reader.read(from: 0, into: [], count: 1) }
        #expect(throws: AudioClipError.self) { try reader.read(from: 0, into: buffers, count: -1) }
        if !loops { #expect(try reader.read(from: .max, into: buffers, count: 1) == 0) }
        #expect(try reader.read(from: 0, into: buffers, count: 1) == 1)
      }
    }
  }

  /// Missing frames are silence in each pass, and the next pass begins on time.
  @Test func aLoopOfAFileThatWasCutShortGoesOn() throws {
    let writer = try AudioFileWriter(
      url: folder.file("a.flac"), sampleRate: 48_000, channelCount: 1)
    let noise = Signal.noise(frames: 3000, seed: 1, amplitude: 0.5)
    try writer.write([noise])
    try writer.finish()
    let bytes = [UInt8](try Data(contentsOf: folder.file("a.flac")))
    let url = try folder.write(flac(bytes, claiming: 5000), to: "short.flac")
    let sound = try AudioFileReader(contentsOf: folder.file("a.flac")).read()[0]
    for count in [700, 20_000] {
      let reader = try ConvertedReader(
        AudioFileReader(contentsOf: url), name: "short.flac", sampleRate: 48_000, loops: true)
      var samples = [Float](repeating: 9, count: 20_000)
      for first in stride(from: 0, to: 20_000, by: count) {
        let wanted = min(count, 20_000 - first)
        let got = try samples.withUnsafeMutableBufferPointer {
          try reader.read(from: first, into: [$0.baseAddress! + first], count: wanted)
        }
        #expect(got == wanted)
      }
      for pass in 0..<4 {
        #expect(
          firstDifference(
            Array(samples[pass * 5000..<(pass + 1) * 5000]), sound + Signal.silence(frames: 2000))
            == nil)
      }
      #expect(reader.endedAfter == 3000.0 / 48_000)
    }
  }
}
