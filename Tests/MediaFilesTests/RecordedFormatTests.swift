// Recordings of every format and encoding, read by an independent program: complete ones, and those
// cut short by a kill or a full disk.

import Files
import Foundation
import TestSupport
import Testing

@testable import MediaFiles

struct RecordedFormatTests {
  private static let sampleRate = 8000
  private static let frames = 2 * sampleRate
  /// The frame at which a recording breaks off, between two updates to a readable state, and the
  /// frame a second before.
  private static let brokenFrames = frames - sampleRate / 5
  private static let leastFrames = brokenFrames - sampleRate

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A recording written in small pieces, as a recorder does.
  private struct Recording {
    let url: URL
    let format: AudioFileFormat
    let writer: AudioFileWriter
    let descriptor: Int32
    let audio: [[Float]]

    init(
      _ container: AudioFileFormat.Container, _ encoding: AudioFileFormat.Encoding, _ channels: Int,
      in folder: TemporaryDirectory
    ) throws {
      url = folder.file("\(encoding.rawValue).\(container.rawValue)")
      format = try AudioFileFormat(fileName: url.path, encoding: encoding)
      let file = try GrowingFile(path: url.path)
      // A test replaces it by a full disk.
      descriptor = file.descriptor
      writer = try AudioFileWriter(
        file, descriptor: descriptor, isRecording: true, file: url.lastPathComponent,
        format: format, sampleRate: Double(sampleRate), channelCount: channels)
      // Quiet for Vorbis, so that there is little to write.
      audio = (0..<channels).map { channel in
        encoding == .vorbis
          ? Signal.sine(
            frames: frames, frequencyHertz: 220 * Double(channel + 1),
            sampleRate: Double(sampleRate), amplitude: 0.1)
          : Signal.noise(frames: frames, seed: UInt64(channel) + 1, amplitude: 0.9)
      }
    }

    func write(_ range: Range<Int>) throws {
      for first in stride(from: range.lowerBound, to: range.upperBound, by: 800) {
        try writer.write(audio.map { Array($0[first..<min(first + 800, range.upperBound)]) })
      }
    }

    /// Expects samples to be the first ones of the recorded audio.
    func expect(_ read: [[Double]], least: Int, most: Int) {
      #expect(read[0].count >= least && read[0].count <= most, "\(format.name)")
      let tolerance =
        switch format.encoding {
        case .float: 0.0
        case .int16: 0.5 / 32_768
        case .int24: 0.5 / 8_388_608
        case .int32: 0.5 / 2_147_483_648
        // 20 dB below the sine, also at its start and end.
        case .vorbis: 0.01
        }
      for (place, samples) in read.enumerated() {
        let isSorted = format.encoding == .vorbis && read.count == 8
        let channel = audio[isSorted ? FFmpeg.vorbisOrder[place] : place]
        let worst = zip(samples, channel).reduce(0) { max($0, abs($1.0 - Double($1.1))) }
        #expect(worst <= tolerance, "\(format.name), channel \(place)")
      }
    }
  }

  /// Returns a recording in each encoding of a container.
  private func recordings(
    _ container: AudioFileFormat.Container, _ channels: Int
  ) throws -> [Recording] {
    try AudioFileFormat.encodings(of: container).map {
      try Recording(container, $0, channels, in: folder)
    }
  }

  private func expect(
    _ recordings: [Recording], _ channels: Int, least: Int, most: Int
  ) async throws {
    let read = try await FFmpeg.read(recordings.map(\.url), channelCount: channels)
    for (recording, audio) in zip(recordings, read) {
      recording.expect(audio, least: least, most: most)
    }
  }

  @Test(arguments: AudioFileFormat.Container.allCases, [1, 2, 8])
  func aTakeIsWholeForAnotherProgram(
    _ container: AudioFileFormat.Container, channels: Int
  ) async throws {
    let recordings = try recordings(container, channels)
    for recording in recordings {
      try recording.write(0..<Self.frames)
      try recording.writer.finish()
    }
    try await expect(recordings, channels, least: Self.frames, most: Self.frames)
  }

  /// The files are read unfinished, in their current state on the disk.
  @Test(arguments: AudioFileFormat.Container.allCases, [1, 2, 8])
  func aKillTakesTheLastSecondAtMost(
    _ container: AudioFileFormat.Container, channels: Int
  ) async throws {
    let recordings = try recordings(container, channels)
    for recording in recordings { try recording.write(0..<Self.brokenFrames) }
    try await expect(
      recordings, channels, least: Self.leastFrames, most: Self.brokenFrames)
    for recording in recordings {
      let own = try AudioFileReader(contentsOf: recording.url).read()
      #expect(own.count == channels)
      #expect((Self.leastFrames...Self.brokenFrames).contains(own[0].count))
    }
  }

  /// From a certain frame on every write fails.
  @Test(arguments: AudioFileFormat.Container.allCases, [1, 2, 8])
  func aFullDiskTakesTheLastSecondAtMost(
    _ container: AudioFileFormat.Container, channels: Int
  ) async throws {
    let recordings = try recordings(container, channels)
    let full = open("/dev/full", O_RDWR)
    defer { close(full) }
    for recording in recordings {
      try recording.write(0..<Self.brokenFrames)
      #expect(dup2(full, recording.descriptor) >= 0)
      #expect(throws: AudioFileError.diskFull(file: recording.url.lastPathComponent)) {
        try recording.write(Self.brokenFrames..<Self.frames)
        try recording.writer.finish()
      }
    }
    try await expect(
      recordings, channels, least: Self.leastFrames, most: Self.frames)
  }

  /// Silence takes hardly a byte, and is readable all the same.
  @Test(arguments: [1, 2, 8]) func silenceOfVorbisIsNotHeldBack(_ channels: Int) async throws {
    let url = folder.file("silence.ogg")
    let writer = try AudioFileWriter(
      recordingTo: url, format: AudioFileFormat(fileName: "silence.ogg"), sampleRate: 48_000,
      channelCount: channels)
    for _ in 0..<4 {
      try writer.write(Array(repeating: Signal.silence(frames: 24_000), count: channels))
    }
    let read = try await FFmpeg.read([url], channelCount: channels)[0]
    #expect(read[0].count >= 48_000)
    #expect(read.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  /// Also if everything fits one page; ffmpeg's count is unreliable for less than a block.
  @Test(arguments: [8000, 48_000], [1, 100, 480, 4800, 48_000])
  func vorbisIsAsLongAsItWasWritten(_ rate: Double, frames: Int) async throws {
    let url = folder.file("short.ogg")
    let writer = try AudioFileWriter(url: url, sampleRate: rate, channelCount: 1)
    try writer.write([Signal.sine(frames: frames, frequencyHertz: 220, amplitude: 0.1)])
    try writer.finish()
    let own = try AudioFileReader(contentsOf: url)
    #expect(own.frameCount == frames)
    #expect(try own.read()[0].count == frames)
    guard frames >= 4800 else { return }
    #expect(try await FFmpeg.read([url], channelCount: 1)[0][0].count == frames)
  }

  @Test func theSameAudioGivesTheSameVorbis() throws {
    let files = try (0..<2).map { number in
      let writer = try AudioFileWriter(
        url: folder.file("\(number).ogg"), sampleRate: 44_100, channelCount: 1)
      try writer.write([Signal.noise(frames: 30_000, seed: 1, amplitude: 0.5)])
      try writer.finish()
      return try Data(contentsOf: folder.file("\(number).ogg"))
    }
    #expect(files[0] == files[1])
  }
}
