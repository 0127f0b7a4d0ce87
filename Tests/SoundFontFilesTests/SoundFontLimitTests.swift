// Small SoundFonts that need much memory or time: refused before FluidSynth reads them.

import Foundation
import TestSupport
import Testing

@testable import SoundFontFiles

@Suite struct SoundFontLimitTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func error(_ bytes: [UInt8], _ name: String = "font.sf2") throws -> String? {
    let url = try directory.write(bytes, to: name)
    do throws(SoundFontError) { _ = try checkedFont(url) } catch {
      #expect(error.path == url.path)
      return error.description
    }
    return nil
  }

  @Test func tooLargeSoundFontsAreRefusedWithTheLimit() throws {
    let cases: [(bytes: [UInt8], message: String)] = [
      ((SoundFontMaker.crowd(presets: 20_000)), "20000 presets; at most 16512"),
      ((SoundFontMaker.crowd(instruments: 20_000)), "20000 instruments; at most 16384"),
      (
        SoundFontMaker.crowd(zonesPerPreset: 6_000, zonesPerInstrument: 6_000, keys: (60, 60)),
        "36000000 pairs of zones in its preset 'Crowd'; at most 16384"
      ),
      (
        (SoundFontMaker.crowd(presets: 200, zonesPerInstrument: 6_000, keys: (100, 99))),
        "1200000 pairs of zones; at most 1000000"
      ),
      (
        (SoundFontMaker.crowd(zonesPerInstrument: 65, keys: (60, 61))),
        "65 voices for key 60 at velocity 0 of its preset 'Crowd'; at most 64"
      ),
      (
        (SoundFontMaker.crowd(zonesPerInstrument: 2, modulatorsPerZone: 1_025)),
        "zone 1 of instrument 'Crowd' has 1025 modulators; at most 1024"
      ),
    ]
    for (bytes, message) in cases {
      let told = try error(bytes)
      #expect(told?.contains("too large a SoundFont: \(message)") == true, "\(told ?? "none")")
    }
  }

  @Test func moreThanTheMemoryThereIsIsAnError() throws {
    let url = try directory.write(SoundFontMaker.crowd(presets: 4_000), to: "font.sf2")
    let source = try SoundFontSource(url)
    let layout = try SoundFontLayout(source)
    let records = try source.bytes(layout.records)
    try records.withUnsafeBytes { bytes in
      let reader = RIFFReader(bytes, path: url.path)
      let tree = try SoundFontTree(
        SoundFontRecords(reader, chunks: reader.chunks(in: 0..<bytes.count)))
      try tree.checkSize(layout, availableBytes: 100 << 20)
      #expect(throws: SoundFontError.self) { try tree.checkSize(layout, availableBytes: 4 << 20) }
    }
  }

  // MARK: Compressed samples

  private func compressed() throws -> [UInt8] {
    let maker = SoundFontMaker(presets: [.init(name: "A", zones: [.init(sample: .sine())])])
    let url = try maker.writeCompressed(to: directory.file("compressed.sf3"))
    return Array(try Data(contentsOf: url))
  }

  private func lastPage(_ bytes: [UInt8]) throws -> Int {
    try #require(
      bytes.indices.dropLast(30).last { bytes[$0..<$0 + 4].elementsEqual("OggS".utf8) })
  }

  @Test func theLengthOfACompressedSampleIsKnownBeforeItIsDecoded() throws {
    let bytes = try compressed()
    let url = try directory.write(bytes, to: "font.sf3")
    let source = try SoundFontSource(url)
    let layout = try SoundFontLayout(source)
    #expect(
      OggVorbisLength.frames(of: try source.bytes(layout.samples))
        == SoundFontMaker.Sample.sine().frames.count)
  }

  @Test(arguments: [5, 7, 8, 12, 13])
  func aLengthThatTakesGigabytesIsRefused(byte: Int) throws {
    var bytes = try compressed()
    let page = try lastPage(bytes)
    // Up to 2^62 and beyond: twice that overflows the size of FluidSynth's buffer.
    bytes[page + 6 + min(byte, 7)] = byte == 13 ? 0xFF : 0x40
    let told = try error(bytes, "long.sf3")
    #expect(told?.contains("frames when its samples are decompressed; at most") == true)
  }

  @Test func samplesThatAreNoVorbisAreRefused() throws {
    var bytes = try compressed()
    let first = try #require(
      bytes.indices.dropLast(30).first { bytes[$0..<$0 + 4].elementsEqual("OggS".utf8) })
    bytes[first] = 0x30
    #expect(try error(bytes, "other.sf3")?.contains("sample 0 'Sine 100' is no Ogg Vorbis") == true)
  }

  @Test func aCompressedSampleInAFileOfVersion2IsRefused() throws {
    var bytes = try compressed()
    let version = try #require(
      bytes.indices.dropLast(30).first { bytes[$0..<$0 + 4].elementsEqual("ifil".utf8) })
    bytes[version + 8] = 2
    #expect(try error(bytes)?.contains("is compressed, in a file of version 2") == true)
  }
}
