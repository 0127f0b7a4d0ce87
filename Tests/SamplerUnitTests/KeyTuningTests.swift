// The MIDI Tuning Standard.

import Foundation
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite struct KeyTuningTests {
  private func universal(_ isRealTime: Bool, _ body: [UInt8]) -> [UInt8] {
    [0xF0, isRealTime ? 0x7F : 0x7E, 0x7F, 8] + body + [0xF7]
  }

  /// A pitch in semitones, as three bytes.
  private func bytes(_ semitones: Double) -> [UInt8] {
    let number = Int((semitones * 16_384).rounded())
    return [UInt8(number >> 14), UInt8(number >> 7 & 127), UInt8(number & 127)]
  }

  private func select(_ program: UInt8, bank: UInt8? = nil, channel: UInt8 = 0) -> [[UInt8]] {
    let control = 0xB0 | channel
    return (bank.map { [[control, 101, 0], [control, 100, 4], [control, 6, $0]] } ?? [])
      + [[control, 101, 0], [control, 100, 3], [control, 6, program]]
  }

  private func send(_ rig: SamplerRig, _ messages: [[UInt8]]) throws {
    _ = try rig.render(256, messages.map { (0, $0) })
  }

  private func pitch(_ rig: SamplerRig, _ key: UInt8, channel: UInt8 = 0) throws -> Double {
    let output = try rig.play([0x90 | channel, key, 127], frames: 24_000)
    _ = try rig.play([0xB0 | channel, 120, 0])
    return cents(output, above: Pitch.sine)
  }

  /// Every key a quarter tone up, except key 60, which stays, and key 61, marked "no change".
  private func dump(_ head: [UInt8]) -> [UInt8] {
    var body = head + [UInt8](repeating: 65, count: 16)
    for key in 0..<128 {
      body += key == 60 ? bytes(60) : key == 61 ? [127, 127, 127] : bytes(Double(key) + 0.5)
    }
    return universal(false, body + [0])
  }

  @Test func aDumpTunesTheKeysOfChannelsThatSelectIt() async throws {
    let rig = try await SamplerRig.playing()
    try send(rig, [dump([1, 5])] + select(5))
    #expect(try abs(pitch(rig, 60)) < 1 && abs(pitch(rig, 61) - 100) < 1)
    #expect(try abs(pitch(rig, 62) - 250) < 1 && abs(pitch(rig, 48) + 1150) < 1)
    #expect(abs(try pitch(rig, 62, channel: 1) - 200) < 1)
    try send(rig, [dump([4, 3, 5])] + select(5, bank: 3, channel: 1))
    #expect(abs(try pitch(rig, 62, channel: 1) - 250) < 1)
    // An unsent program is equal-tempered. Tuning also reaches synths that have not played yet.
    try send(rig, select(6))
    #expect(abs(try pitch(rig, 62) - 200) < 1)
    try send(rig, select(5))
    let late = try rig.render(24_000, [(13, [0x90, 62, 127])]).left
    #expect(abs(cents(late, above: Pitch.sine) - 250) < 1)
    _ = try rig.play([0xB0, 120, 0])
    try await rig.unit.reload()
    #expect(abs(try pitch(rig, 62) - 250) < 1)
    #expect(rig.unit.ignoredMessages == 0)
    for reset in DeviceMessage.resets {
      try send(rig, select(5) + [reset])
      #expect(abs(try pitch(rig, 62) - 200) < 1)
      try send(rig, [dump([1, 5])])
    }
  }

  @Test func percussionAndZonesWithoutKeyTrackingKeepTheirPitch() async throws {
    var font = SoundFontMaker.rig
    font.presets[0].zones[0].tracksKey = false
    let rig = try await SamplerRig.playing(font: font)
    try send(rig, [dump([1, 5])] + select(5) + select(5, channel: 9))
    #expect(abs(try pitch(rig, 62)) < 1)
    #expect(abs(try pitch(rig, 60, channel: 9) - 1200) < 1)
  }

  @Test(arguments: [true, false])
  func onlyRealTimeMessagesRetuneSoundingNotes(isRealTime: Bool) async throws {
    for (head, bank) in [([2, 7, 1], nil), ([7, 9, 7, 1], 9)] as [([UInt8], UInt8?)] {
      let rig = try await SamplerRig.playing()
      try send(rig, select(7, bank: bank))
      _ = try rig.play([0x90, 62, 127])
      let change = universal(isRealTime, head + [62] + bytes(64.25))
      let output = try rig.render(24_000, [(100, change)]).left
      #expect(abs(cents(output, above: Pitch.sine) - (isRealTime ? 425 : 200)) < 1)
      _ = try rig.play([0xB0, 120, 0])
      #expect(try abs(pitch(rig, 62) - 425) < 1 && abs(pitch(rig, 63) - 300) < 1)
    }
  }

  @Test(arguments: [true, false])
  func anOctaveIsTunedOnTheChannelsThatAreNamed(isRealTime: Bool) async throws {
    let coarse = (0..<12).map { UInt8(64 + 5 * $0) }
    let fine = (0..<12).flatMap { note -> [UInt8] in
      let value = 8192 - 41 * note  // half a cent for each
      return [UInt8(value >> 7), UInt8(value & 127)]
    }
    // Channels 2, 9 and 16. FluidSynth's pitches are in whole cents.
    for (body, step) in [([8, 2, 2, 2] + coarse, 5.0), ([9, 2, 2, 2] + fine, -0.5)] {
      let rig = try await SamplerRig.playing()
      for channel: UInt8 in [1, 8, 15] {
        _ = try rig.play([0x90 | channel, 62, 127])
        let output = try rig.render(24_000, [(0, universal(isRealTime, body))]).left
        #expect(abs(cents(output, above: Pitch.sine) - 200 - (isRealTime ? 2 * step : 0)) < 0.1)
        _ = try rig.play([0xB0 | channel, 120, 0])
        #expect(abs(try pitch(rig, 71, channel: channel) - 1100 - 11 * step) < 0.6)
        #expect(abs(try pitch(rig, 48, channel: channel) + 1200) < 0.1)
        try send(rig, [universal(true, [8, 3, 127, 127] + [UInt8](repeating: 64, count: 12))])
        #expect(abs(try pitch(rig, 71, channel: channel) - 1100) < 0.1)
        try send(rig, [universal(true, body)])
        #expect(abs(try pitch(rig, 62, channel: 0) - 200) < 0.1)
        try send(rig, [[0xFF]])
      }
    }
  }

  @Test func aDumpOfAnOctaveIsATuningToo() async throws {
    let rig = try await SamplerRig.playing()
    let name = [UInt8](repeating: 65, count: 16)
    let coarse = [UInt8](repeating: 94, count: 12)
    let fine = [[UInt8]](repeating: [0x60, 0], count: 12).flatMap(\.self)
    try send(rig, [universal(false, [5, 0, 1] + name + coarse + [0])] + select(1))
    #expect(abs(try pitch(rig, 62) - 230) < 1)
    try send(rig, [universal(false, [6, 0, 2] + name + fine + [0])] + select(2))
    #expect(abs(try pitch(rig, 62) - 250) < 1)
  }

  @Test func aTunedNoteBeginsOnItsFrameWithItsPitch() async throws {
    let (tuned, bent) = (try await SamplerRig.playing(), try await SamplerRig.playing())
    var body: [UInt8] = [8, 0, 0, 1]
    body += [UInt8](repeating: 64 + 50, count: 12)
    // Fine tuning of the channel by 50 cents has the same effect.
    try send(tuned, [universal(true, body)])
    try send(bent, [[0xB0, 101, 0], [0xB0, 100, 1], [0xB0, 38, 0], [0xB0, 6, 96]])
    let note: [(Int, [UInt8])] = [(777, [0x90, 60, 127])]
    let output = try tuned.render(8192, note).left
    let wanted = try bent.render(8192, note).left
    #expect(output[..<777].allSatisfy { $0 == 0 } && output[778] != 0)
    #expect(zip(output, wanted).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test func aNoteThatComesBackInMonoModeHasItsOwnTuning() async throws {
    let rig = try await SamplerRig.playing()
    try send(rig, [universal(true, [2, 1, 2, 60] + bytes(60.3) + [64] + bytes(64.6))] + select(1))
    for legato: UInt8 in [0, 127] {
      try send(rig, [[0xB0, 126, 1], [0xB0, 68, legato]])
      #expect(
        abs(cents(try rig.play([0x90, 60, 127], frames: 24_000), above: Pitch.sine) - 30) < 1)
      #expect(
        abs(cents(try rig.play([0x90, 64, 127], frames: 24_000), above: Pitch.sine) - 460) < 1)
      #expect(abs(cents(try rig.play([0x80, 64, 0], frames: 24_000), above: Pitch.sine) - 30) < 1)
      _ = try rig.play([0x80, 60, 0], [0xB0, 120, 0])
    }
  }

  @Test func noTuningReachesBeyondTheHighestKey() async throws {
    let rig = try await SamplerRig.playing(font: .sine(periodFrames: 1000))
    try send(rig, [universal(true, [2, 1, 1, 0] + [127, 127, 126])] + select(1))
    let highest = try rig.play([0x90, 0, 127], frames: 24_000)
    #expect(abs(cents(highest, above: 48) - 6_800) < 30)
  }

  @Test func tuningsBeyondThoseThatAreStoredAreCounted() async throws {
    let rig = try await SamplerRig.playing()
    for program in UInt8(0)..<128 { try send(rig, select(program)) }
    #expect(rig.unit.ignoredMessages == 0)
    try send(rig, [universal(true, [7, 1, 0, 1, 62] + bytes(64))] + select(0, bank: 1))
    #expect(rig.unit.ignoredMessages == 2)
    #expect(abs(try pitch(rig, 62) - 200) < 1)
  }
}
