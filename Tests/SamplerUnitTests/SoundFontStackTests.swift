// Several SoundFonts in a sampler, and a file several times in a stack.

import CFluidSynth
import Configuration
import Foundation
import SoundFontFiles
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import FluidSynthPool
@testable import SamplerUnit

@Suite struct SoundFontStackTests {
  /// A sine of 480 Hz in 0:0 and a kit; then sines of 240 Hz in 0:0 and 0:5, of 160 Hz in 1:0, and
  /// a kit.
  static func fonts(_ directory: TemporaryDirectory) throws -> (lower: URL, upper: URL) {
    func preset(_ bank: UInt16, _ program: UInt16, _ period: Int) -> SoundFontMaker.Preset {
      SoundFontMaker.Preset(
        bank: bank, program: program, name: "\(bank):\(program) of \(period)",
        zones: [SoundFontMaker.Zone(sample: .sine(periodFrames: period))])
    }
    let lower = SoundFontMaker(presets: [preset(0, 0, 100), preset(128, 0, 100)])
    let upper = SoundFontMaker(presets: [
      preset(0, 0, 200), preset(0, 5, 200), preset(1, 0, 300), preset(128, 0, 300),
    ])
    return (
      try lower.write(to: directory.file("lower.sf2")),
      try upper.write(to: directory.file("upper.sf2"))
    )
  }

  static func rig(bankOffset: Int, bank: Int = 0, program: Int = 0) async throws -> SamplerRig {
    let rig = try SamplerRig()
    let (lower, upper) = try fonts(rig.directory)
    try await rig.unit.load(
      soundFonts: [SoundFontEntry(lower), SoundFontEntry(upper, bankOffset: bankOffset)],
      bank: bank, program: program)
    try rig.start()
    return rig
  }

  func hertz(_ rig: SamplerRig, _ before: [UInt8]..., channel: UInt8 = 0) throws -> Double {
    _ = try rig.render(64, before.map { (0, $0) })
    let signal = try rig.play([0x90 | channel, 60, 127])
    _ = try rig.play([0xB0 | channel, 120, 0])
    return try #require(frequency(of: signal))
  }

