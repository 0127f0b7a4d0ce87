// Formats by file name, and samples as exact as the format allows.
import Foundation
import MediaFiles
import TestSupport
import Testing

struct AudioFormatTests {
  typealias Encoding = AudioFileFormat.Encoding

  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  static let integers: [(String, Encoding, Int)] = ["a.wav", "a.w64", "a.aiff", "a.caf", "a.flac"]
    .flatMap { [($0, Encoding.int16, 16), ($0, .int24, 24)] }

  func write(
    _ audio: [[Float]], _ name: String, _ encoding: Encoding? = nil
  ) throws -> AudioFileWriter {
    let url = folder.file(name)
    let writer = try AudioFileWriter(
      url: url, format: AudioFileFormat(fileName: name, encoding: encoding), sampleRate: 48000,
      channelCount: audio.count)
    try writer.write(audio)
    try writer.finish()
    return writer
  }

  static let beginnings: [(String, String, Int)] = [
    ("a.wav", "RIFF", 0), ("a.WAVE", "WAVE", 8), ("a.w64", "riff", 0), ("a.flac", "fLaC", 0),
    ("a.ogg", "OggS", 0), ("a.oga", "vorbis", 29), ("a.aif", "FORM", 0), ("a.aiff", "AIF", 8),
    ("a.caf", "caff", 0),
  ]

  @Test(arguments: beginnings)
  func theNameSelectsTheFileFormat(_ name: String, _ beginning: String, _ offset: Int) throws {
    _ = try write([Signal.noise(frames: 5000, seed: 1, amplitude: 0.5)], name)
    let bytes = try Data(contentsOf: folder.file(name))
    #expect(bytes.dropFirst(offset).starts(with: Array(beginning.utf8)))
  }

  @Test(arguments: ["a", "a.mp3", "a.", ".wav.x", "wav", "a.wav/b"])
  func unknownNamesAreRefusedWithTheKnownOnes(_ name: String) throws {
    let error = try #require(throws: AudioFileError.self) { try AudioFileFormat(fileName: name) }
    for known in [".wav", ".flac", ".ogg"] { #expect(error.description.contains(known)) }
  }

  @Test func encodingsThatAFormatLacksAreRefusedWithTheAcceptedOnes() throws {
    let error = try #require(throws: AudioFileError.self) {
      try AudioFileFormat(fileName: "a.flac", encoding: .float)
    }
    #expect(error.description == "a.flac: FLAC takes the formats 24, 16")
    #expect(throws: AudioFileError.self) {
      try AudioFileFormat(fileName: "a.ogg", encoding: .int16)
    }
  }

  @Test(arguments: integers)
  func integersAreTheNearestOnes(_ name: String, _ encoding: Encoding, _ bits: Int) throws {
    let scale = Float(1 << (bits - 1))
    let audio = [
      Signal.noise(frames: 9000, seed: 2), [1, -1, 0.5, -0.5, 0.6 / scale, -0.4 / scale],
    ].map { $0 + [Float](repeating: 0, count: 9000 - $0.count) }
    let writer = try write(audio, name, encoding)
    #expect(writer.peak == 1 && writer.clippedSamples == 0)
    let read = try AudioFileReader(contentsOf: folder.file(name)).read()
    for channel in 0..<2 {
      let wanted = audio[channel].map {
        min((Double($0) * Double(scale)).rounded(.toNearestOrEven), Double(scale) - 1)
      }
      #expect(read[channel].map { Double($0) * Double(scale) } == wanted)
    }
  }

  @Test(arguments: ["a.wav", "a.w64", "a.caf", "a.aiff"])
  func floatsAreTheSameBitsAlsoBeyondFullScale(_ name: String) throws {
    let audio = [Signal.noise(frames: 9000, seed: 3, amplitude: 3)]
    let writer = try write(audio, name, .float)
    #expect(writer.clippedSamples == 0 && writer.peak > 2.9)
    #expect(try AudioFileReader(contentsOf: folder.file(name)).read() == audio)
  }

  @Test(arguments: ["a.flac", "a.ogg", "a.aiff"])
  func samplesBeyondFullScaleAreCountedAndCutOff(_ name: String) throws {
    var audio = Signal.sine(frames: 9000, frequencyHertz: 100, amplitude: 0.9)
    for frame in [100, 200, 300] { audio[frame] = frame == 200 ? -1.5 : 2 }
    let writer = try write([audio], name)
    #expect(writer.clippedSamples == 3 && writer.peak == 2)
    if name != "a.ogg" {
      let read = try AudioFileReader(contentsOf: folder.file(name)).read()[0]
      #expect(read[100] > 0.9999 && read[200] == -1)
    }
  }

  @Test func oggHoldsTheMusic() throws {
    let audio = Signal.sine(frames: 48000, frequencyHertz: 440, amplitude: 0.5)
    _ = try write([audio], "a.ogg")
    let read = try AudioFileReader(contentsOf: folder.file("a.ogg")).read()[0]
    #expect(read.count == audio.count)
    #expect(peakDecibels(difference: read, audio) < -30)
  }

  @Test func formatsWithoutRoomForTheChannelsAreRefusedWithTheirRanges() throws {
    let error = try #require(throws: AudioFileError.self) {
      try AudioFileWriter(url: folder.file("a.flac"), sampleRate: 48000, channelCount: 34)
    }
    #expect(error.description.contains("24-bit FLAC does not take 34 channels at 48000 Hz"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func anAIFFThatCannotCountItsBytesIsRefused() throws {
    let format = try AudioFileFormat(fileName: "a.aiff", encoding: .float)
    let maximum = format.maximumFrames(channelCount: 512)
    #expect(maximum * 512 * 4 < 1 << 32)
    let writer = try AudioFileWriter(
      url: folder.file("a.aiff"), format: format, sampleRate: 48000, channelCount: 512)
    // The buffers may be shorter: the count is checked first.
    let silence = [Float](repeating: 0, count: 1)
    let error = try #require(throws: AudioFileError.self) {
      try silence.withUnsafeBufferPointer { buffer in
        try writer.write(
          Array(repeating: buffer.baseAddress!, count: 512), frameCount: maximum + 1)
      }
    }
    #expect(
      error.description.hasSuffix(
        "a.aiff would be too long: 32-bit float AIFF takes \(maximum) frames; write .wav, .w64 or .caf"
      ))
  }
}
