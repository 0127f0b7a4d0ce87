// Every format and encoding that is recorded is what an independent program reads: whole, as far
// as it went when it was killed, and as far as the disk had room.

import Files
import Foundation
import TestSupport
import Testing

@testable import MediaFiles

struct RecordedFormatTests {
  /// A container, an encoding that it has, and a number of channels.
  struct Kind: CustomTestStringConvertible, Sendable {
    let container: AudioFileFormat.Container
    let encoding: AudioFileFormat.Encoding
    let channels: Int

    static let all: [Kind] = AudioFileFormat.Container.allCases.flatMap { container in
      AudioFileFormat.encodings(of: container).flatMap { encoding in
        [1, 2, 8].map { Kind(container: container, encoding: encoding, channels: $0) }
      }
    }

    var fileName: String { "take.\(container.rawValue)" }
    var testDescription: String { "\(container) \(encoding) of \(channels)" }
  }

  private static let sampleRate = 8000
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// As a recorder writes: in small pieces.
  private struct Recording {
    let kind: Kind
    let writer: AudioFileWriter
    let descriptor: Int32
    let audio: [[Float]]

    init(_ kind: Kind, in folder: TemporaryDirectory) throws {
      self.kind = kind
      let url = folder.file(kind.fileName)
      let file = try GrowingFile(path: url.path)
      // Of its own, so that a test may fill the disk behind it.
      descriptor = file.descriptor
      writer = try AudioFileWriter(
        file, descriptor: descriptor, isRecording: true, file: kind.fileName,
        format: AudioFileFormat(fileName: kind.fileName, encoding: kind.encoding),
        sampleRate: Double(sampleRate), channelCount: kind.channels)
      // Quiet, so that Vorbis has little to write, and different in each channel.
      audio = (0..<kind.channels).map { channel in
        kind.encoding == .vorbis
          ? Signal.sine(
            frames: 5 * sampleRate, frequencyHertz: 220 * Double(channel + 1),
            sampleRate: Double(sampleRate), amplitude: 0.1)
          : Signal.noise(frames: 5 * sampleRate, seed: UInt64(channel) + 1, amplitude: 0.9)
      }
    }

    func write(_ seconds: Range<Double>) throws {
      let piece = sampleRate / 10
      for first in stride(
        from: Int(seconds.lowerBound * Double(sampleRate)),
        to: Int(seconds.upperBound * Double(sampleRate)), by: piece)
      {
        try writer.write(audio.map { Array($0[first..<first + piece]) })
      }
    }
  }

  /// Whether a file has the beginning of what was recorded, and at least so many seconds.
  private func expect(_ recording: Recording, at url: URL, leastSeconds: Double) async throws {
    let kind = recording.kind
    let read = try await FFmpeg.read(url, channelCount: kind.channels)
    let count = read[0].count
    #expect(Double(count) >= leastSeconds * Double(Self.sampleRate) && count <= 5 * Self.sampleRate)
    for (place, samples) in read.enumerated() {
      let isVorbis = kind.encoding == .vorbis
      let channel = isVorbis && kind.channels == 8 ? FFmpeg.vorbisOrder[place] : place
      let audio = recording.audio[channel]
      let tolerance =
        switch kind.encoding {
        case .float: 0.0
        case .int16: 0.5 / 32_768
        case .int24: 0.5 / 8_388_608
        case .int32: 0.5 / 2_147_483_648
        // 20 dB below the sine, where it begins and ends too.
        case .vorbis: 0.01
        }
      let worst = zip(samples, audio).reduce(0) { max($0, abs($1.0 - Double($1.1))) }
      #expect(worst <= tolerance, "channel \(channel)")
    }
  }

  @Test(arguments: Kind.all) func aTakeIsWholeForAnotherProgram(_ kind: Kind) async throws {
    let recording = try Recording(kind, in: folder)
    try recording.write(0..<5)
    try recording.writer.finish()
    try await expect(recording, at: folder.file(kind.fileName), leastSeconds: 5)
  }

  /// The file as it is on the disk then: nobody completes it.
  @Test(arguments: Kind.all) func aKillTakesTheLastSecondAtMost(_ kind: Kind) async throws {
    let recording = try Recording(kind, in: folder)
    try recording.write(0..<3.3)
    let left = folder.file("left.\(kind.container.rawValue)")
    try FileManager.default.copyItem(at: folder.file(kind.fileName), to: left)
    try await expect(recording, at: left, leastSeconds: 2.3)
    let own = try AudioFileReader(contentsOf: left).read()
    #expect(own.count == kind.channels && own[0].count >= Int(2.3 * Double(Self.sampleRate)))
    #expect(own[0].count <= Int(3.3 * Double(Self.sampleRate)))
  }

  /// From some frame on nothing can be written.
  @Test(arguments: Kind.all) func aFullDiskTakesTheLastSecondAtMost(_ kind: Kind) async throws {
    let recording = try Recording(kind, in: folder)
    try recording.write(0..<3.3)
    let full = open("/dev/full", O_RDWR)
    defer { close(full) }
    #expect(dup2(full, recording.descriptor) >= 0)
    #expect(throws: AudioFileError.diskFull(file: kind.fileName)) {
      try recording.write(3.3..<5)
      try recording.writer.finish()
    }
    try await expect(recording, at: folder.file(kind.fileName), leastSeconds: 2.3)
  }

  /// Silence takes hardly a byte, and is read all the same.
  @Test(arguments: [1, 2, 8]) func silenceOfVorbisIsNotHeldBack(_ channels: Int) async throws {
    let url = folder.file("silence.ogg")
    let writer = try AudioFileWriter(
      recordingTo: url, format: AudioFileFormat(fileName: "silence.ogg"), sampleRate: 48_000,
      channelCount: channels)
    for _ in 0..<6 {
      try writer.write(Array(repeating: Signal.silence(frames: 24_000), count: channels))
    }
    let read = try await FFmpeg.read(url, channelCount: channels)
    #expect(read[0].count >= 96_000)
    #expect(read.allSatisfy { $0.allSatisfy { $0 == 0 } })
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
