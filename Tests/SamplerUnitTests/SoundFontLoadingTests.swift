// Loading during playback: held notes continue, the switch is one step, and no resource is leaked.

import Foundation
import SoundFontFiles
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite struct SoundFontLoadingTests {
  @Test func aHeldNoteGoesOnAndEndsOnTheOldSound() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    let before = try rig.play([0x90, 60, 127], frames: 4096).suffix(100)
    try await rig.unit.load(soundFont: rig.font, bank: 1)
    let during = try rig.render(4096)
    #expect(Array(during.left.suffix(100)) == Array(before))
    #expect(during.left == Signal.constant(before.first!, frames: 4096))
    #expect(during.right == Signal.silence(frames: 4096))
    // New notes play the new sound; the held note's note-off ends the old one.
    let both = try rig.render(4096, [(0, [0x90, 64, 127])])
    #expect(both.right.max()! > 0.05 && both.left.min()! > 0.05)
    let released = try rig.render(8192, [(0, [0x80, 60, 0])])
    #expect(released.right.min()! > 0.05)
    #expect(peakDecibels(Array(released.left.suffix(64))) < -100)
    #expect(rig.unit.bay.poolCount == 1)
  }

  @Test func aKeyStruckAgainEndsItsNoteOnTheOldSound() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 60, 127])
    try await rig.unit.load(soundFont: rig.font, bank: 1)
    let output = try rig.render(8192, [(0, [0x90, 60, 127])])
    #expect(output.left.suffix(64).max() == 0 && output.right.suffix(64).min()! > 0.05)
    #expect(try rig.render(8192, [(0, [0x80, 60, 0])]).right.suffix(64).max() == 0)
  }

  @Test func thePedalReachesTheOldSound() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 60, 127], [0xB0, 64, 127], [0x80, 60, 0])
    try await rig.unit.load(soundFont: rig.font, bank: 1)
    #expect(try rig.render(4096).left.min()! > 0.05)
    // The pedal is down for the new sound too.
    let note = try rig.render(4096, [(0, [0x90, 62, 127]), (100, [0x80, 62, 0])])
    #expect(note.right.suffix(64).min()! > 0.05)
    let lifted = try rig.render(8192, [(0, [0xB0, 64, 0])])
    #expect(lifted.left.suffix(64).max() == 0 && lifted.right.suffix(64).max() == 0)
  }

  @Test func aSixthSoundFadesTheFirstOut() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 60, 127])
    for key in UInt8(61)...64 {
      try await rig.unit.load(soundFont: rig.font, bank: 1)
      let both = try rig.render(4096, [(0, [0x90, key, 127])])
      #expect(both.left.min()! > 0.05 && both.right.last! > 0.05)
    }
    let before = try rig.render(64).left.suffix(1)
    try await rig.unit.load(soundFont: rig.font, program: 0)
    let output = try rig.render(4096, period: 64)
    #expect(output.left[960...].max()! < 1e-6 && output.right.min()! > 0.05)
    #expect(largestStep(before + output.left) < 0.001)
    let note = try rig.render(4096, [(0, [0x91, 60, 127])]).left
    #expect(abs(cents(note, above: Pitch.sine)) < 2)
    #expect(rig.unit.bay.poolCount == 5)
    _ = try rig.render(8192, (61...64).map { (0, [0x80, $0, 0]) } + [(0, [0x81, 60, 0])])
    #expect(rig.unit.bay.poolCount == 1)
  }

  @Test func loadsInQuickSuccessionLeaveTheLast() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    for program in [0, 1, 2, 3, 0, 1, 2, 0] {
      try await rig.unit.load(soundFont: rig.font, program: program)
    }
    _ = try rig.render(4096)
    _ = try rig.render(64)
    #expect(rig.unit.bay.poolCount == 1)
    #expect(abs(cents(try rig.play([0x90, 60, 127]), above: Pitch.sine)) < 1)
  }

  @Test(arguments: [true, false])
  func midiSettingsExceptProgramsAreCarriedOver(isTuned: Bool) async throws {
    let rig = try await SamplerRig.playing()
    rig["transpose"] = 1
    // Coarse tuning, then the range of the bend, by registered parameters; volume, pan, bend. The
    // last four messages set the SoundFont's attenuation by a non-registered parameter.
    let tuning: [[UInt8]] = [[0xB0, 101, 0], [0xB0, 100, 2], [0xB0, 6, 67]]
    let others: [[UInt8]] = [
      [0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 12], [0xB0, 7, 50], [0xB0, 10, 0], [0xE0, 0, 0],
      [0xB0, 99, 120], [0xB0, 98, 48], [0xB0, 38, 100], [0xB0, 6, 64],
    ]
    let settings = (isTuned ? tuning : []) + others
    _ = try rig.render(4096, (settings + [[0xC0, 1]]).map { (0, $0) })
    let other = try SoundFontMaker.sine(periodFrames: 200).write(
      to: rig.directory.file("other.sf2"))
    try await rig.unit.load(soundFont: other)
    let output = try rig.render(48_000, [(0, [0x90, 60, 127])])
    // FluidSynth bends by 127/128 of the range.
    let expected: Double = (isTuned ? 400 : 100) - 1190.6
    #expect(abs(cents(output.left, above: Pitch.sine / 2) - expected) < 10)
    #expect(peakDecibels(Array(output.right.suffix(1000))) < -60)
    // The same as if all messages had been sent to the new sound.
    let fresh = try SamplerRig()
    fresh["transpose"] = 1
    try await fresh.unit.load(soundFont: other)
    try fresh.start()
    let same = try fresh.render(48_000, (settings + [[0x90, 60, 127]]).map { (0, $0) })
    #expect(same.left == output.left)
  }

  @Test func messagesBeforeTheFirstLoadAreRemembered() async throws {
    let rig = try SamplerRig()
    try rig.start()
    _ = try rig.play([0xB0, 10, 0], [0xE0, 0x7F, 0x7F], [0x90, 60, 127])
    try await rig.unit.load(soundFont: rig.font)
    #expect(try rig.render(4096).left == Signal.silence(frames: 4096))
    let output = try rig.render(24_000, [(0, [0x90, 60, 127])])
    #expect(abs(cents(output.left, above: Pitch.sine) - 198) < 1)
    #expect(peakDecibels(Array(output.right.suffix(1000))) < -60)
  }

  @Test func aReloadKeepsProgramsAndReadsTheFileAgain() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play([0xC0, 1], [0xC1, 0])
    var changed = SoundFontMaker.rig
    changed.presets[0] = SoundFontMaker.sine(periodFrames: 200).presets[0]
    try changed.write(to: rig.font)
    try await rig.unit.reload()
    _ = try rig.render(4096)
    #expect(abs(cents(try rig.play([0x91, 60, 127]), above: Pitch.sine / 2)) < 2)
    _ = try rig.play([0xB1, 120, 0])
    let left = try rig.render(4096, [(0, [0x90, 60, 127])])
    #expect(left.left.last! > 0.05 && left.right.last! == 0)
    #expect(rig.unit.soundFontPresets.map(\.name).contains("Other"))
  }

  @Test func aReloadOfNothingIsAnError() async throws {
    let rig = try SamplerRig()
    await #expect(throws: SoundFontError.nothingLoaded) { try await rig.unit.reload() }
  }

  @Test func anotherPeriodOrRateKeepsTheSoundFontAndPrograms() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play([0xC0, 1], [0xE1, 0, 0], [0x91, 60, 127])
    for rate in [44_100.0, 96_000, 16_000, 48_000] {
      try rig.stop()
      #expect(rig.unit.bay.poolCount == 0)
      try rig.unit.outputBusses[0].setFormat(AudioFormat(sampleRate: rate, channelCount: 2))
      try rig.start()
      #expect(try rig.render(256).left == Signal.silence(frames: 256))
      #expect(try rig.play([0x90, 60, 127]).last! > 0.05)
      _ = try rig.play([0xB0, 120, 0])
      let bent = try rig.play([0x91, 60, 127], frames: Int(rate) / 2)
      let hertz = try #require(frequency(of: bent, sampleRate: rate))
      #expect(abs(1200 * log2(hertz / Pitch.sine) + 200) < 2)
      _ = try rig.play([0xB1, 120, 0])
    }
    try rig.stop()
    try rig.unit.outputBusses[0].setFormat(AudioFormat(sampleRate: 192_000, channelCount: 2))
    // A bounce fails at this sample rate; a session continues with silence.
    rig.unit.isRenderingOffline = true
    #expect(throws: AudioUnitError.self) { try rig.unit.allocateRenderResources() }
    rig.unit.isRenderingOffline = false
    try rig.start()
    #expect(try rig.play([0x90, 60, 127]) == Signal.silence(frames: 4096))
    try await rig.unit.load(soundFont: rig.font, program: 1)
    #expect(try rig.play([0x90, 62, 127]) == Signal.silence(frames: 4096))
    try rig.stop()
    for bus in rig.unit.outputBusses {
      try bus.setFormat(AudioFormat(sampleRate: 48_000, channelCount: 2))
    }
    try rig.start()
    #expect(try rig.play([0x90, 60, 127]).last! > 0.05)
  }

  @Test func severalUnitsLoadAndPlayAtOnce() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        group.addTask {
          let rig = try await SamplerRig.playing()
          for round in 0..<5 {
            let (unit, font) = (rig.unit, rig.font)
            async let loading: Void = unit.load(soundFont: font, bank: 0, program: round % 2)
            for _ in 0..<20 {
              let key = UInt8(40 + index)
              _ = try rig.play([0x90, key, 100], frames: 512)
              _ = try rig.play([0x80, key, 0], frames: 512)
            }
            try await loading
          }
          try await rig.unit.load(soundFont: rig.font)
          _ = try rig.render(48_000)
          #expect(abs(cents(try rig.play([0x90, 60, 127]), above: Pitch.sine)) < 1)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aUnitThatGoesWhileASoundFontIsLoadingIsNoTrouble() async throws {
    for _ in 0..<10 {
      let rig = try await SamplerRig.playing()
      let unit = rig.unit
      let font = rig.font
      async let loading: Void = unit.load(soundFont: font, program: 1)
      try rig.stop()
      try await loading
      try rig.start()
      #expect(try rig.play([0x90, 60, 127]).last! > 0.05)
    }
  }
}
