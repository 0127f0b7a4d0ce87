// No sound remains once the last note has ended, however dense the music: thousands of seeded
// streams.

import Foundation
import MIDIStages
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

/// The ordinary suite plays 24 streams, or `AURICLE_STREAMS`, from seed `AURICLE_STREAM_SEED` on,
/// by default 0, and the ones that failed once.
@Suite(.serialized) struct StuckNoteTests {
  private static var seeds: [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["AURICLE_STREAMS"].flatMap { UInt64($0) } ?? 24
    let first = environment["AURICLE_STREAM_SEED"].flatMap { UInt64($0) } ?? 0
    return Array(first..<first + count) + failedOnce
  }

  /// Seeds of streams that left a sound, or omitted or cut off a note, before a fix.
  private static let failedOnce: [UInt64] = [
    5_003, 5_053, 5_081, 5_200, 5_307, 5_397, 20_633, 20_653, 21_003, 21_037, 21_464, 21_569,
    22_188, 22_317,
  ]

  /// Conditions of a stream's playback.
  private struct Setting {
    let polyphony: Float
    let synths: Float
    let notesPerSecond: Int
    let period: Int
    let stages: [MIDIStageKind]
    let frames: Int
    let end: End

    enum End: CaseIterable { case tail, allSoundOff, systemReset }

    init(_ random: inout SeededRandom) {
      polyphony = [2, 16, 64, 64, 256, 512].randomElement(using: &random)!
      synths = [1, 2, 3, 16, 64, 64].randomElement(using: &random)!
      notesPerSecond = [100, 500, 1_000, 5_000].randomElement(using: &random)!
      period = [16, 64, 64, 127, 256, 1_024].randomElement(using: &random)!
      let kinds = MIDIStageKind.allCases
      stages =
        Bool.random(using: &random)
        ? []
        : (0..<Int.random(in: 1...4, using: &random)).map { _ in
          kinds.randomElement(using: &random)!
        }
      frames = Int.random(in: 4_000...24_000, using: &random)
      end = End.allCases.randomElement(using: &random)!
    }
  }

  @Test(arguments: seeds)
  func allIsSilentAfterTheLastNoteOff(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let setting = Setting(&random)
    let rig = try SamplerRig(setting.stages, font: .dense)
    rig["polyphony"] = setting.polyphony
    rig["synths"] = setting.synths
    try await rig.unit.load(soundFont: rig.font)
    try rig.start()
    let midi = denseMusic(
      frames: setting.frames, notesPerSecond: setting.notesPerSecond, &random)
    let output = try rig.render(setting.frames + 1, midi, period: setting.period).left
    #expect(output.contains { $0 != 0 }, "\(setting)")
    try end(rig, setting)
    let rest = try rig.render(4_096, period: setting.period)
    #expect(
      rest.left == Signal.silence(frames: 4_096) && rest.right == Signal.silence(frames: 4_096),
      "\(setting), up to \(rest.left.map(abs).max()!)")
    #expect(rig.unit.lostEvents == 0 && rig.unit.skippedBlocks == 0, "\(setting)")
    #expect(rig.unit.voiceShortages == 0, "\(setting)")
    // The synths are as good as new: a note has its full level.
    let fresh: [[UInt8]] = [
      [0xC0, 1], [0xB0, 7, 100], [0xB0, 10, 64], [0xB0, 11, 127], [0x90, 60, 127],
    ]
    let note = try rig.render(4_096, fresh.map { (0, $0) }).left
    if setting.stages.isEmpty { #expect(peakDecibels(note) > -60, "\(setting)") }
  }

  private static func rig() async throws -> SamplerRig {
    let rig = try SamplerRig([], font: .dense)
    try await rig.unit.load(soundFont: rig.font)
    try rig.start()
    return rig
  }

