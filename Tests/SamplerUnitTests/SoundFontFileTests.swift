// Bad files: refused by name and fault, without harm to the current sound.

import Foundation
import SoundFontFiles
import TestSupport
import Testing

@testable import SamplerUnit

@Suite struct SoundFontFileTests {
  let directory: TemporaryDirectory
  let bytes = SoundFontMaker.rig.bytes()

  init() throws { directory = try TemporaryDirectory() }

  @Test func presetsAreListedInOrder() throws {
    let url = try directory.write(bytes, to: "font.sf2")
    #expect(
      try SoundFontInspector.presets(of: url).map(\.description)
        == ["0:0 Sine", "0:1 Left", "0:2 Click", "0:3 Long", "1:0 Right", "128:0 Kit"])
  }

  @Test func namesAreShownWithoutControlCharacters() throws {
    var font = SoundFontMaker.sine(periodFrames: 100)
    font.presets[0].name = "\u{1B}[2JBell\u{7}"
    let url = try font.write(to: directory.file("font.sf2"))
    #expect(try SoundFontInspector.presets(of: url).map(\.name) == ["\u{FFFD}[2JBell\u{FFFD}"])
  }

  @Test func soundFontsWithinTheLimitsLoad() throws {
    for bytes in [
      SoundFontMaker.crowd(presets: 129),
      SoundFontMaker.crowd(zonesPerPreset: 8, zonesPerInstrument: 8, modulatorsPerZone: 70),
    ] {
      let url = try directory.write(bytes, to: "font.sf2")
      #expect(try SoundFontInspector.presets(of: url).count > 0)
    }
  }

  @Test func aPresetWithoutSoundIsReported() async throws {
    var font = SoundFontMaker.rig
    font.presets[1].zones = []
    let rig = try SamplerRig(font: font)
    try await rig.unit.load(soundFont: rig.font, program: 1)
    #expect(
      rig.unit.soundFontWarnings == [
        "\(rig.font.path): program 1 of bank 0 has no sound: none of its zones has a sample"
      ])
    try await rig.unit.load(soundFont: rig.font, program: 0)
    #expect(rig.unit.soundFontWarnings == [])
  }

  @Test func aBadFileIsNamedInTheErrorAndPlaybackContinues() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    let before = try rig.play([0x90, 60, 127]).last!
    let path = rig.directory.url.path
    let text = try rig.directory.write("no font", to: "text.sf2")
    let cut = try rig.directory.write(Array(bytes.dropLast(100)), to: "cut.sf2")
    let cases: [(URL, SoundFontError)] = [
      (rig.directory.file("none.sf2"), .missing(path: path + "/none.sf2")),
      (rig.directory.url, .notASoundFont(path: path)),
      (text, .notASoundFont(path: text.path)),
      (cut, .truncated(path: cut.path, bytes: bytes.count - 100, expected: bytes.count)),
    ]
    for (url, expected) in cases {
      await #expect(throws: expected) { try await rig.unit.load(soundFont: url) }
      #expect("\(expected)".contains(url.lastPathComponent))
      #expect(try rig.render(4096).left == Signal.constant(before, frames: 4096))
    }
    await #expect(throws: SoundFontError.self) {
      try await rig.unit.load(soundFont: rig.font, bank: 3, program: 9)
    }
    #expect(try rig.render(64).left == Signal.constant(before, frames: 64))
    #expect(rig.unit.soundFont == rig.font)
    #expect(rig.unit.soundFontProgram! == (0, 1))
  }

  @Test func theLongestReleaseIsTheTail() async throws {
    let rig = try SamplerRig()
    #expect(rig.unit.tailTime == 0)
    try await rig.unit.load(soundFont: rig.font)
    #expect(abs(rig.unit.tailTime - 2) < 0.01)
    try rig.start()
    try await rig.unit.load(soundFont: rig.font, program: 3)
    _ = try rig.play([0x90, 60, 127])
    let release = try rig.play([0x80, 60, 0], frames: 110_000)
    #expect(peakDecibels(Array(release[40_000..<48_000])) > -90)
    #expect(release.suffix(64).max() == 0)
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func aSpoiltFileIsRefusedOrPlaysWithoutHarm(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let small = SoundFontMaker(presets: [
      .init(name: "A", zones: [.init(sample: .sine(), releaseSeconds: 0.01)]),
      .init(
        bank: 128, name: "B",
        zones: [
          .init(sample: .noise(seed: 1, frames: 500), keys: 0...50, exclusiveClass: 1),
          .init(sample: .click(), keys: 40...127),
        ]),
    ]).bytes()
    let records = try #require(
      small.indices.dropLast(4).first { Array(small[$0..<$0 + 4]) == Array("pdta".utf8) })
    let rig = try SamplerRig()
    // A pool is made for each file.
    rig["synths"] = 4
    try rig.start()
    for _ in 0..<20 {
      // Half of the damage is limited to the records, where its effect is largest.
      let spoilt =
        Bool.random(using: &random)
        ? mutate(small, using: &random)
        : small[..<records] + overwrite(Array(small[records...]), &random)
      let url = try directory.write(Array(spoilt), to: "spoilt.sf2")
      guard let presets = try? SoundFontInspector.presets(of: url), let first = presets.first
      else { continue }
      try? await rig.unit.load(soundFont: url, bank: first.bank, program: first.program)
      let notes: [(Int, [UInt8])] = stride(from: 0, to: 128, by: 9).map { key in
        (key, [0x90 | UInt8(key % 16), UInt8(key), UInt8(127 - key)])
      }
      _ = try rig.render(2048, notes)
      _ = try rig.render(1024, (0..<16).map { (0, [0xB0 | UInt8($0), 123, 0]) })
      _ = try rig.render(256, (0..<16).map { (0, [0xB0 | UInt8($0), 120, 0]) })
    }
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
  }

  /// Replaces some bytes and keeps the length.
  private func overwrite(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = [0, 1, 0x7F, 0x80, 0xFF, bytes[place] ^ 1].randomElement(using: &random)!
    }
    return bytes
  }
}
