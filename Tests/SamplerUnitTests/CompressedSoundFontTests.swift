// SF3: a SoundFont whose samples are Ogg Vorbis.

import CSndFile
import Foundation
import TestSupport
import Testing

@testable import SamplerUnit

@Suite struct CompressedSoundFontTests {
  @Test func aCompressedSoundFontPlays() async throws {
    let rig = try SamplerRig()
    let plain = SoundFontMaker.sine(periodFrames: 100)
    let frames = plain.presets[0].zones[0].sample.frames
    let vorbis = try Self.vorbis(frames, in: rig.directory)
    let font = try rig.directory.write(
      Self.replaceSample(of: plain.bytes(), by: vorbis), to: "compressed.sf3")
    try await rig.unit.load(soundFont: font)
    try rig.start()
    let note = try rig.play([0x90, 60, 127], frames: 24_000)
    #expect(abs(cents(note, above: Pitch.sine)) < 2)
  }

  /// Mono audio as an Ogg Vorbis file.
  private static func vorbis(
    _ frames: [Float], in directory: TemporaryDirectory
  ) throws -> [UInt8] {
    let url = directory.file("sample.ogg")
    var info = SF_INFO()
    info.samplerate = 48_000
    info.channels = 1
    info.format = Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
    let file = try #require(sf_open(url.path, Int32(SFM_WRITE), &info))
    #expect(sf_writef_float(file, frames, Int64(frames.count)) == Int64(frames.count))
    sf_close(file)
    return Array(try Data(contentsOf: url))
  }

  /// The only sample of a SoundFont replaced: it then lies at bytes instead of frames.
  private static func replaceSample(of font: [UInt8], by vorbis: [UInt8]) throws -> [UInt8] {
    func start(_ name: String) throws -> Int {
      try #require(font.indices.dropLast(4).first { Array(font[$0..<$0 + 4]) == Array(name.utf8) })
    }
    func word(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(font[place + $1]) << (8 * $1) } }
    func put(_ value: Int, at place: Int, in bytes: inout [UInt8]) {
      for index in 0..<4 { bytes[place + index] = UInt8(value >> (8 * index) & 0xFF) }
    }
    let (sdta, smpl, header) = (try start("sdta"), try start("smpl"), try start("shdr") + 8)
    let old = word(smpl + 4)
    let data = vorbis + [UInt8](repeating: 0, count: vorbis.count % 2)
    var bytes = font
    bytes[try start("ifil") + 8] = 3
    put(word(4) - old + data.count, at: 4, in: &bytes)
    put(word(sdta - 4) - old + data.count, at: sdta - 4, in: &bytes)
    put(data.count, at: smpl + 4, in: &bytes)
    put(0, at: header + 20, in: &bytes)
    put(vorbis.count, at: header + 24, in: &bytes)
    bytes[header + 44] = 0x11
    bytes.replaceSubrange(smpl + 8..<smpl + 8 + old, with: data)
    return bytes
  }
}
