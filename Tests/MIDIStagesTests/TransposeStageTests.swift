// The transpose stage's changes of keys; each note-off gets the key of its note-on.

import Testing

@Suite struct TransposeStageTests {
  let rig = ChainRig([.transpose])

  @Test func movesNotesAndTheirPressureAlone() {
    rig.setNow("transpose.semitones", -12)
    #expect(
      rig.midi([0x90, 60, 1], [0xA0, 60, 5], [0xA0, 70, 5], [0xB0, 60, 3], [0x80, 60, 7])
        == [[0x90, 48, 1], [0xA0, 48, 5], [0xA0, 58, 5], [0xB0, 60, 3], [0x80, 48, 7]])
  }

  @Test func aNoteOffGetsTheKeyItsNoteOnWasSentAs() {
    let output = rig.process([
      .midi([0x90, 60, 1], at: 0), rig.set("transpose.semitones", 5, at: 0),
      .midi([0x90, 62, 1], at: 0), rig.set("transpose.semitones", -3, at: 1),
      .midi([0xA0, 62, 1], at: 2), .midi([0x80, 62, 1], at: 2), .midi([0x80, 60, 1], at: 3),
      .midi([0x90, 60, 1], at: 4), .midi([0x90, 60, 0], at: 5),
    ])
    #expect(
      output.filter { if case .midi = $0 { true } else { false } } == [
        .midi([0x90, 60, 1], at: 0), .midi([0x90, 67, 1], at: 0), .midi([0xA0, 67, 1], at: 2),
        .midi([0x80, 67, 1], at: 2), .midi([0x80, 60, 1], at: 3), .midi([0x90, 57, 1], at: 4),
        .midi([0x80, 57, 64], at: 5),
      ])
  }

  @Test(arguments: [(100, 27, 28), (-100, 100, 99), (127, 0, 1), (-127, 127, 126)])
  func notesPushedOutAreDroppedWithAllThatBelongsToThem(semitones: Int, stays: Int, leaves: Int) {
    rig.setNow("transpose.semitones", Float(semitones))
    let (stays, leaves) = (UInt8(stays), UInt8(leaves))
    #expect(rig.midi([0x90, stays, 1], [0x80, stays, 1]).count == 2)
    #expect(rig.midi([0x90, leaves, 1], [0xA0, leaves, 1]) == [])
    rig.setNow("transpose.semitones", 0)
    #expect(rig.midi([0xA0, leaves, 1], [0x80, leaves, 1]) == [])
    #expect(rig.midi([0xA0, leaves, 1]) == [[0xA0, leaves, 1]])
  }

  @Test func twoNotesOnOneKeyKeepTheirOwnNoteOffs() {
    #expect(rig.midi([0x90, 61, 1]) == [[0x90, 61, 1]])
    rig.setNow("transpose.semitones", 1)
    #expect(
      rig.midi([0x90, 60, 2], [0x80, 61, 1], [0x80, 60, 2], [0x80, 60, 2])
        == [[0x90, 61, 2], [0x80, 61, 1], [0x80, 61, 2]])
  }

  @Test func eachChannelHasItsSwitch() {
    rig.setNow("transpose.semitones", 1)
    for channel in 1...16 {
      rig.setNow("transpose.channels.\(channel)", 0)
      for other in 0..<16 {
        let status = 0x90 | UInt8(other)
        let key: UInt8 = other == channel - 1 ? 60 : 61
        #expect(
          rig.midi([status, 60, 9], [status, 60, 0]) == [
            [status, key, 9], [status - 16, key, 64],
          ])
      }
      rig.setNow("transpose.channels.\(channel)", 1)
    }
  }

  @Test func messagesThatEndAChannelClearTheMemoryOfItsNotes() {
    for end: [UInt8] in [[0xB0, 120, 0], [0xB0, 123, 0], [0xB0, 126, 1], [0xFF]] {
      #expect(rig.midi([0x90, 60, 1], end, [0x80, 60, 1]) == [[0x90, 60, 1], end])
    }
    #expect(rig.midi([0x90, 60, 1], [0xB1, 123, 0], [0x80, 60, 1]).count == 3)
  }

  @Test func moreHeldNotesThanFitStayBalanced() {
    let on: [TestEvent] = Array(repeating: .midi([0x90, 60, 1], at: 0), count: 5000)
    let off: [TestEvent] = Array(repeating: .midi([0x80, 60, 1], at: 0), count: 5000)
    let count = rig.process(on).count
    #expect(count == 4096)
    #expect(rig.process(off).count == count)
    #expect(rig.midi([0x90, 60, 1], [0x80, 60, 1]).count == 2)
  }
}
