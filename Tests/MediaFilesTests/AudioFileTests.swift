// Audio files: samples kept bit for bit, and files that are complete or absent.
import Files
import Foundation
import MediaFiles
import Testing

final class AudioFileTests {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("auricle-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var target: URL { folder.appendingPathComponent("out.wav") }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  func writer(channels: Int = 2) throws -> AudioFileWriter {
    try AudioFileWriter(url: target, sampleRate: 48000, channelCount: channels)
  }

  static func noise(_ channels: Int, _ frames: Int) -> [[Float]] {
    var random = Shuffle(state: 7)
    return (0..<channels).map { _ in
      (0..<frames).map { _ in Float.random(in: -2...2, using: &random) }
    }
  }

  @Test(arguments: [1, 2, 5])
  func samplesSurviveBitForBit(_ channels: Int) throws {
    let audio = Self.noise(channels, 10_000)
    let writer = try writer(channels: channels)
    try writer.write(audio.map { Array($0[..<5000]) })
    try writer.write(audio.map { Array($0[5000..<5001]) })
    try writer.write(audio.map { Array($0[5001...]) })
    try writer.finish()
    #expect(names == ["out.wav"])
    let reader = try AudioFileReader(contentsOf: target)
    #expect(reader.sampleRate == 48000)
    #expect(reader.channelCount == channels)
    #expect(reader.frameCount == 10_000)
    let first = try reader.read(maximumFrames: 4097)
    let rest = try reader.read(maximumFrames: 100_000)
    #expect(zip(first, rest).map { $0 + $1 } == audio)
    #expect(try reader.read(maximumFrames: 10).allSatisfy(\.isEmpty))
  }

  @Test func buffersAreFilledAsFarAsTheFileGoes() throws {
    let audio = Self.noise(2, 9000)
    let writer = try writer()
    try audio[0].withUnsafeBufferPointer { left in
      try audio[1].withUnsafeBufferPointer { right in
        try writer.write([left.baseAddress!, right.baseAddress!], frameCount: 9000)
      }
    }
    try writer.finish()
    let reader = try AudioFileReader(contentsOf: target)
    var left = [Float](repeating: 9, count: 9100)
    var right = left
    let count = try left.withUnsafeMutableBufferPointer { left in
      try right.withUnsafeMutableBufferPointer { right in
        try reader.read(into: [left.baseAddress!, right.baseAddress!], frameCount: 9100)
      }
    }
    #expect(count == 9000)
    #expect(Array(left[..<9000]) == audio[0] && Array(right[..<9000]) == audio[1])
    #expect(left[9000...].allSatisfy { $0 == 9 })
  }

  @Test func theSameAudioGivesTheSameOrdinaryWAV() throws {
    var files: [Data] = []
    for _ in 0..<2 {
      let writer = try writer()
      try writer.write(Self.noise(2, 100))
      try writer.finish()
      files.append(try Data(contentsOf: target))
    }
    #expect(files[0] == files[1])
    // The PEAK chunk holds the time of writing.
    #expect(files[0].firstRange(of: Data("PEAK".utf8)) == nil)
    #expect(files[0].starts(with: Array("RIFF".utf8)))
    #expect(files[0].dropFirst(8).starts(with: Array("WAVE".utf8)))
    // 32 bits a sample; the extensible header's kind 3 is IEEE float.
    let format = try #require(files[0].firstRange(of: Data("fmt ".utf8))).upperBound + 4
    #expect(files[0][format + 14] == 32)
    #expect(files[0][format + 24] == 3)
  }

  @Test func aFormerFileStaysUntilTheNewOneIsWhole() throws {
    try Data("former".utf8).write(to: target)
    let writer = try writer()
    try writer.write(Self.noise(2, 10_000))
    #expect(try Data(contentsOf: target) == Data("former".utf8))
    #expect(names.count == 2)
    writer.cancel()
    #expect(names == ["out.wav"])
    #expect(try Data(contentsOf: target) == Data("former".utf8))
    #expect(throws: AudioFileError.closed(file: target.relativePath)) { try writer.finish() }
    #expect(throws: AudioFileError.self) { try writer.write(Self.noise(2, 1)) }
  }

  @Test func aWriterThatIsLetGoLeavesNothing() throws {
    do {
      let writer = try writer()
      try writer.write(Self.noise(2, 10))
    }
    #expect(names.isEmpty)
  }

  @Test func aLinkGoesOnLeadingToItsFile() throws {
    let link = folder.appendingPathComponent("link.wav")
    try Data().write(to: target)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    let writer = try AudioFileWriter(url: link, sampleRate: 44100, channelCount: 1)
    try writer.write(Self.noise(1, 10))
    try writer.finish()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
    #expect(try AudioFileReader(contentsOf: target).frameCount == 10)
  }

  @Test func devicesAndFoldersAreNotReplaced() throws {
    let format = try AudioFileFormat(fileName: "a.wav")
    for (path, reason) in [("/dev/null", "it is no regular file"), (folder.path, "it is a folder")]
    {
      #expect(throws: AudioFileError.cannotCreate(file: path, reason: reason)) {
        try AudioFileWriter(
          url: URL(fileURLWithPath: path), format: format, sampleRate: 48000, channelCount: 1)
      }
    }
  }

  /// Also data written when a format is closed, whose failure libsndfile does not report.
  @Test(
    arguments: ["out.wav", "out.w64", "out.flac", "out.ogg", "out.aiff", "out.caf"], [10, 20_000])
  func aFullDiskIsReported(_ name: String, frames: Int) throws {
    let error = try #require(throws: AudioFileError.self) {
      let writer = try AudioFileWriter(
        try TemporaryFile(for: folder.appendingPathComponent(name).path),
        descriptor: open("/dev/full", O_RDWR), file: name,
        format: try AudioFileFormat(fileName: name), sampleRate: 48000, channelCount: 2)
      try writer.write(Self.noise(2, frames))
      try writer.finish()
    }
    #expect(error == .diskFull(file: name))
    #expect(names.isEmpty)
  }

  @Test func aMissingFolderIsReported() throws {
    let url = folder.appendingPathComponent("none/out.wav")
    let error = try #require(throws: AudioFileError.self) {
      try AudioFileWriter(url: url, sampleRate: 48000, channelCount: 2)
    }
    #expect(error.description == "cannot create \(url.path): there is no such file or folder")
  }

  static let formats: [(Double, Int)] = [
    (0, 2), (44100.5, 2), (48000, 0), (48000, 2000), (-1, 1), (.nan, 1),
  ]

  @Test(arguments: formats)
  func formatsThatWAVLacksAreRefused(_ rate: Double, _ channels: Int) {
    #expect(throws: AudioFileError.self) {
      try AudioFileWriter(url: target, sampleRate: rate, channelCount: channels)
    }
    #expect(names.isEmpty)
  }

  @Test func filesWithoutAudioAreRefused() throws {
    try Data((0..<1000).map { UInt8($0 & 0xFF) }).write(to: target)
    for url in [target, folder, folder.appendingPathComponent("none.wav")] {
      let error = try #require(throws: AudioFileError.self) {
        try AudioFileReader(contentsOf: url)
      }
      #expect(error.description.hasPrefix("cannot open \(url.relativePath) as audio: "))
    }
  }
}
