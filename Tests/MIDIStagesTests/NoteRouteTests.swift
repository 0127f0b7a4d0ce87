// A bypass and a replaced chain send the ends of held notes and new presses on the same routes.

import MIDIStages
import Testing

@Suite struct NoteRouteTests {
  enum Change: CaseIterable { case bypass, exchange }

  /// Routes new notes around the stages, or through a chain without stages.
  private func make(_ change: Change, on rig: ChainRig) {
    switch change {
    case .bypass: rig.exchange!.player.setBypassed(true)
    case .exchange: rig.edit([])
    }
  }

  @Test(arguments: Change.allCases)
  func ofAKeyThatIsPressedTwiceTheNewestPressEndsFirst(change: Change) {
    let rig = ChainRig([.transpose], isEdited: true)
    rig.setNow("transpose.semitones", 12)
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 72, 1]])
    make(change, on: rig)
    #expect(rig.midi([0x90, 60, 2]) == [[0x90, 60, 2]])
    #expect(rig.midi([0xA0, 60, 9]) == [[0xA0, 60, 9]])
    #expect(rig.midi([0x80, 60, 1]) == [[0x80, 60, 1]])
    #expect(rig.midi([0xA0, 60, 9]) == [[0xA0, 72, 9]])
    #expect(rig.midi([0x80, 60, 2]) == [[0x80, 72, 2]])
  }

  @Test func theNewestPressEndsFirstAlsoAfterABypass() {
    let rig = ChainRig([.transpose], isEdited: true)
    rig.setNow("transpose.semitones", 12)
    _ = rig.midi([0x90, 60, 1])
    make(.bypass, on: rig)
    _ = rig.midi([0x90, 60, 2])
    rig.exchange!.player.setBypassed(false)
    #expect(rig.midi([0x90, 60, 3]) == [[0x90, 72, 3]])
    for key in [72, 60, 72] as [UInt8] { #expect(rig.midi([0x80, 60, 1]) == [[0x80, key, 1]]) }
    #expect(rig.midi([0x80, 60, 1]) == [])
  }

  /// A press that a stage has withheld does not take the note-off of a sounding one.
  @Test func afterABypassAKeptPressWaitsForTheOnesThatSound() {
    let rig = ChainRig([.transpose], isEdited: true)
    rig.setNow("transpose.semitones", 12)
    #expect(rig.midi([0x90, 120, 1]) == [])
    make(.bypass, on: rig)
    #expect(rig.midi([0x90, 120, 2]) == [[0x90, 120, 2]])
    rig.exchange!.player.setBypassed(false)
    #expect(rig.midi([0x80, 120, 1]) == [[0x80, 120, 1]])
    #expect(rig.midi([0x80, 120, 1]) == [])
  }

  @Test(arguments: Change.allCases)
  func aPedalIsReleasedWhereItWasPressedAndNowhereElse(change: Change) {
    for pressesAgain in [false, true] {
      let rig = ChainRig([.channel], isEdited: true)
      rig.setNow("channel.map.1", 2)
      #expect(rig.midi([0xB0, 64, 100]) == [[0xB1, 64, 100]])
      make(change, on: rig)
      if pressesAgain { #expect(rig.midi([0xB0, 64, 110]) == [[0xB0, 64, 110]]) }
      #expect(rig.midi([0xB0, 64, 0]) == [[0xB1, 64, 0]] + (pressesAgain ? [[0xB0, 64, 0]] : []))
      #expect(rig.midi([0xB0, 64, 0]) == [[0xB0, 64, 0]])
    }
  }

  @Test(arguments: Change.allCases)
  func messagesThatEndSeveralNotesTakeOldAndNewRoutes(change: Change) {
    for (begin, end) in [([0x90, 60, 1], [0xB0, 123, 0]), ([0xB0, 64, 127], [0xB0, 121, 0])]
      as [([UInt8], [UInt8])]
    {
      let rig = ChainRig([.channel], isEdited: true)
      rig.setNow("channel.map.1", 2)
      _ = rig.midi(begin)
      make(change, on: rig)
      #expect(rig.midi(end) == [[0xB1] + end[1...], end])
      #expect(rig.midi(end) == [end])
    }
  }
}
