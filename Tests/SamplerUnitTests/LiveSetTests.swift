// A live set: selection of entries by program changes, its frames, and sounds held across it.

import Foundation
import SoundFontFiles
import TestSupport
import Testing
import UnitModel

@testable import FluidSynthPool
@testable import SamplerUnit

/// A sampler with a live set of sines.
final class LiveRig {
  let rig: SamplerRig
  var unit: SamplerUnit { rig.unit }

  /// Entries 0, 1, 2 … play sines of these periods in frames, each from its own SoundFont; equal
  /// periods share one. Entries 100 and 101 are from the rig's SoundFont: a constant on the left,
  /// and one on the right.
  init(
    periods: [Int] = [100, 200], channel: Int? = nil, preloads: Bool = true,
    isOffline: Bool = false, isStarted: Bool = true,
    parameters: [Int: [String: Float]] = [:]
  ) async throws {
    rig = try SamplerRig([.transpose])
    var entries: [LiveSetEntry] = []
    for (number, period) in periods.enumerated() {
      let font = try SoundFontMaker.sine(periodFrames: period).write(
        to: rig.directory.file("\(period).sf2"))
      entries.append(
        LiveSetEntry(
          number: number, name: "Sine \(number)", soundFonts: [SoundFontEntry(font)],
          parameters: parameters[number] ?? [:]))
    }
    for (number, bank) in [(100, 0), (101, 1)] {
      entries.append(
        LiveSetEntry(
          number: number, name: "Constant \(number)", soundFonts: [SoundFontEntry(rig.font)],
          bank: bank, program: bank == 0 ? 1 : 0, parameters: parameters[number] ?? [:]))
    }
    rig.unit.isRenderingOffline = isOffline
    // These tests have many live sets, with many pools.
    rig["synths"] = 16
    try await rig.unit.setLiveSet(LiveSet(entries, channel: channel, preloads: preloads))
    if isStarted { try rig.start() }
  }

  func render(
    _ frames: Int, _ midi: [(Int, [UInt8])] = [], period: Int = 4096
  ) throws -> (left: [Float], right: [Float]) {
    try rig.render(frames, midi, period: period)
  }

  /// The pitch of a note played now, and then silenced.
  func hertz(_ channel: UInt8 = 0, key: UInt8 = 60) throws -> Double {
    let signal = try rig.play([0x90 | channel, key, 127])
    _ = try rig.play([0xB0 | channel, 120, 0])
    return try #require(frequency(of: signal))
  }

  /// Renders until an entry plays, and returns the whole left output.
  func renderUntil(entry number: Int) throws -> [Float] {
    var output: [Float] = []
    while unit.currentEntry?.number != number {
      try #require(output.count < 48_000 * 60)
      output += try rig.render(64).left
      usleep(500)
    }
    return output
  }

  /// Waits up to 10 s for the next live set event, and returns it.
  func nextEvent() throws -> LiveSetEvent {
    for _ in 0..<1000 {
      if let event = unit.takeLiveSetEvents().first { return event }
      usleep(10_000)
    }
    throw AudioUnitError.failed("nothing was told")
  }
}

@Suite(.serialized) struct LiveSetTests {
  @Test func theFirstEntryPlaysAtFirst() async throws {
    let live = try await LiveRig()
    #expect(abs(try live.hertz() - 480) < 1)
    #expect(live.unit.currentEntry?.name == "Sine 0")
    #expect(live.unit.currentPreset == Preset(number: 0, name: "Sine 0"))
  }

  @Test(arguments: [1, 63, 64, 700, 1023, 3000])
  func anEntryTakesOverOnTheFrameOfItsProgramChange(frame: Int) async throws {
    // The constant of entry 100 shows its first frame.
    let live = try await LiveRig()
    let notes: [(Int, [UInt8])] = [
      (frame, [0x90, 40, 127]), (frame, [0xC0, 100]), (frame, [0x91, 60, 127]),
    ]
    let output = try live.render(4096, notes).right
    // The sine before the change is on both sides, the constant after it only on the left.
    let reference = try await LiveRig().render(4096, [notes[0]]).right
    // Its voice was last in the middle, and glides from there to the left.
    let isAlike = output.indices.filter { output[$0] != reference[$0] }
      .allSatisfy { (frame..<frame + 64).contains($0) }
    #expect(isAlike)
    #expect(try live.nextEvent() == .began(number: 100, name: "Constant 100", delayFrames: 0))
  }

