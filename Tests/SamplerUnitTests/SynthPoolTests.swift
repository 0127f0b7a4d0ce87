// Notes on their own frame: many synths that sound like one.

import Foundation
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite struct SynthPoolTests {
  @Test(arguments: [44_100.0, 48_000, 96_000])
  func aNoteIsTheReferenceNoteShiftedBitForBitFromAnyFrame(sampleRate: Double) async throws {
    var random = SeededRandom(seed: 11)
    let keys: [UInt8] = [48, 55, 60, 67, 71]
    var references: [[Float]] = []
    for key in keys {
      let rig = try SamplerRig(sampleRate: sampleRate)
      try await rig.unit.load(soundFont: rig.font)
      try rig.start()
      references.append(
        try rig.render(12_000, [(0, [0x90, key, 100]), (6400, [0x80, key, 0])]).left)
    }
    for period in [16, 64, 256, 1000, 4096] {
      let rig = try SamplerRig(sampleRate: sampleRate)
      try await rig.unit.load(soundFont: rig.font)
      try rig.start()
      var midi: [(Int, [UInt8])] = []
      var expected = Signal.silence(frames: 12_000)
      for (key, reference) in zip(keys, references) {
        let offset = (midi.last?.0 ?? 0) + Int.random(in: 0...900, using: &random)
        midi.append((offset, [0x90, key, 100]))
        for frame in offset..<12_000 { expected[frame] += reference[frame - offset] }
      }
      // The note-offs follow at the reference's distance.
      midi += midi.map { ($0.0 + 6400, [0x80, $0.1[1], 0]) }
      let output = try rig.render(12_000, midi, period: period).left
      #expect(firstDifference(expected, output) == nil, "period \(period)")
      #expect(rig.unit.lateNotes == 0)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func onTheGridItSoundsLikeOneFluidSynth(seed: UInt64) async throws {
    // Fewer voices than the polyphony: beyond it the pool differs from FluidSynth.
    let rig = try SamplerRig(font: .ensemble)
    rig["polyphony"] = 512
    try await rig.unit.load(soundFont: rig.font)
    try rig.start()
    let piece = randomPiece(
      seed: seed, frames: 96_000, grid: 64, chords: seed == 0 ? 90 : 60, hasModes: seed >= 4)
    let midi = seed < 4 ? piece : withDistinctKeys(piece)
    let output = try rig.render(128_000, midi)
    let reference = ReferenceSynth(rig.font, polyphony: 512).render(128_000, midi)
    #expect(peakDecibels(reference.left) > -30)
    for (own, its) in [(output.left, reference.left), (output.right, reference.right)] {
      #expect(peakDecibels(difference: own, its) < peakDecibels(its) - 100)
    }
  }

  /// If the notes' grid is not that of the first synth, they play on a second one.
  @Test func aShiftedGridSoundsLikeOneFluidSynthToo() async throws {
    let rig = try await SamplerRig.playing(font: .ensemble)
    let midi = randomPiece(seed: 9, frames: 96_000, grid: 64)
    _ = try rig.render(64 + 37)
    let output = try rig.render(128_000, midi).left
    let reference = ReferenceSynth(rig.font).render(128_000, midi).left
    #expect(firstDifference(output, reference) == nil)
  }

  @Test func theOutputIsTheSameAtEveryPeriodAndAtChangingOnes() async throws {
    let midi = randomPiece(seed: 5, frames: 40_000, grid: 1, chords: 120, hasModes: true)
    var first: [Float]?
    for period in [4096, 2048, 1000, 256, 64, 33, 16] {
      let rig = try await SamplerRig.playing(font: .ensemble)
      let output = try rig.render(48_000, midi, period: period).left
      #expect(firstDifference(first ?? output, output) == nil, "period \(period)")
      first = output
    }
    let rig = try await SamplerRig.playing(font: .ensemble)
    var random = SeededRandom(seed: 6)
    var output: [Float] = []
    while output.count < 48_000 {
      let (start, length) = (output.count, Int.random(in: 1...4096, using: &random))
      let part = midi.filter { (start..<start + length).contains($0.0) }
      output += try rig.render(length, part.map { ($0.0 - start, $0.1) }).left
    }
    #expect(firstDifference(first!, Array(output.prefix(48_000))) == nil)
  }

  /// A constant on the left, and one on the right in the same exclusive class.
  private var hats: SoundFontMaker {
    SoundFontMaker(presets: [
      SoundFontMaker.Preset(
        name: "Hats",
        zones: [(UInt8(60), -50.0, UInt16(1)), (62, 50, 1), (64, 50, 2)].map {
          SoundFontMaker.Zone(
            sample: .constant(), keys: $0.0...$0.0, panPercent: $0.1, exclusiveClass: $0.2,
            tracksKey: false)
        })
    ])
  }

  @Test func anExclusiveClassChokesAcrossSynths() async throws {
    for (key, isChoked) in [(UInt8(62), true), (64, false)] {
      let rig = try await SamplerRig.playing(font: hats)
      let output = try rig.render(96_000, [(0, [0x90, 60, 127]), (4133, [0x90, key, 127])])
      #expect(output.left[4133] > 0.05 && output.right.last! > 0.05)
      #expect((output.left.last! == 0) == isChoked)
      // As on one synth, except for the position of the second note on the grid.
      let single = ReferenceSynth(rig.font).render(
        96_000, [(0, [0x90, 60, 127]), (4160, [0x90, key, 127])])
      // The new voice glides from the middle, its last pan, and is on both sides meanwhile.
      for range in [0..<4133, 4224..<96_000] {
        #expect(Array(output.left[range]) == Array(single.left[range]))
      }
      #expect(
        Array(output.right[4133...]) == Array(single.right[4160...]) + output.right.suffix(27))
      // The synths still play the channel's preset.
      _ = try rig.play([0xB0, 120, 0])
      #expect(try rig.play([0x90, 60, 127]).last! > 0.05)
    }
    // Notes of another channel are not choked.
    let rig = try await SamplerRig.playing(font: hats)
    let output = try rig.render(96_000, [(0, [0x90, 60, 127]), (4133, [0x91, 62, 127])])
    #expect(output.left.last! > 0.05)
  }

  @Test func aKeyStruckAgainEndsItsNoteAcrossSynthsAsFarAsThePedalsLetIt() async throws {
    for pedal: [UInt8] in [[0xB0, 64, 0], [0xB0, 64, 127], [0xB0, 66, 127]] {
      let piece: [(Int, [UInt8])] = [
        (0, [0xC0, 1]), (0, [0x90, 60, 127]), (2048, pedal), (2560, [0x80, 60, 0]),
        (5056, [0x90, 60, 127]), (9088, [0x90, 60, 127]), (20_032, [0x80, 60, 0]),
        (30_080, [0xB0, pedal[1], 0]),
      ]
      let rig = try await SamplerRig.playing()
      // The same piece, off the grid by 0 to 63 frames.
      var offset = 0
      let moved = piece.map { message in
        offset += 7
        return (message.0 + offset % 64, message.1)
      }
      let output = try rig.render(40_000, moved).left
      let single = ReferenceSynth(rig.font).render(40_000, piece).left
      for frame in [2000, 5000, 9000, 20_000, 30_000, 39_999] {
        #expect(abs(output[frame] - single[frame]) < 1e-6, "\(pedal), frame \(frame)")
      }
    }
  }

  @Test func pedalsAndModeMessagesReachEverySynth() async throws {
    let keys = UInt8(40)..<60
    let notes = keys.map { (Int($0) * 101, [0x90, $0, 100] as [UInt8]) }
    let offs = keys.map { (Int($0) * 7, [0x80, $0, 0] as [UInt8]) }
    for (press, lift): ([UInt8], [UInt8]) in [
      ([0xB0, 64, 127], [0xB0, 64, 0]), ([0xB0, 66, 127], [0xB0, 66, 0]),
      ([0xB0, 64, 127], [0xB0, 120, 0]), ([0xB0, 64, 127], [0xFF]),
    ] {
      let rig = try await SamplerRig.playing(program: 1)
      let all = try rig.render(8192, notes).left.last!
      _ = try rig.render(100, [(50, press)])
      #expect(try rig.render(8192, offs).left.last! == all)
      _ = try rig.render(8192, [(9, lift)])
      #expect(try rig.render(64).left == Signal.silence(frames: 64))
    }
  }

  @Test func aSynthThatJoinsLateKnowsAllThatWasSet() async throws {
    let setup: [[UInt8]] = [
      [0xC0, 2], [0xB0, 7, 90], [0xB0, 10, 20], [0xB0, 11, 100], [0xE0, 3, 90], [0xD0, 70],
      [0xA0, 60, 50], [0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 12], [0xB0, 99, 120],
      [0xB0, 98, 52], [0xB0, 38, 0], [0xB0, 6, 66], [0xB0, 1, 30], [0xB0, 67, 127],
    ]
    // More messages than a silent synth remembers, and messages that replace each other.
    let stream: [[UInt8]] = (0..<300).flatMap { index in
      let value = UInt8(index % 128)
      return [
        [0xE0, 0, value], [0xB0, 1, value], index % 100 == 0 ? [0xB0, 121, 0] : [0xD0, value],
      ]
    }
    let programs: [[UInt8]] = (0..<200).map { [0xC0, UInt8($0 % 3)] }
    for (isBeforeNote, setup) in [
      (true, setup), (false, setup), (true, stream + setup), (true, programs + setup),
      (true, setup + stream), (true, stream + programs + [[0xB0, 7, 90]]),
    ] {
      let rig = try await SamplerRig.playing(font: .ensemble)
      let messages = setup.map { (3, $0) }
      // A note on another channel, so that the first synth is in use.
      let busy: (Int, [UInt8]) = (0, [0x91, 48, 127])
      let midi =
        (isBeforeNote ? messages + [(1005, busy.1)] : [busy] + messages) + [
          (3053, [0x90, 60, 127])
        ]
      let output = try rig.render(12_000, midi).left
      let other = try await SamplerRig.playing(font: .ensemble)
      let alone = try other.render(12_000, messages + [(3053, [0x90, 60, 127])]).left
      let busyAlone = try await SamplerRig.playing(font: .ensemble)
      let background = try busyAlone.render(12_000, [(isBeforeNote ? 1005 : 0, busy.1)]).left
      // The sum of two synths is rounded differently if they are rendered in another order.
      let difference = zip(output, zip(background, alone).map(+)).map { $0 - $1 }
      #expect(peakDecibels(difference) < -140)
      #expect(peakDecibels(alone) > -60)
    }
  }

  @Test func polyphonyIsForAllSynthsTogether() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    let one = try rig.play([0x90, 20, 127]).last!
    _ = try rig.play([0xB0, 120, 0])
    rig["polyphony"] = 10
    _ = try rig.render(256)
    let midi = (0..<40).map { (1 + $0 * 333, [0x90, 40 + UInt8($0), 127] as [UInt8]) }
    let output = try rig.render(20_000, [(0, [0xB0, 64, 127])] + midi).left
    #expect(abs(output.last! / one - 10) < 0.01)
    // The newest notes remain.
    let released = try rig.render(20_000, (40..<70).map { (0, [0x80, UInt8($0), 0]) }).left
    _ = try rig.render(64, [(0, [0xB0, 64, 0])])
    #expect(abs(released.last! / one - 10) < 0.01)
  }

  /// Notes of sixteen voices on one grid fill a synth other than the first. The end of a note takes
  /// a voice there too.
  @Test func aNoteThatGivesWayTakesNoOtherWithIt() async throws {
    let zones = (0..<16).map { _ in SoundFontMaker.Zone(sample: .constant(), tracksKey: false) }
    let font = SoundFontMaker(presets: [.init(program: 0, name: "Layers", zones: zones)])
    let rig = try await SamplerRig.playing(font: font)
    let one = try rig.play([0x90, 20, 127]).last!
    _ = try rig.play([0xB0, 120, 0])
    rig["polyphony"] = 64
    _ = try rig.render(256)
    let midi = (0..<20).map { note -> (Int, [UInt8]) in
      (note == 0 ? 0 : 10 + note * 64, [0x90, 20 + UInt8(note), 127])
    }
    let output = try rig.render(4_096, midi).left
    #expect(abs(output.last! / one - 4) < 0.01)
    #expect(rig.unit.voiceShortages == 0)
  }

  @Test func whenNoSynthIsFreeNotesAreLateAndCountedButNeverLost() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    let one = try rig.play([0x90, 20, 127]).last!
    _ = try rig.play([0xB0, 120, 0])
    rig["synths"] = 2
    _ = try rig.render(256)
    let offsets = [0, 1000, 2002, 3003, 3010]
    let midi = offsets.enumerated().map { ($1, [0x90, 40 + UInt8($0), 127] as [UInt8]) }
    let output = try rig.render(8192, midi).left
    #expect(rig.unit.lateNotes == 3)
    #expect(abs(output.last! / one - 5) < 0.001)
  }

  @Test func aChannelThatGlidesOrPlaysOneNoteAtATimeDoesSoAcrossFrames() async throws {
    for mode: [UInt8] in [[0xB0, 126, 1], [0xB0, 68, 127]] {
      let notes = (0..<9).map { (64 + $0 * 704, [0x90, 40 + UInt8($0), 127] as [UInt8]) }
      let offs = (0..<9).map { (16_064 + $0 * 2048, [0x80, 48 - UInt8($0), 0] as [UInt8]) }
      let piece = [(0, [0xC0, 1]), (0, mode)] + notes + offs
      let rig = try await SamplerRig.playing()
      let moved = piece.enumerated().map { ($1.0 + $0 * 5 % 64, $1.1) }
      let output = try rig.render(60_000, moved).left
      let single = ReferenceSynth(rig.font).render(60_000, piece).left
      for frame in stride(from: 16_000, to: 60_000, by: 2048) {
        #expect(abs(output[frame] - single[frame]) < 1e-6, "\(mode), frame \(frame)")
      }
      #expect(output[16_000] > 0.05)
    }
  }

  @Test func aGlideBeginsAtTheKeyThatControllerEightyFourNames() async throws {
    let rig = try await SamplerRig.playing()
    let setup: [(Int, [UInt8])] = [(0, [0xB0, 5, 0]), (0, [0xB0, 37, 100]), (0, [0xB0, 84, 48])]
    let gliding = try rig.render(9000, setup + [(77, [0x90, 60, 127])]).left
    _ = try rig.play([0xB0, 120, 0])
    // The glide applied to that note only, also on a synth that plays its first note.
    let midi = [(0, [0x91, 30, 1] as [UInt8]), (77, [0x90, 60, 127])]
    _ = try rig.render(64)
    let plain = try rig.render(9000, midi).left
    #expect(abs(cents(Array(plain[77...]), above: Pitch.sine)) < 20)
    #expect(firstDifference(Array(gliding[77..<4000]), Array(plain[77..<4000])) != nil)
  }

  /// A synth that takes over receives both kinds of parameter numbers, and then the data.
  @Test(arguments: [(true, 1_200.0), (false, 200.0)])
  func aSynthThatCatchesUpTakesDataForTheKindOfParameterThatWasSelectedLast(
    isRegistered: Bool, cents bend: Double
  ) async throws {
    let rig = try await SamplerRig.playing()
    let bendRange: [[UInt8]] = [[0xB0, 101, 0], [0xB0, 100, 0]]
    let other: [[UInt8]] = [[0xB0, 99, 1], [0xB0, 98, 8]]
    let selected = isRegistered ? other + bendRange : bendRange + other
    _ = try rig.render(64, selected.map { (0, $0) })
    try await rig.unit.load(soundFont: rig.font)
    _ = try rig.render(64)
    _ = try rig.play([0xB0, 6, 12], [0xE0, 127, 127], [0x90, 60, 127])
    let heard = cents(try rig.render(24_000).left, above: Pitch.sine)
    // FluidSynth rounds the range.
    #expect(abs(heard - bend) < 20)
  }
}