  @Test func theLastSoundFontThatHasAProgramWins() async throws {
    let rig = try await Self.rig(bankOffset: 0)
    #expect(abs(try hertz(rig) - 240) < 1)
    #expect(abs(try hertz(rig, [0xC0, 5]) - 240) < 1)
    #expect(abs(try hertz(rig, [0xB0, 0, 1], [0xC0, 0]) - 160) < 1)
    #expect(abs(try hertz(rig, channel: 9) - 160) < 1)
    #expect(
      rig.unit.soundFontPresets.map(\.name) == [
        "0:0 of 200", "0:5 of 200", "1:0 of 300", "128:0 of 300",
      ])
  }

  @Test func aBankOffsetMovesTheBanksOfItsSoundFontAlone() async throws {
    let rig = try await Self.rig(bankOffset: 10)
    #expect(abs(try hertz(rig) - 480) < 1)
    #expect(abs(try hertz(rig, [0xB0, 0, 10], [0xC0, 5]) - 240) < 1)
    #expect(abs(try hertz(rig, [0xB0, 0, 11], [0xC0, 0]) - 160) < 1)
    #expect(abs(try hertz(rig, channel: 9) - 480) < 1)
    #expect(rig.unit.soundFontPresets.map(\.bank) == [0, 10, 10, 11, 128, 138])
    #expect(rig.unit.soundFontPresets.map(\.program) == [0, 0, 5, 0, 0, 0])
  }

  @Test func theConfiguredProgramCanBeOfAnySoundFont() async throws {
    #expect(abs(try hertz(await Self.rig(bankOffset: 10, bank: 11)) - 160) < 1)
    #expect(abs(try hertz(await Self.rig(bankOffset: 10, bank: 10, program: 5)) - 240) < 1)
    await #expect(throws: SoundFontError.self) { try await Self.rig(bankOffset: 10, bank: 1) }
  }

  /// Compares with FluidSynth's own selection, for the same files, offsets and messages.
  @Test(arguments: [0, 1, 10])
  func theStackIsFluidSynthsOwn(bankOffset: Int) async throws {
    let rig = try await Self.rig(bankOffset: bankOffset)
    let settings = try #require(makeFluidSettings(sampleRate: 48_000, polyphony: 16))
    let synth = try #require(new_fluid_synth(settings))
    defer {
      delete_fluid_synth(synth)
      delete_fluid_settings(settings)
    }
    for (index, entry) in rig.unit.soundFonts.enumerated() {
      let number = fluid_synth_sfload(synth, entry.url.path, index == 1 ? 1 : 0)
      fluid_synth_set_bank_offset(synth, number, Int32(entry.bankOffset))
    }
    fluid_synth_program_reset(synth)
    for (bank, program) in [(0, 0), (0, 5), (1, 0), (1, 5), (10, 0), (11, 0), (2, 3)] {
      fluid_synth_cc(synth, 0, 0, Int32(bank))
      fluid_synth_program_change(synth, 0, Int32(program))
      let name = String(cString: fluid_preset_get_name(fluid_synth_get_channel_preset(synth, 0)))
      let period = try #require(Double(name.split(separator: " ").last!))
      let played = try hertz(rig, [0xB0, 0, UInt8(bank)], [0xC0, UInt8(program)])
      #expect(abs(played - 48_000 / period) < 1, "\(bank):\(program) is \(name)")
    }
  }

  @Test func aChangeOfTheStackLetsHeldNotesRingOut() async throws {
    let rig = try await Self.rig(bankOffset: 0)
    let (lower, upper) = (rig.unit.soundFonts[0].url, rig.unit.soundFonts[1].url)
    let held = try rig.play([0x90, 60, 127])
    try await rig.unit.load(soundFonts: [SoundFontEntry(upper), SoundFontEntry(lower)])
    let after = try rig.play()
    #expect(largestStep(held.suffix(1) + after) <= largestStep(held))
    #expect(abs(try #require(frequency(of: after)) - 240) < 1)
    _ = try rig.play([0x80, 60, 0], frames: 8192)
    #expect(abs(try hertz(rig) - 480) < 1)
  }

  @Test func aStackIsPartOfTheState() async throws {
    let rig = try await Self.rig(bankOffset: 10, bank: 10, program: 5)
    let other = try SamplerUnit()
    try other.setFullState(rig.unit.fullState)
    #expect(other.soundFonts.map(\.url.path) == rig.unit.soundFonts.map(\.url.path))
    #expect(other.soundFonts.map(\.bankOffset) == [0, 10])
    #expect(other.soundFontProgram! == (10, 5))
    #expect(other.fullState == rig.unit.fullState)
  }

  @Test func invalidStacksAreRefusedAndChangeNothing() async throws {
    let rig = try await SamplerRig.playing()
    await #expect(throws: SoundFontError.noFiles) { try await rig.unit.load(soundFonts: []) }
    await #expect(throws: SoundFontError.bankOffsetOutOfRange(128, path: rig.font.path)) {
      try await rig.unit.load(soundFonts: [SoundFontEntry(rig.font, bankOffset: 128)])
    }
    #expect(rig.unit.soundFonts == [SoundFontEntry(rig.font)])
  }

  @Test func theSameFileIsReadOnceWhileItIsPlayedAndAnotherTimeWhenItChanged() async throws {
    let rig = try await SamplerRig.playing()
    let first = try #require(rig.unit.bay.choice?.stack.layers[0].soundFont)
    try await rig.unit.load(
      soundFonts: [SoundFontEntry(rig.font), SoundFontEntry(rig.font, bankOffset: 5)], bank: 6)
    let stack = try #require(rig.unit.bay.choice?.stack)
    #expect(stack.layers.allSatisfy { $0.soundFont === first })
    // Equal modification second, sample positions and sizes: only the content differs.
    try SoundFontMaker.sine(periodFrames: 100).write(to: rig.font)
    try await rig.unit.load(soundFont: rig.font)
    let louder = SoundFontMaker(presets: [
      .init(name: "Other", zones: [.init(sample: .sine(periodFrames: 100, amplitude: 0.1))])
    ])
    _ = try rig.render(64)
    let loud = try rig.play([0x90, 60, 127]).max()!
    _ = try rig.play([0xB0, 120, 0])
    try louder.write(to: rig.font)
    try await rig.unit.reload()
    _ = try rig.render(64)
    #expect(try rig.play([0x90, 60, 127]).max()! < loud / 2)
  }

  @Test func aSoundFontThatIsNoLongerUsedIsReleased() async throws {
    let rig = try await SamplerRig.playing()
    let other = try SoundFontMaker.sine(periodFrames: 50).write(to: rig.directory.file("b.sf2"))
    weak let font = rig.unit.bay.choice?.stack.layers[0].soundFont
    _ = try rig.play([0x90, 60, 127])
    try await rig.unit.load(soundFont: other)
    _ = try rig.render(64)
    #expect(rig.unit.bay.poolCount == 2 && font != nil)
    _ = try rig.play([0x80, 60, 0], frames: 8192)
    _ = try rig.render(64)
    #expect(rig.unit.bay.poolCount == 1 && font == nil)
  }

  @Test func progressGrowsWithTheBytesThatAreReadAndEndsWithTheFile() async throws {
    let rig = try SamplerRig()
    let big = SoundFontMaker(presets: [
      .init(name: "Noise", zones: [.init(sample: .noise(seed: 1, frames: 2_000_000))])
    ])
    let url = try big.write(to: rig.directory.file("big.sf2"))
    let told = Mutex<[Double]>([])
    try await rig.unit.load(soundFont: url) { file, part in
      #expect(file == url)
      told.withLock { $0.append(part) }
    }
    let parts = told.withLock { $0 }
    #expect(parts.count > 4 && parts == parts.sorted() && parts.last == 1)
    #expect(parts.contains { $0 > 0.2 && $0 < 0.4 } && parts.contains { $0 > 0.6 && $0 < 0.8 })
  }

  @Test func aBankOffsetThatAloneHasChangedIsSaved() async throws {
    let rig = try SamplerRig()
    let written = ConfigurationValue(
      .array([
        ConfigurationValue(
          .table([
            .init(
              key: Located("file", at: .nowhere),
              value: ConfigurationValue(.string(rig.font.lastPathComponent))),
            .init(
              key: Located("bank-offset", at: .nowhere), value: ConfigurationValue(.integer(1))),
          ]))
      ]))
    let context = ConfigurationContext(
      file: rig.directory.file("session.toml"), environment: [:])
    for offset in [1, 3] {
      try await rig.unit.load(
        soundFonts: [SoundFontEntry(rig.font, bankOffset: offset)], bank: offset)
      var keys = UnitKeys()
      keys.set("soundfonts", to: written)
      #expect(rig.unit.describe(&keys, context))
      let fonts = SamplerConfiguration(keys).soundFonts
      #expect(fonts.map { $0.bankOffset?.value } == [offset])
      // An unchanged entry keeps the written file name.
      let file = fonts.first?.file.value
      #expect(file == (offset == 1 ? rig.font.lastPathComponent : rig.font.path))
    }
  }
}