  /// The choked note reaches its least length, 10 ms, in the block of All Sound Off.
  @Test(arguments: [[0xB9, 120, 0], [0xFF]] as [[UInt8]])
  func chokedNotesDoNotOutliveAllSoundOff(end: [UInt8]) async throws {
    let rig = try await Self.rig()
    let output = try rig.render(
      2_048,
      [(0, [0x99, 60, 100]), (10, [0x99, 62, 100]), (20, [0x89, 62, 0]), (470, end)], period: 64
    ).left
    #expect(peakDecibels(Array(output[..<448])) > -40)
    #expect(peakDecibels(Array(output[640...])) < -90)
    #expect(output[1_536...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [true, false])
  func aGlideBetweenProgramsLeavesOutNoLaterNote(endsInNoteOff: Bool) async throws {
    let rig = try await Self.rig()
    let glide: [[UInt8]] =
      endsInNoteOff
      ? [[0x90, 50, 100], [0x90, 62, 100], [0xC0, 1], [0x80, 62, 0]]
      : [[0x90, 50, 100], [0xC0, 1], [0x90, 62, 100]]
    _ = try rig.render(4_096, ([[0xB0, 68, 127]] + glide).map { (0, $0) })
    let ends: [[UInt8]] = [[0x80, 50, 0], [0x80, 62, 0], [0xB0, 120, 0]]
    _ = try rig.render(48_000, ends.map { (0, $0) })
    for key in [50, 62] as [UInt8] {
      let note = try rig.render(4_096, [(0, [0x91, key, 127]), (4_000, [0xB1, 120, 0])]).left
      #expect(peakDecibels(note) > -40, "\(key)")
    }
  }

  private static let modes: [[[UInt8]]] = [
    [], [[126, 0]], [[126, 1]], [[126, 127]], [[68, 127]], [[65, 127], [5, 20]],
    [[126, 1], [68, 127]], [[126, 1], [65, 127], [5, 20]],
  ]

  /// Note-ons and note-offs of a few keys in any order and number, on channels in all modes. The
  /// modes, the SoundFont and the synths change meanwhile. Each key down at the end has one
  /// note-off.
  @Test(arguments: seeds)
  func oneNoteOffEndsAKeyInEveryChannelModeHoweverOftenItWasStruck(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let rig = try SamplerRig([], font: .dense)
    rig["synths"] = [1, 2, 8, 32].randomElement(using: &random)!
    try await rig.unit.load(soundFont: rig.font)
    try rig.start()
    func modes(_ channel: UInt8, _ random: inout SeededRandom) -> [(Int, [UInt8])] {
      Self.modes.randomElement(using: &random)!.map { (0, [0xB0 | channel] + $0) }
    }
    for channel in 0..<16 as Range<UInt8> { _ = try rig.render(64, modes(channel, &random)) }
    var down: Set<[UInt8]> = []
    var peak: Float = 0
    for part in 0..<4 {
      let midi = Self.anyNotes(frames: 6_000, count: 190, &down, &random)
      peak = max(peak, try rig.render(6_000, midi, period: 256).left.map(abs).max()!)
      switch part {
      case 0 where seed % 4 == 0: try await rig.unit.load(soundFont: rig.font)
      case 1: rig["transpose"] = 3
      case 2 where seed % 4 == 1: rig["polyphony"] = 128
      default: break
      }
    }
    #expect(peak > 0.01)
    let channels = UInt8(0)..<16
    var last: [(Int, [UInt8])] = channels.flatMap { channel in
      [64, 66].map { (0, [0xB0 | channel, $0, 0] as [UInt8]) }
    }
    last += down.sorted { $0.lexicographicallyPrecedes($1) }.shuffled(using: &random)
      .map { (0, [0x80 | $0[0], $0[1], 0]) }
    _ = try rig.render(96_000, last)
    #expect(try rig.render(4_096).left.allSatisfy { $0 == 0 })
    // No key remains that would sound after another one.
    for legato in [0, 127] as [UInt8] {
      _ = try rig.render(4_096, channels.map { (0, [0xB0 | $0, 68, legato]) })
      _ = try rig.render(4_096, channels.map { (0, [0x90 | $0, 100, 127]) })
      _ = try rig.render(24_000, channels.map { (0, [0x80 | $0, 100, 0]) })
      #expect(try rig.render(4_096).left.allSatisfy { $0 == 0 }, "legato \(legato)")
    }
    #expect(rig.unit.lostEvents == 0 && rig.unit.skippedBlocks == 0)
  }

  private static func anyNotes(
    frames: Int, count: Int, _ down: inout Set<[UInt8]>, _ random: inout SeededRandom
  ) -> [(Int, [UInt8])] {
    let times = (0..<count).map { _ in Int.random(in: 0..<frames, using: &random) }.sorted()
    return times.flatMap { time -> [(Int, [UInt8])] in
      let channel = UInt8.random(in: 0...15, using: &random)
      let key = UInt8.random(in: 46...60, using: &random)
      let value = UInt8.random(in: 0...127, using: &random)
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        return modes.randomElement(using: &random)!.map { (time, [0xB0 | channel] + $0) }
      case 1:
        let number = [120, 121, 123, 124, 126, 127, 68].randomElement(using: &random)! as UInt8
        if number != 68 && number != 121 { down = down.filter { $0[0] != channel } }
        return [(time, [0xB0 | channel, number, number == 126 ? value : 0])]
      case 2:
        return [(time, [0xB0 | channel, [64, 66, 84].randomElement(using: &random)!, value])]
      case 3: return [(time, [0xC0 | channel, value % 3])]
      case 4..<25:
        down.insert([channel, key])
        return [(time, [0x90 | channel, key, max(value, 1)])]
      default:
        down.remove([channel, key])
        return [(time, [0x80 | channel, key, 0])]
      }
    }
  }

