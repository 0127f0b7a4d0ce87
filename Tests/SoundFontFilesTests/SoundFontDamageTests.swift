// Damaged files: refused by fault.

import Foundation
import TestSupport
import Testing

@testable import SoundFontFiles

/// Reads and checks a file as for FluidSynth.
func checkedFont(_ url: URL) throws(SoundFontError) -> SoundFontFile {
  try SoundFontFile(url, lowestSampleRate: 16_000)
}

@Suite struct SoundFontDamageTests {
  let directory: TemporaryDirectory
  let bytes = SoundFontMaker.rig.bytes()

  init() throws { directory = try TemporaryDirectory() }

  private func error(_ bytes: [UInt8]) throws -> SoundFontError? {
    let url = try directory.write(bytes, to: "font.sf2")
    do throws(SoundFontError) { _ = try checkedFont(url) } catch { return error }
    return nil
  }

  @Test func everyCutIsRefused() throws {
    for length in stride(from: 0, to: bytes.count, by: 211) {
      #expect(try error(Array(bytes.prefix(length))) != nil, "\(length)")
    }
    #expect(try error(bytes + [0]) != nil)
    #expect(try error(bytes) == nil)
  }

  @Test func recordsThatPointNowhereAreRefused() throws {
    let words: [(chunk: String, offset: Int, value: UInt16)] = [
      ("phdr", 24 + 38, 9999), ("pbag", 0 + 4, 9999), ("pbag", 2 + 4, 9999),
      ("inst", 20 + 22, 9999), ("ibag", 4, 9999), ("ibag", 6, 9999), ("pgen", 2, 9999),
      ("shdr", 20 + 2, 0xFFFF), ("shdr", 24 + 2, 0x7FFF), ("shdr", 36 + 2, 0x7FFF),
    ]
    for word in words {
      var damaged = bytes
      let place = try #require(chunkStart(word.chunk)) + word.offset
      damaged[place] = UInt8(word.value & 0xFF)
      damaged[place + 1] = UInt8(word.value >> 8)
      guard case .damaged = try error(damaged) else {
        Issue.record("\(word) was not refused")
        continue
      }
    }
  }

  private func chunkStart(_ name: String) -> Int? {
    let pattern = Array(name.utf8)
    return bytes.indices.dropLast(4).last { Array(bytes[$0..<$0 + 4]) == pattern }.map { $0 + 8 }
  }
}
