// False headers: files are read as far as they have frames, or refused.
import Foundation
import MediaFiles
import TestSupport
import Testing

struct AudioFileFaultTests {
  static let names = ["a.wav", "a.w64", "a.flac", "a.ogg", "a.aiff", "a.caf"]

  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Returns the bytes of a sound file.
  func make(_ name: String, frames: Int = 3000) throws -> [UInt8] {
    let writer = try AudioFileWriter(
      url: folder.file(name), sampleRate: 48000, channelCount: 2)
    try writer.write((0..<2).map { Signal.noise(frames: frames, seed: $0, amplitude: 0.5) })
    try writer.finish()
    return [UInt8](try Data(contentsOf: folder.file(name)))
  }

  /// Returns the number of readable frames, at most 2^24; nil if the file is refused.
  @discardableResult
  func read(_ bytes: [UInt8]) throws -> Int? {
    let url = try folder.write(bytes, to: "spoilt")
    guard let reader = try? AudioFileReader(contentsOf: url) else { return nil }
    #expect((1...1024).contains(reader.channelCount) && reader.sampleRate > 0)
    #expect(reader.frameCount ?? 0 >= 0)
    let limit = 1 << 24
    let count = try? reader.countFrames(upTo: limit)
    #expect(count ?? 0 <= limit, "\(bytes.count) bytes")
    return count
  }

  @Test func aFLACOfUnknownLengthIsReadToItsEnd() throws {
    let sound = try make("a.flac")
    let (unknown, endless) = (flac(sound, claiming: 0), flac(sound, claiming: (1 << 36) - 1))
    for bytes in [unknown, endless, flac(sound, claiming: 3001)] {
      let reader = try AudioFileReader(contentsOf: folder.write(bytes, to: "b.flac"))
      let audio = try reader.read()
      #expect(audio.map(\.count) == [3000, 3000])
      #expect(audio == (try AudioFileReader(contentsOf: folder.file("a.flac")).read()))
    }
    #expect(try AudioFileReader(contentsOf: folder.write(unknown, to: "c.flac")).frameCount == nil)
  }

  /// A truncated file has at most the 3000 frames written.
  @Test(arguments: names) func filesCutOffAnywhereAreReadOrRefused(_ name: String) throws {
    let sound = try make(name)
    for length in Array(0..<min(256, sound.count)) + [sound.count / 2, sound.count - 1] {
      #expect(try read(Array(sound.prefix(length))) ?? 0 <= 3000)
    }
  }

  @Test(arguments: names) func mutatedFilesAreReadOrRefused(_ name: String) throws {
    let sound = try make(name)
    var random = SeededRandom(seed: 5)
    for round in 0..<100 * MutationRounds.factor {
      // Mostly the header, because the rest is audio.
      let head = round % 3 == 0 ? sound.count : min(160, sound.count)
      try read(mutate(Array(sound[..<head]), using: &random) + sound[head...])
    }
  }
}

/// Returns a FLAC file whose header claims a number of frames; 0 means unknown, as encoders write
/// into pipes.
func flac(_ sound: [UInt8], claiming frames: Int) -> [UInt8] {
  var bytes = sound
  // 36 bits after rate, channels and bits of the STREAMINFO block.
  bytes[21] = bytes[21] & 0xF0 | UInt8(frames >> 32 & 0xF)
  bytes.replaceSubrange(22..<26, with: big(frames, 4))
  return bytes
}
