// SF3: SoundFonts with Ogg Vorbis samples.

import Foundation
import TestSupport
import Testing

@testable import SamplerUnit

@Suite struct CompressedSoundFontTests {
  @Test func aCompressedSoundFontPlays() async throws {
    let rig = try SamplerRig()
    let maker = SoundFontMaker(
      presets: [100, 150].enumerated().map { program, period in
        .init(
          program: UInt16(program), name: "Sine \(period)",
          zones: [.init(sample: .sine(periodFrames: period))])
      })
    let font = try maker.writeCompressed(to: rig.directory.file("compressed.sf3"))
    try await rig.unit.load(soundFont: font)
    try rig.start()
    let first = try rig.play([0x90, 60, 127], frames: 24_000)
    #expect(abs(cents(first, above: Pitch.sine)) < 2)
    _ = try rig.play([0xB0, 120, 0], [0xC0, 1])
    let second = try rig.play([0x90, 60, 127], frames: 24_000)
    #expect(abs(cents(second, above: 320)) < 2)
  }

  @Test func aListOfOddSizeWithoutPaddingIsRead() throws {
    let directory = try TemporaryDirectory()
    let url = try SoundFontMaker.sine(periodFrames: 100).writeCompressed(
      to: directory.file("font.sf3"))
    var bytes = Array(try Data(contentsOf: url))
    // As written by MuseScore: an odd number of sample bytes, without padding.
    let sdta = try #require(
      bytes.indices.dropLast(30).first { bytes[$0..<$0 + 4].elementsEqual("sdta".utf8) })
    let pdta =
      try #require(
        bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual("pdta".utf8) }) - 8
    let size = bytes[sdta + 8..<sdta + 12].reversed().reduce(0) { $0 << 8 | Int($1) }
    let isPadded = size % 2 == 1
    if isPadded { bytes.remove(at: pdta - 1) } else { bytes.insert(0, at: pdta) }
    func put(_ value: Int, at place: Int) {
      for byte in 0..<4 { bytes[place + byte] = UInt8(value >> (8 * byte) & 0xFF) }
    }
    put(bytes.count - 8, at: 4)
    if !isPadded { put(size + 1, at: sdta + 8) }
    put(4 + 8 + (isPadded ? size : size + 1), at: sdta - 4)
    let odd = try directory.write(bytes, to: "odd.sf3")
    #expect(try SoundFontInspector.presets(of: odd).count == 1)
  }
}