  private static let monoModes: [[UInt8]] = [[0xB0, 126, 0], [0xB0, 126, 1], [0xB0, 68, 127]]

  @Test(arguments: monoModes)
  func aKeyThatWasStruckTwiceEndsAtItsFirstNoteOff(mode: [UInt8]) async throws {
    let rig = try await Self.rig()
    _ = try rig.play(mode, [0x90, 48, 127], [0x90, 48, 127])
    #expect(try rig.render(64).left.contains { abs($0) > 0.01 })
    _ = try rig.play([0x80, 48, 0], frames: 8_192)
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
    // The previous key sounds again, and ends as well.
    _ = try rig.play([0x90, 50, 127], [0x90, 48, 127], [0x90, 48, 127])
    _ = try rig.play([0x80, 48, 0], frames: 8_192)
    #expect(try rig.render(64).left.contains { abs($0) > 0.01 })
    _ = try rig.play([0x80, 50, 0], frames: 8_192)
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
  }

  @Test(arguments: monoModes)
  func aKeyThatAModeMessageHasEndedDoesNotSoundAgain(mode: [UInt8]) async throws {
    let rig = try await Self.rig()
    for end in [120, 123, 124, 125, 126, 127] as [UInt8] {
      _ = try rig.play([0xB0, 127, 0], mode, [0x90, 48, 127], [0x90, 50, 127], [0xB0, end, 0])
      _ = try rig.play([0xB0, 68, 127], [0x90, 52, 127])
      #expect(try rig.render(64).left.contains { abs($0) > 0.01 })
      _ = try rig.play([0x80, 52, 0], frames: 8_192)
      #expect(try rig.render(64).left == Signal.silence(frames: 64), "\(end)")
      _ = try rig.play([0xB0, 68, 0])
    }
  }

  @Test func monoOnForMoreChannelsThanThereAreEndsNotesAndChoosesNoMode() async throws {
    let rig = try await Self.rig()
    for mode: [UInt8] in [[0xB0, 126, 127], [0xB0, 126, 17], [0xBF, 126, 2]] {
      let channel = mode[0] & 15
      _ = try rig.play([0x90 | channel, 48, 127])
      _ = try rig.play(mode, frames: 8_192)
      #expect(try rig.render(64).left == Signal.silence(frames: 64), "\(mode)")
      let one = try rig.play([0x90 | channel, 48, 127]).last!
      let two = try rig.play([0x90 | channel, 52, 127]).last!
      #expect(two > one * 1.5, "\(mode)")
      _ = try rig.play([0xB0 | channel, 120, 0])
    }
  }