  @Test func theOutputDoesNotDependOnThePeriod() async throws {
    var random = SeededRandom(seed: 11)
    var midi: [(Int, [UInt8])] = []
    for _ in 0..<150 {
      let key = UInt8.random(in: 40...80, using: &random)
      let frame = Int.random(in: 0..<60_000, using: &random)
      midi.append((frame, [0x90, key, 100]))
      midi.append((frame + Int.random(in: 1...4000, using: &random), [0x80, key, 0]))
    }
    // Selections in succession, so that the old sounds find room to ring out.
    for index in 0..<12 {
      midi.append((index * 5000 + 77, [0xC0, [1, 100, 0, 101, 2][index % 5]]))
    }
    midi.sort { $0.0 < $1.0 }
    var first: [Float]?
    for period in [4096, 1024, 100, 64] {
      let live = try await LiveRig(periods: [100, 200, 150])
      let output = try live.render(65_000, midi, period: period).left
      #expect(firstDifference(first ?? output, output) == nil, "period \(period)")
      first = output
    }
  }

  @Test func heldNotesRingOutOnTheOldSoundAndHearTheirNoteOffs() async throws {
    let live = try await LiveRig()
    _ = try live.render(4096, [(0, [0xC0, 100])])
    let before = try live.render(4096, [(0, [0x90, 60, 127]), (0, [0x90, 62, 127])]).left.last!
    let during = try live.render(4096, [(300, [0xC0, 1])]).left
    #expect(during == Signal.constant(before, frames: 4096))
    let new = try live.render(4096, [(0, [0x91, 60, 127])]).right
    #expect(abs(try #require(frequency(of: new)) - 240) < 1)
    _ = try live.render(4096, [(0, [0xB1, 120, 0])])
    let released = try live.render(8192, [(0, [0x80, 60, 0])]).left
    #expect(abs(released.last! - before / 2) < 1e-5)
    // The pedal holds the other note.
    _ = try live.render(64, [(0, [0xB0, 64, 127]), (1, [0x80, 62, 0])])
    #expect(abs(try live.render(8192).left.last! - before / 2) < 1e-5)
    _ = try live.render(8192, [(0, [0xB0, 64, 0])])
    #expect(try live.render(64).left == Signal.silence(frames: 64))
  }

