// Note-offs end their own notes after a stage that has merged two keys.

import MIDIStages
import Testing

@Suite struct NoteIdentityTests {
  /// A chain that merges all channels, followed by another stage.
  private func merging(_ kind: MIDIStageKind) -> ChainRig {
    let rig = ChainRig([.channel, kind], isEdited: true)
    rig.setNow("channel.mode", 1)
    return rig
  }

  @Test(arguments: [false, true])
  func aNoteOffFindsTheKeyThatItsOwnNoteWasSentAs(firstPressedEndsFirst: Bool) {
    let rig = merging(.transpose)
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 60, 1]])
    rig.setNow("transpose.semitones", 5)
    #expect(rig.midi([0x95, 60, 2]) == [[0x90, 65, 2]])
    #expect(rig.midi([0xA0, 60, 9]) == [[0xA0, 60, 9]])
    #expect(rig.midi([0xA5, 60, 9]) == [[0xA0, 65, 9]])
    let ends: [([UInt8], UInt8)] = [([0x80, 60, 7], 60), ([0x85, 60, 7], 65)]
    for (message, key) in firstPressedEndsFirst ? ends : ends.reversed() {
      #expect(rig.midi(message) == [[0x80, key, 7]])
    }
    #expect(rig.midi([0x80, 60, 7]) == [])
  }

  /// Each channel holds the key twice; of these two the newer one ends first.
  @Test func asManyChannelsAsThereAreFindTheirs() {
    let rig = merging(.transpose)
    var sent: [[UInt8]] = Array(repeating: [], count: 16)
    for press in 0..<32 {
      rig.setNow("transpose.semitones", Float(press))
      let channel = UInt8(press % 16)
      #expect(rig.midi([0x90 | channel, 60, 1]) == [[0x90, UInt8(60 + press), 1]])
      sent[press % 16].append(UInt8(60 + press))
    }
    for channel in [3, 15, 0, 7] {
      #expect(rig.midi([0x80 | UInt8(channel), 60, 0]) == [[0x80, sent[channel][1], 0]])
      #expect(rig.midi([0x80 | UInt8(channel), 60, 0]) == [[0x80, sent[channel][0], 0]])
    }
  }

  @Test func ofMoreNotesThanAreLookedThroughNoneIsLeft() {
    let rig = merging(.transpose)
    var sounding: [UInt8: Int] = [:]
    func play(_ message: [UInt8]) {
      for sent in rig.midi(message) { sounding[sent[1], default: 0] += sent[0] == 0x90 ? 1 : -1 }
    }
    for press in 0..<160 {
      rig.setNow("transpose.semitones", Float(press % 40))
      play([0x90 | UInt8(press % 16), 60, 1])
    }
    #expect(sounding.values.contains { $0 > 0 })
    for release in 0..<160 { play([0x80 | UInt8(release * 7 % 16), 60, 0]) }
    #expect(sounding.values.allSatisfy { $0 == 0 })
  }

  /// Keys are released in the order of their presses; each is looked for among too many notes.
  @Test(arguments: [false, true])
  func norIsOneLeftWhereTheOldestEndFirst(isBypassedMeanwhile: Bool) {
    let rig = ChainRig([.chord, .chord, .chord, .chord, .transpose], isEdited: true)
    for stage in ["chord", "chord2", "chord3", "chord4"] { rig.setNow("\(stage).play", 9) }
    var sounding: [UInt8: Int] = [:]
    func play(_ message: [UInt8]) {
      for sent in rig.midi(message) { sounding[sent[1], default: 0] += sent[0] == 0x90 ? 1 : -1 }
    }
    let keys: [UInt8] = [60, 64, 67, 61]
    for key in keys {
      play([0x90, key, 1])
      if isBypassedMeanwhile { rig.setNow("transpose.bypass", key == 60 ? 1 : 0) }
    }
    #expect(sounding.values.contains { $0 > 0 })
    for key in keys { play([0x80, key, 0]) }
    #expect(sounding.values.allSatisfy { $0 == 0 })
  }

  @Test func theEndOfANoteThatWasNotLetInEndsNoOther() {
    let rig = merging(.filter)
    rig.setNow("filter.velocityLow", 50)
    #expect(rig.midi([0x90, 60, 100]) == [[0x90, 60, 100]])
    #expect(rig.midi([0x95, 60, 1]) == [])
    #expect(rig.midi([0x85, 60, 7]) == [])
    #expect(rig.midi([0x80, 60, 7]) == [[0x80, 60, 7]])
  }

  @Test func aNoteOutOfRangeKeepsItsEndToItself() {
    let rig = merging(.transpose)
    #expect(rig.midi([0x90, 120, 1]) == [[0x90, 120, 1]])
    rig.setNow("transpose.semitones", 12)
    #expect(rig.midi([0x95, 120, 1]) == [])
    #expect(rig.midi([0x85, 120, 7]) == [])
    #expect(rig.midi([0x80, 120, 7]) == [[0x80, 120, 7]])
  }

  @Test func aChordEndsWithItsOwnKey() {
    let rig = merging(.chord)
    #expect(rig.midi([0x90, 48, 1]) == [[0x90, 48, 1]])
    rig.setNow("chord.play", 1)
    rig.setNow("chord.inversion", 1)
    let chord = rig.midi([0x95, 48, 1])
    #expect(chord.count == 3 && !chord.contains([0x90, 48, 1]))
    #expect(rig.midi([0x80, 48, 0]) == [[0x80, 48, 0]])
    #expect(rig.midi([0x85, 48, 0]) == chord.map { [0x80, $0[1], 0] })
  }

  /// Chords of 60 and 64 share a key, which the next stage transposes differently in between.
  @Test func ofAChordTheEndsThatFindNoRoomEndTheirOwnNotesLater() {
    let rig = ChainRig([.chord, .transpose], capacity: 8, isEdited: true)
    rig.setNow("chord.play", 1)
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 60, 1], [0x90, 64, 1], [0x90, 67, 1]])
    rig.setNow("transpose.semitones", 12)
    #expect(rig.midi([0x90, 64, 1]) == [[0x90, 76, 1], [0x90, 80, 1], [0x90, 83, 1]])
    let full = [[UInt8]](repeating: [0xF8], count: 7) + [[0x80, 60, 0]]
    #expect(rig.process(full.map { .midi($0, at: 0) }).last == .midi([0x80, 60, 0], at: 0))
    #expect(rig.midi([0xF8]) == [[0x80, 64, 64], [0x80, 67, 64], [0xF8]])
    #expect(rig.midi([0x80, 64, 0]) == [[0x80, 76, 0], [0x80, 80, 0], [0x80, 83, 0]])
  }

  /// An eighth at 120 beats a minute and 48 kHz is 12,000 frames.
  @Test func anEchoIsAsLongAsItsOwnNote() {
    let rig = merging(.echo)
    rig.setNow("echo.repeats", 1)
    rig.setNow("echo.velocity", 100)
    _ = rig.run([.midi([0x90, 60, 100], at: 0)], until: 500, period: { 64 })
    rig.setNow("echo.semitones", 5)
    let played: [TestEvent] = [
      .midi([0x95, 60, 100], at: 1000), .midi([0x80, 60, 0], at: 2000),
      .midi([0x85, 60, 0], at: 4000),
    ]
    let repeats = rig.run(played, until: 20_000, period: { 64 }).filter { $0.frame >= 12_000 }
    #expect(
      repeats == [
        .midi([0x90, 60, 100], at: 12_000), .midi([0x90, 65, 100], at: 13_000),
        .midi([0x80, 60, 64], at: 14_000), .midi([0x80, 65, 64], at: 16_000),
      ])
  }

  @Test func aStageThatIsSwitchedOffKnowsItsOwnNotes() {
    let rig = merging(.transpose)
    rig.setNow("transpose.semitones", 12)
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 72, 1]])
    rig.setNow("transpose.bypass", 1)
    #expect(rig.midi([0x95, 60, 2]) == [[0x90, 60, 2]])
    #expect(rig.midi([0x80, 60, 7]) == [[0x80, 72, 7]])
    #expect(rig.midi([0x85, 60, 7]) == [[0x80, 60, 7]])
  }
}