  private func end(_ rig: SamplerRig, _ setting: Setting) throws {
    let channels = UInt8(0)..<16
    // Pedals are released first, so that notes can end.
    var messages: [(Int, [UInt8])] = channels.flatMap { channel in
      [64, 66].map { (0, [0xB0 | channel, $0, 0] as [UInt8]) }
    }
    messages += channels.flatMap { channel in
      (0..<128).map { (0, [0x80 | channel, UInt8($0), 0] as [UInt8]) }
    }
    switch setting.end {
    case .tail:
      // Stages such as a latched arpeggio may continue without keys.
      if !setting.stages.isEmpty { messages += channels.map { (0, [0xB0 | $0, 123, 0]) } }
      if !setting.stages.isEmpty { messages += channels.map { (0, [0xB0 | $0, 120, 0]) } }
      // With two synths, notes of such a flood are up to a quarter of a second late.
      _ = try rig.render(96_000, messages, period: setting.period)
    case .allSoundOff:
      messages = channels.map { (0, [0xB0 | $0, 120, 0]) }
      _ = try rig.render(4_096 + 64, messages, period: setting.period)
      // A stage's pending notes end too.
      if !setting.stages.isEmpty { _ = try rig.render(96_000, messages, period: 1_024) }
    case .systemReset:
      _ = try rig.render(4_096 + 64, [(0, [0xFF])], period: setting.period)
      if !setting.stages.isEmpty {
        _ = try rig.render(96_000, channels.map { (0, [0xB0 | $0, 120, 0]) }, period: 1_024)
      }
    }
  }

  /// Many notes with all messages that affect them, on 16 channels; every note has its note-off.
  private func denseMusic(
    frames: Int, notesPerSecond: Int, _ random: inout SeededRandom
  ) -> [(Int, [UInt8])] {
    var midi: [(Int, [UInt8])] = []
    let chords = Bool.random(using: &random)
    var count = max(8, notesPerSecond * frames / 48_000)
    while count > 0 {
      let start = Int.random(in: 0..<frames, using: &random)
      for _ in 0..<(chords ? Int.random(in: 1...30, using: &random) : 1) {
        count -= 1
        let channel = UInt8.random(in: 0...15, using: &random)
        let key = UInt8.random(in: 30...90, using: &random)
        midi.append((start, [0x90 | channel, key, UInt8.random(in: 1...127, using: &random)]))
        let length = Int.random(in: 0...9_600, using: &random)
        midi.append((min(start + length, frames), [0x80 | channel, key, 0]))
      }
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      let channel = UInt8.random(in: 0...15, using: &random)
      let value = UInt8.random(in: 0...127, using: &random)
      let message: [UInt8]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: message = [0xC0 | channel, value % 3]
      case 1: message = [0xE0 | channel, 0, value]
      case 2: message = [0xB0 | channel, 64, value]
      case 3: message = [0xB0 | channel, 66, value]
      case 4:
        message = [0xB0 | channel, [121, 123, 124, 126, 127].randomElement(using: &random)!, 1]
      case 5: message = [0xB0 | channel, [65, 68, 5, 84].randomElement(using: &random)!, value]
      case 6: message = [0xD0 | channel, value]
      default: message = [0xB0 | channel, [1, 7, 10, 11].randomElement(using: &random)!, value]
      }
      midi.append((start, message))
    }
    return midi.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element)
  }
}

extension SoundFontMaker {
  /// Short releases, notes of one to three voices, exclusive classes, and a kit.
  fileprivate static var dense: SoundFontMaker {
    SoundFontMaker(
      name: "Dense",
      presets: [
        Preset(program: 0, name: "One", zones: [Zone(sample: .constant(), releaseSeconds: 0.05)]),
        Preset(program: 1, name: "Sine", zones: [Zone(sample: .sine(), releaseSeconds: 0.1)]),
        Preset(
          program: 2, name: "Three",
          zones: [-50.0, 0, 50].map {
            Zone(sample: .sine(periodFrames: 50), releaseSeconds: 0.05, panPercent: $0)
          }),
        Preset(
          bank: 128, program: 0, name: "Kit",
          zones: [Zone(sample: .noise(seed: 1, isLooped: true), exclusiveClass: 1)]),
      ])
  }
}