  @Test func entriesOfTheSameSoundFontNeedNoOtherSynths() async throws {
    let live = try await LiveRig()
    _ = try live.render(4096, [(0, [0xC0, 100])])
    let held = try live.render(4096, [(0, [0x90, 60, 127])])
    let count = live.unit.bay.poolCount
    let next = try live.render(4096, [(500, [0xC0, 101]), (1000, [0x90, 64, 127])])
    // Except while the new voice glides from the middle to the right.
    for range in [0..<1000, 1128..<4096] {
      #expect(Array(next.left[range]) == Signal.constant(held.left.last!, frames: range.count))
    }
    #expect(onset(of: next.right).map { $0 >= 1000 && $0 < 1064 } == true)
    #expect(live.unit.bay.poolCount == count && count == 3)
    // Synths that were silent at the change have received it too.
    let offsets = (0..<20).map { (100 + $0 * 7, [0x91, UInt8(30 + $0), 127] as [UInt8]) }
    let many = try live.render(4096, offsets)
    #expect(
      many.left[512...].max()! <= held.left.last! * 1.0001
        && many.right.last! > next.right.last! * 10)
  }

  @Test func otherChannelsChoosePrograms() async throws {
    let live = try await LiveRig(channel: 16)
    _ = try live.render(4096, [(0, [0xCF, 100])])
    let left = try live.render(4096, [(0, [0x90, 60, 127])])
    #expect(left.left.last! > 0.05 && left.right.last! == 0)
    _ = try live.render(8192, [(0, [0xB0, 120, 0]), (0, [0xB0, 0, 1]), (1, [0xC0, 0])])
    let right = try live.render(4096, [(0, [0x90, 60, 127]), (0, [0x9F, 60, 127])])
    #expect(right.right.last! > 0.05 && right.left.last! == left.left.last!)
    #expect(live.unit.currentEntry?.number == 100)
  }

  @Test func programChangesForEntriesDoNotReachTheSynth() async throws {
    let live = try await LiveRig()
    // The SoundFont of entry 100 has a program 3; no entry has this number.
    _ = try live.render(64, [(0, [0xC0, 100]), (1, [0xC0, 3])])
    #expect(live.unit.unknownEntrySelections == 1)
    #expect(live.unit.currentEntry?.number == 100)
    _ = try live.render(4096, [(0, [0x90, 60, 127])])
    let end = try live.render(12_000, [(0, [0x80, 60, 0])]).left
    // Program 3 has a long release, the entry's program none.
    #expect(end.last! == 0)
  }

  @Test func anEntryBringsItsParametersOnItsFrame() async throws {
    let live = try await LiveRig(
      parameters: [
        1: ["midi.transpose.semitones": 12, "gain": -12], 100: ["transpose": 2],
      ])
    live.unit.parameterTree.parameter(keyPath: "gain")!.value = -6
    let before = try live.hertz()
    let midi: [(Int, [UInt8])] = [
      (999, [0x91, 60, 1]), (1000, [0xC0, 1]), (1000, [0x90, 60, 127]),
    ]
    let output = try live.render(8192, midi).left
    #expect(abs(try #require(frequency(of: output)) - before) < 1)  // 240 Hz, an octave up
    #expect(live.rig["gain"] == -12 && live.rig["midi.transpose.semitones"] == 12)
    _ = try live.render(4096, [(0, [0xB0, 120, 0]), (0, [0xB1, 120, 0])])
    // Entry 0 has no parameters: the values from before the live set apply.
    _ = try live.render(64, [(0, [0xC0, 0])])
    #expect(live.rig["gain"] == 0 && live.rig["midi.transpose.semitones"] == 0)
    #expect(abs(try live.hertz() - 480) < 1)
    #expect(live.rig["transpose"] == 0)
  }

  @Test func thePitchOfAnEntryLeavesRingingNotesUnchanged() async throws {
    let live = try await LiveRig(parameters: [1: ["transpose": 12]])
    _ = try live.render(4096, [(0, [0x90, 60, 127])])
    let ringing = try live.render(8192, [(100, [0xC0, 1])]).left
    #expect(abs(try #require(frequency(of: ringing)) - 480) < 1)
    _ = try live.render(8192, [(0, [0x80, 60, 0])])
    #expect(abs(try live.hertz() - 480) < 1)
  }

  @Test func anEntryThatIsNotInMemoryIsLoadedWhileTheOldSoundGoesOn() async throws {
    let live = try await LiveRig(preloads: false)
    let reference = try await LiveRig(preloads: false)
    _ = try live.render(4096, [(0, [0x90, 60, 127])])
    _ = try reference.render(4096, [(0, [0x90, 60, 127])])
    let start = try live.render(64, [(10, [0xC0, 1])]).left
    #expect(live.unit.currentEntry?.number == 0)
    let output = start + (try live.renderUntil(entry: 1))
    let same = try reference.render(output.count, period: 64).left
    #expect(firstDifference(output, same) == nil)
    guard case .began(1, "Sine 1", let delay) = try live.nextEvent() else {
      Issue.record("entry 1 did not begin")
      return
    }
    // It began with the last call, in which it was seen.
    #expect(delay == output.count - 64 - 10)
    _ = try live.render(8192, [(0, [0x80, 60, 0])])
    #expect(abs(try live.hertz() - 240) < 1)
  }

  @Test func theLastSelectionWinsOverEntriesStillLoading() async throws {
    let live = try await LiveRig(periods: [100, 200, 150], preloads: false)
    _ = try live.render(64, [(0, [0xC0, 1]), (10, [0xC0, 2]), (20, [0xC0, 0])])
    for _ in 0..<100 {
      _ = try live.render(64)
      usleep(2000)
    }
    #expect(abs(try live.hertz() - 480) < 1)
    _ = try live.render(64, [(0, [0xC0, 1]), (10, [0xC0, 2])])
    _ = try live.renderUntil(entry: 2)
    for _ in 0..<100 {
      _ = try live.render(64)
      usleep(2000)
    }
    #expect(abs(try live.hertz() - 320) < 1)
    #expect(live.unit.bay.poolCount == 1)
  }

  @Test func soundFontsOfEntriesThatAreNotPreloadedAreReleased() async throws {
    let live = try await LiveRig(preloads: false)
    weak let font = live.unit.bay.choice?.stack.layers[0].soundFont
    #expect(font != nil)
    _ = try live.render(64, [(0, [0x90, 60, 127]), (10, [0xC0, 1])])
    _ = try live.renderUntil(entry: 1)
    _ = try live.render(4096)
    #expect(live.unit.bay.poolCount == 2 && font != nil)
    _ = try live.render(8192, [(0, [0x80, 60, 0])])
    _ = try live.render(64)
    #expect(live.unit.bay.poolCount == 1 && font == nil)
  }

  @Test func anEntryWithAMissingFileChangesNothingAndIsReported() async throws {
    let live = try await LiveRig(preloads: false)
    try FileManager.default.removeItem(at: live.rig.directory.file("200.sf2"))
    _ = try live.render(64, [(0, [0xC0, 1])])
    guard case .failed(1, "Sine 1", .missing) = try live.nextEvent() else {
      Issue.record("no failure was told")
      return
    }
    #expect(abs(try live.hertz() - 480) < 1)
    #expect(live.unit.currentEntry?.number == 0)
  }

  @Test func offlineEveryEntryIsMadeReady() async throws {
    let live = try await LiveRig(preloads: false, isOffline: true)
    _ = try live.render(64, [(10, [0xC0, 1])])
    #expect(try live.nextEvent() == .began(number: 1, name: "Sine 1", delayFrames: 0))
    #expect(abs(try live.hertz() - 240) < 1)
  }

  @Test func entriesAreSelectedByNameNumberAndPreset() async throws {
    for isStarted in [true, false] {
      let live = try await LiveRig(isStarted: isStarted, parameters: [1: ["gain": -3]])
      func check(_ number: Int) throws {
        if isStarted { _ = try live.render(64) }
        #expect(live.unit.currentEntry?.number == number)
        #expect(live.rig["gain"] == (number == 1 ? -3 : 0))
      }
      try live.unit.select(entryNamed: "Sine 1")
      try check(1)
      try live.unit.select(entry: 101)
      try check(101)
      #expect(live.unit.factoryPresets.map(\.number) == [0, 1, 100, 101])
      try live.unit.setCurrentPreset(live.unit.factoryPresets[1])
      try check(1)
      // Takeovers before this call are reported meanwhile.
      #expect(await eventually { live.unit.currentPreset?.name == "Sine 1" })
      #expect(throws: LiveSetError.unknownNumber(7, known: [0, 1, 100, 101])) {
        try live.unit.select(entry: 7)
      }
      #expect(throws: LiveSetError.self) { try live.unit.select(entryNamed: "Sine") }
      try check(1)
      if !isStarted { try live.rig.start() }
      #expect(abs(try live.hertz() - 240) < 1)
    }
  }

  @Test func theCurrentPresetFollowsProgramChanges() async throws {
    let live = try await LiveRig()
    _ = try live.render(64, [(0, [0xC0, 1])])
    _ = try live.nextEvent()
    #expect(live.unit.currentPreset == Preset(number: 1, name: "Sine 1"))
  }

  @Test func aSoundFontThatIsLoadedTakesOverFromTheEntryAndTheNextEntryFromIt() async throws {
    let live = try await LiveRig()
    try await live.unit.load(soundFont: live.rig.font, program: 0)
    #expect(live.unit.currentEntry == nil && live.unit.soundFont == live.rig.font)
    _ = try live.render(64)
    #expect(live.unit.currentEntry == nil)
    #expect(abs(try live.hertz() - 480) < 1)
    _ = try live.render(64, [(0, [0xC0, 1])])
    #expect(live.unit.currentEntry?.number == 1)
    #expect(abs(try live.hertz() - 240) < 1)
    #expect(live.unit.soundFont?.lastPathComponent == "200.sf2")
  }

  @Test func aReloadReadsTheFileOfTheEntryAgain() async throws {
    let live = try await LiveRig()
    _ = try live.render(64, [(0, [0xC0, 1])])
    try SoundFontMaker.sine(periodFrames: 300).write(to: live.rig.directory.file("200.sf2"))
    try await live.unit.reload()
    _ = try live.render(64)
    #expect(abs(try live.hertz() - 160) < 1)
    #expect(live.unit.currentEntry?.number == 1)
    _ = try live.render(64, [(0, [0xC0, 0]), (32, [0xC0, 1])])
    #expect(abs(try live.hertz() - 160) < 1)
    _ = try live.render(64)
    #expect(live.unit.bay.poolCount == 3)
  }

  @Test func polyphonyAndSynthsChangeForEveryEntry() async throws {
    let live = try await LiveRig()
    live.rig["synths"] = 2
    _ = try live.render(64)
    for (number, hertz) in [(1, 240.0), (0, 480)] {
      _ = try live.render(64, [(0, [0xC0, UInt8(number)])])
      #expect(abs(try live.hertz() - hertz) < 1)
    }
    _ = try live.render(64)
    #expect(live.unit.bay.poolCount == 3)
    let counts = live.unit.bay.state.withLock { $0.pools.values.map { $0.handle.pointee.count } }
    #expect(counts == [2, 2, 2])
  }

  @Test func anotherRateKeepsTheEntry() async throws {
    let live = try await LiveRig(parameters: [1: ["gain": -3]])
    _ = try live.render(64, [(0, [0xC0, 1])])
    try live.rig.stop()
    #expect(live.unit.bay.poolCount == 0 && live.unit.currentEntry?.number == 1)
    try live.rig.start()
    #expect(live.unit.currentEntry?.number == 1 && live.rig["gain"] == -3)
    #expect(abs(try live.hertz() - 240) < 1)
  }

  @Test func aStateBringsTheEntryBack() async throws {
    let live = try await LiveRig(parameters: [1: ["gain": -3]])
    // The preset's name, a part of the state, is updated a little later.
    func expectPreset(_ number: Int) async {
      #expect(await eventually { live.unit.currentPreset?.number == number })
    }
    _ = try live.render(64, [(0, [0xC0, 1])])
    live.rig["gain"] = -9
    await expectPreset(1)
    let state = live.unit.fullState
    _ = try live.render(64, [(0, [0xC0, 100])])
    await expectPreset(100)
    try live.unit.setFullState(state)
    _ = try live.render(64)
    #expect(live.unit.currentEntry?.number == 1 && live.rig["gain"] == -9)
    await expectPreset(1)
    #expect(live.unit.fullState == state)
    // A unit without the live set plays the same sound.
    let other = try SamplerUnit(midiStages: [.transpose])
    try other.setFullState(state)
    #expect(other.soundFont == live.unit.soundFont && other.currentEntry == nil)
  }

  @Test func invalidLiveSetsAreRefused() async throws {
    let rig = try SamplerRig()
    let font = [SoundFontEntry(rig.font)]
    func refused(
      _ entries: [LiveSetEntry], channel: Int? = nil, _ isExpected: (LiveSetError) -> Bool
    ) async {
      do throws(LiveSetError) {
        try await rig.unit.setLiveSet(LiveSet(entries, channel: channel))
        Issue.record("\(entries) was taken")
      } catch { #expect(isExpected(error), "\(error)") }
      #expect(rig.unit.liveSet == nil && rig.unit.soundFont == nil)
    }
    let good = LiveSetEntry(number: 1, name: "A", soundFonts: font)
    func with(_ change: (inout LiveSetEntry) -> Void) -> LiveSetEntry {
      var entry = good
      change(&entry)
      return entry
    }
    await refused([with { $0.number = 128 }]) { $0 == .numberOutOfRange(128) }
    await refused([good, with { $0.name = "B" }]) { $0 == .numberTwice(1) }
    await refused([good, with { $0.number = 2 }]) { $0 == .nameTwice("A") }
    await refused([good], channel: 17) { $0 == .channelOutOfRange(17) }
    await refused([with { $0.soundFonts = [] }]) { $0 == .soundFont(number: 1, .noFiles) }
    await refused([with { $0.program = 9 }]) {
      if case .soundFont(1, .presetNotFound(0, 9, _, _)) = $0 { true } else { false }
    }
    for parameters: [String: Float] in [["gian": 1], ["gain": 99], ["synths": 2]] {
      await refused([with { $0.parameters = parameters }]) {
        if case .parameter(1, _) = $0 { true } else { false }
      }
    }
    try rig.start()
    await refused([good]) { $0 == .rendering }
  }

  @Test func aStormOfProgramChangesLosesNoNoteOff() async throws {
    for preloads in [true, false] {
      let live = try await LiveRig(periods: [100, 200, 150, 120, 80, 60], preloads: preloads)
      var random = SeededRandom(seed: 3)
      var held: Set<UInt8> = []
      for _ in 0..<300 {
        var midi: [(Int, [UInt8])] = []
        for frame in stride(from: 0, to: 512, by: 64) {
          switch Int.random(in: 0..<4, using: &random) {
          case 0:
            midi.append(
              (frame, [0xC0, [0, 1, 2, 3, 4, 5, 100, 101].randomElement(using: &random)!]))
          case 1:
            guard let key = held.randomElement(using: &random) else { continue }
            held.remove(key)
            midi.append((frame, [0x80, key, 0]))
          default:
            let key = UInt8.random(in: 40...80, using: &random)
            held.insert(key)
            midi.append((frame, [0x90, key, 100]))
          }
        }
        _ = try live.render(512, midi)
      }
      _ = try live.render(64, held.map { (0, [0x80, $0, 0]) })
      _ = try live.render(96_000)
      #expect(try live.render(64).left == Signal.silence(frames: 64))
    }
  }
}
