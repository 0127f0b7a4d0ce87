// Drum channels and bank selects, as configured.

import Foundation
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

extension SoundFontMaker {
  /// Program 0 of each bank as a constant of a different level: bank 0 has 0 dB, bank 1 −10, bank 2
  /// −20, bank 256 −30, percussion −40.
  fileprivate static var banks: SoundFontMaker {
    SoundFontMaker(
      name: "Banks",
      presets: [(0, 0), (1, 1), (2, 2), (128, 4), (256, 3)].map { bank, step in
        Preset(
          bank: bank, program: 0, name: "Bank \(bank)",
          zones: [
            Zone(
              sample: .constant(0.5 * Float(pow(10, -0.5 * Double(step)))), tracksKey: false)
          ])
      })
  }
}

@Suite struct ChannelSetupTests {
  /// Returns the bank that a channel plays.
  private func bank(_ rig: SamplerRig, _ channel: UInt8) throws -> Int {
    let output = try rig.render(4096, [(0, [0x90 | channel, 60, 127])]).left
    _ = try rig.play([0xB0 | channel, 120, 0])
    let level = peakDecibels(Array(output.suffix(1000)))
    // Half of full scale, at FluidSynth's gain, volume and pan.
    return [0, 1, 2, 256, 128][max(0, min(4, Int(((-26 - level) / 10).rounded())))]
  }

  private func playing(_ setup: SamplerChannelSetup) async throws -> SamplerRig {
    try await SamplerRig.playing(font: .banks, channels: setup)
  }

  @Test func theFontsKitPlaysOnTheDrumChannelsAndNoOther() async throws {
    for drums: Set<Int> in [[10], [], [1, 16], [11, 10]] {
      let rig = try await playing(SamplerChannelSetup(drumChannels: drums))
      let names = rig.unit.bay.presetNames
      for channel in [0, 9, 10, 15] {
        let wanted = drums.contains(channel + 1) ? 128 : 0
        #expect(try bank(rig, UInt8(channel)) == wanted, "channel \(channel + 1) of \(drums)")
        #expect(names[channel] == "Bank \(wanted)", "channel \(channel + 1) of \(drums)")
      }
      // Also after a reset, which in FluidSynth makes channel 10 a percussion channel.
      _ = try rig.play([0xF0, 0x7E, 0x7F, 9, 1, 0xF7])
      #expect(try bank(rig, 9) == (drums.contains(10) ? 128 : 0))
    }
  }

  @Test func onlyDrumChannelsKeepTheirPitch() async throws {
    let rig = try await SamplerRig.playing(channels: SamplerChannelSetup(drumChannels: [2]))
    rig["transpose"] = 12
    #expect(abs(cents(try rig.play([0x91, 60, 127]), above: 2 * Pitch.sine)) < 1)
    _ = try rig.play([0xB1, 120, 0])
    #expect(abs(cents(try rig.play([0x99, 60, 127]), above: 2 * Pitch.sine)) < 1)
  }

  /// GS "use for rhythm part" of a part, which is the last digit of its channel's address.
  private func rhythmPart(_ part: UInt8, _ value: UInt8) -> [UInt8] {
    let sum = 0x40 + 0x10 + part + 0x15 + value
    return [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x10 | part, 0x15, value, 0x80 - sum, 0xF7]
  }

  @Test func gsPercussionChannelsKeepTheirPitchAndNoteChannelsDoNot() async throws {
    let rig = try await SamplerRig.playing()
    // The kit sounds an octave above the other preset.
    func expect(_ channel: UInt8, octave: Double, _ comment: Comment) throws {
      let output = try rig.play([0x90 | channel, 60, 127])
      #expect(abs(cents(output, above: octave * Pitch.sine)) < 1, comment)
      _ = try rig.play([0xB0 | channel, 120, 0])
    }
    rig["transpose"] = 12
    _ = try rig.play(rhythmPart(3, 1), rhythmPart(0, 0))
    try expect(2, octave: 2, "percussion")
    try expect(9, octave: 2, "notes, transposed")
    rig["transpose"] = 0
    try expect(2, octave: 2, "percussion")
    try expect(9, octave: 1, "notes")
    rig["transpose"] = 12
    try await rig.unit.reload()
    try expect(2, octave: 2, "percussion on synths that begin anew")
    try expect(9, octave: 2, "notes, transposed, on synths that begin anew")
    _ = try rig.play([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7])
    rig["transpose"] = 24
    try expect(2, octave: 4, "notes again, transposed")
    try expect(9, octave: 2, "the kit again")
  }

  @Test(
    arguments: [
      (BankSelect.gs, [1, 0], 1), (.gs, [0, 2], 0), (.gm, [1, 2], 0), (.xg, [0, 2], 2),
      (.xg, [1, 0], 0), (.xg, [127, 0], 128), (.mma, [0, 2], 2), (.mma, [2, 0], 256),
    ] as [(BankSelect, [UInt8], Int)])
  func banksAreSelectedAsConfigured(bankSelect: BankSelect, bytes: [UInt8], wanted: Int)
    async throws
  {
    let rig = try await playing(SamplerChannelSetup(bankSelect: bankSelect))
    _ = try rig.play([0xB2, 0, bytes[0]], [0xB2, 32, bytes[1]], [0xC2, 0])
    #expect(try bank(rig, 2) == wanted)
    // The notes of a chord off the grid are on other synths, which have yet to receive the bank.
    let chord = try rig.render(
      4096, [(0, [0x92, 60, 127]), (7, [0x92, 61, 127]), (21, [0x92, 62, 127])]
    ).left
    _ = try rig.play([0xB2, 120, 0])
    let one = try rig.play([0x92, 60, 127])
    let rise = peakDecibels(Array(chord.suffix(1000))) - peakDecibels(Array(one.suffix(1000)))
    #expect(abs(rise - 20 * log10(3)) < 0.1)
    // Again on synths restarted by a reload of the SoundFont.
    try await rig.unit.reload()
    _ = try rig.play([0xB2, 120, 0])
    #expect(try bank(rig, 2) == wanted)
  }

  @Test func aResetsStandardTakesThePlaceOfTheConfiguredOne() async throws {
    let rig = try await playing(SamplerChannelSetup(bankSelect: .gm))
    let gsReset: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7]
    let rhythmPart: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19, 0xF7]
    _ = try rig.play(rhythmPart)
    #expect(try bank(rig, 0) == 0)
    _ = try rig.play(gsReset, rhythmPart, [0xB2, 0, 1], [0xC2, 0])
    #expect(try bank(rig, 0) == 128 && bank(rig, 2) == 1)
  }
}
