// Programs, banks, SysEx, the MIDI chain, and floods.

import Foundation
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite struct SamplerMIDITests {
  /// Returns the preset of the rig's font that a channel plays.
  private func preset(_ rig: SamplerRig, _ channel: UInt8) throws -> String {
    // A FluidSynth voice reaches the level of a new note within a block.
    let output = try rig.render(4096, [(0, [0x90 | channel, 60, 127])])
    let left = peakDecibels(Array(output.left.suffix(2000)))
    let right = peakDecibels(Array(output.right.suffix(2000)))
    _ = try rig.play([0xB0 | channel, 120, 0])
    if let hertz = frequency(of: output.left) { return hertz > 700 ? "Kit" : "Sine" }
    return left > right + 20 ? "Left" : right > left + 20 ? "Right" : left > -60 ? "Other" : "none"
  }

  @Test func theConfiguredPresetHoldsOnAllChannelsButForTheKitOnTen() async throws {
    let rig = try await SamplerRig.playing(bank: 1)
    for channel in UInt8(0)..<16 {
      #expect(try preset(rig, channel) == (channel == 9 ? "Kit" : "Right"))
    }
  }

  @Test func withoutAKitTheConfiguredPresetHoldsOnTenToo() async throws {
    let rig = try await SamplerRig.playing(font: .sine(periodFrames: 100))
    #expect(try preset(rig, 9) == "Sine")
    rig["transpose"] = 12
    #expect(try preset(rig, 9) == "Kit")  // as high as the kit would be
  }

  @Test func bankOneHundredAndTwentyEightMakesEveryChannelPercussion() async throws {
    let rig = try await SamplerRig.playing(bank: 128)
    rig["transpose"] = 12
    for channel in [0, 9, 15] as [UInt8] {
      let output = try rig.play([0x90 | channel, 60, 127])
      #expect(abs(cents(output, above: 2 * Pitch.sine)) < 1)
      _ = try rig.play([0xB0 | channel, 120, 0])
    }
  }

  @Test func programsAndBanksAreChosenByMIDI() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play([0xC2, 1])
    #expect(try preset(rig, 2) == "Left")
    _ = try rig.play([0xB2, 0, 1], [0xC2, 0])
    #expect(try preset(rig, 2) == "Right")
    #expect(try preset(rig, 1) == "Sine")
    for reset: [UInt8] in [
      [0xFF], [0xF0, 0x7E, 0x7F, 9, 3, 0xF7], [0xF0, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7],
      [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7], [0xF0, 0x7E, 0x7F, 9, 1, 0xF7],
    ] {
      _ = try rig.play([0xB2, 0, 0], [0xC2, 1])
      #expect(try preset(rig, 2) == "Left")
      _ = try rig.play(reset)
      #expect(try preset(rig, 2) == "Sine", "\(reset)")
      #expect(try preset(rig, 9) == "Kit", "\(reset)")
    }
  }

  @Test func theStandardThatWasChosenHoldsForTheNextSoundFontToo() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play([0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0xB2, 0, 1], [0xC2, 0])
    #expect(try preset(rig, 2) == "Sine")
    try await rig.unit.load(soundFont: rig.font, program: 1)
    _ = try rig.play([0xB2, 0, 1], [0xC2, 0])
    #expect(try preset(rig, 2) == "Sine")
    _ = try rig.play(
      [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7], [0xB2, 0, 1], [0xC2, 0])
    #expect(try preset(rig, 2) == "Right")
  }

  @Test func aSystemExclusiveThatIsNoResetChangesNoProgram() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play(
      [0xC2, 1], [0xF0, 0x7E, 0, 6, 1, 0xF7], [0xF0, 0x41, 1, 2, 0xF7], [0xF0, 0xF7])
    #expect(try preset(rig, 2) == "Left")
  }

  @Test func pitchIsLimitedForTheRenderThread() async throws {
    let rig = try await SamplerRig.playing(font: .sine(periodFrames: 1000))
    let note = try rig.play(
      [0xB0, 101, 0], [0xB0, 100, 2], [0xB0, 6, 127], [0x90, 60, 127], frames: 48_000)
    #expect(abs(cents(note, above: 48) - 2400) < 5)
    _ = try rig.play([0xB0, 6, 0], frames: 256)
    #expect(abs(cents(try rig.render(192_000).left, above: 48) + 2400) < 5)
    for generator: UInt8 in [5, 6, 7, 51, 52, 56, 59] {
      _ = try rig.play([0xB0, 99, 120], [0xB0, 98, generator], [0xB0, 38, 0], [0xB0, 6, 127])
    }
    #expect(abs(cents(try rig.render(192_000).left, above: 48) + 2400) < 5)
    // A range of 127 semitones would add three octaves.
    let bent = try rig.play(
      [0xB0, 6, 64], [0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 127], [0xE0, 0, 64 + 8],
      frames: 48_000)
    #expect(abs(cents(bent, above: 48) + 2400 - 96 * 100 / 8 * 127 / 128) < 30)
  }

  @Test func aNoteOffEndsItsNote() async throws {
    for release: [UInt8] in [
      [0x80, 60, 0], [0x90, 60, 0], [0xB0, 123, 0], [0xB0, 120, 0], [0xFF], [0xB0, 126, 1],
    ] {
      let rig = try await SamplerRig.playing(program: 1)
      _ = try rig.play([0x90, 60, 127])
      _ = try rig.play(release, frames: 8192)
      #expect(try rig.render(64).left == Signal.silence(frames: 64), "\(release)")
    }
  }

  @Test func theSustainPedalHolds() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 60, 127], [0xB0, 64, 127])
    _ = try rig.play([0x80, 60, 0], frames: 8192)
    #expect(try rig.render(64).left.max()! > 0.01)
    _ = try rig.play([0xB0, 64, 0], frames: 8192)
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
  }

  @Test func midiPassesTheChainWhoseSettingsAreParameters() async throws {
    let rig = try await SamplerRig.playing([.filter, .transpose])
    rig["midi.transpose.semitones"] = 12
    rig["midi.filter.keyLow"] = 60
    #expect(rig["midi.filter.keyLow"] == 60)
    #expect(abs(cents(try rig.play([0x90, 60, 127]), above: 2 * Pitch.sine)) < 1)
    rig["midi.transpose.semitones"] = 0
    _ = try rig.play([0x80, 60, 0], [0x90, 59, 127], frames: 8192)
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
  }

  @Test func chainSettingsMadeBeforeAllocationHold() async throws {
    let rig = try SamplerRig([.transpose, .transpose])
    rig["midi.transpose.semitones"] = 5
    rig["midi.transpose2.semitones"] = 7
    rig["midi.transpose2.channels.2"] = 0
    try await rig.unit.load(soundFont: rig.font)
    try rig.start()
    #expect(abs(cents(try rig.play([0x90, 60, 127]), above: 2 * Pitch.sine)) < 1)
    _ = try rig.play([0xB0, 120, 0])
    #expect(abs(cents(try rig.play([0x91, 60, 127]), above: Pitch.sine) - 500) < 1)
  }

  @Test func aFloodLeavesNoNoteStuck() async throws {
    let rig = try await SamplerRig.playing()
    rig["polyphony"] = 512
    for round in 0..<3 {
      var flood: [(Int, [UInt8])] = (0..<500).map { (0, [0x90, UInt8($0 % 128), 100]) }
      flood += (0..<2000).map { (0, [0xB0, 7, UInt8(($0 + round) % 128)]) }
      flood += (0..<2000).map { (0, [0xE0, 0, UInt8($0 % 128)]) }
      flood += (0..<128).map { (0, [0x80, UInt8($0), 0]) }
      _ = try rig.render(256, flood)
    }
    #expect(rig.unit.skippedBlocks == 0 && rig.unit.deferredEvents > 0)
    #expect(rig.unit.lostEvents == 0)
    _ = try rig.render(48_000, [(0, [0xB0, 7, 100])])
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
    #expect(rig.unit.switches.value(of: .droppedEvents) == 0)
    // All voices are free again.
    var chord: [(Int, [UInt8])] = [(0, [0xE0, 0, 64])]
    for note in 0..<512 {
      chord.append((note / 16 * 64, [0x90 | UInt8(note / 64), UInt8(note % 64), 127]))
    }
    let loud = peakDecibels(try rig.render(4096, chord).left)
    let fresh = try await SamplerRig.playing()
    fresh["polyphony"] = 512
    #expect(abs(loud - peakDecibels(try fresh.render(4096, chord).left)) < 0.1)
  }

  @Test func modeMessagesAreForTheirOwnChannel() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    for mode: [UInt8] in [[0xB0, 124, 0], [0xB0, 125, 0], [0xB0, 126, 16], [0xB3, 126, 0]] {
      _ = try rig.play([0x92, 60, 127])
      _ = try rig.play(mode)
      #expect(try rig.render(64).left.max()! > 0.01, "\(mode)")
      #expect(try rig.play([0x82, 60, 0], frames: 8192).suffix(64).max() == 0, "\(mode)")
    }
    // Channel 1 now plays one note at a time, channel 2 still many.
    for (channel, rise) in [(UInt8(0), 0.0), (1, 6.02)] {
      let one = try rig.play([0x90 | channel, 60, 127]).last!
      let two = try rig.play([0x90 | channel, 64, 127], frames: 8192).last!
      #expect(abs(decibels(two / one) - rise) < 0.1)
      _ = try rig.play([0xB0 | channel, 120, 0])
    }
    #expect(try rig.play([0xB0, 127, 0], [0x90, 60, 127], [0x90, 64, 127]).last! > 0.13)
  }

  @Test(arguments: seeds(40))
  func randomBytesAreSurvivedAndLeaveNoNoteStuck(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let rig = try await SamplerRig.playing([.filter, .transpose])
    for _ in 0..<30 {
      let midi: [(Int, [UInt8])] = (0..<60).map { _ in
        let frame = Int.random(in: 0..<256, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          return (frame, random.bytes(Int.random(in: 1...3, using: &random)))
        case 1:
          let body = random.bytes(Int.random(in: 0...20, using: &random)).map { $0 & 0x7F }
          return (
            frame, [0xF0, [0x7E, 0x7F, 0x41, 0x43].randomElement(using: &random)!] + body + [0xF7]
          )
        default:
          return (
            frame,
            [UInt8.random(in: 0x80...0xEF, using: &random)]
              + random.bytes(2).map { $0 & 0x7F }
          )
        }
      }.filter { !$0.1.isEmpty }
      _ = try rig.render(256, midi)
    }
    let end: [(Int, [UInt8])] = (0..<16).flatMap { channel in
      [(0, [0xB0 | UInt8(channel), 121, 0]), (0, [0xB0 | UInt8(channel), 123, 0])]
    }
    _ = try rig.render(48_000 * 2, end)
    let rest = try rig.render(64)
    #expect(rest.left == Signal.silence(frames: 64) && rest.right == Signal.silence(frames: 64))
    #expect(rig.unit.switches.value(of: .nonFiniteCycles) == 0)
  }
}
