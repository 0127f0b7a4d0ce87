// A chain replaced during playback: notes end with the values they began with, and none sticks.

import MIDIStages
import Realtime
import Testing

@Suite struct ChainEditTests {
  private func collect(_ rig: ChainRig) -> Int { rig.exchange!.collect() }

  @Test func heldNotesEndThroughTheOldChainAndNewOnesTakeTheNew() {
    let rig = ChainRig([.transpose], isEdited: true)
    rig.setNow("transpose.semitones", 12)
    #expect(rig.midi([0x90, 60, 1], [0x90, 61, 1]) == [[0x90, 72, 1], [0x90, 73, 1]])
    rig.edit([.channel])
    rig.setNow("channel.map.1", 3)
    #expect(
      rig.midi([0x90, 60, 2], [0xA0, 61, 9], [0xA0, 60, 9], [0xB0, 7, 1])
        == [[0xA0, 73, 9], [0x92, 60, 2], [0xA2, 60, 9], [0xB2, 7, 1]])
    // Of two notes of a key the newer one ends first.
    #expect(rig.midi([0x80, 60, 1]) == [[0x82, 60, 1]])
    #expect(collect(rig) == 0)
    #expect(rig.midi([0x80, 60, 1], [0x80, 61, 1]) == [[0x80, 72, 1], [0x80, 73, 1]])
    #expect(collect(rig) == 1)
    #expect(rig.midi([0x80, 61, 1]) == [])
  }

  @Test func whereNothingIsHeldTheOldChainComesBackAtOnce() {
    let rig = ChainRig([.transpose], isEdited: true)
    #expect(rig.midi([0x90, 60, 1], [0x80, 60, 1], [0xB0, 64, 127], [0xB0, 64, 0]).count == 4)
    rig.edit([.channel])
    #expect(rig.midi() == [])
    #expect(collect(rig) == 1)
  }

  @Test func aPedalIsReleasedWhereItWasPressed() {
    let rig = ChainRig([.channel], isEdited: true)
    rig.setNow("channel.map.1", 2)
    _ = rig.midi([0xB0, 64, 100])
    rig.edit([.transpose])
    #expect(rig.midi([0xB0, 64, 0]) == [[0xB1, 64, 0]])
    #expect(rig.midi([0xB0, 64, 0]) == [[0xB0, 64, 0]])
    _ = rig.midi([0xB0, 66, 100])
    rig.edit([.channel])
    rig.setNow("channel.map.1", 2)
    #expect(rig.midi([0xB0, 66, 120]) == [[0xB1, 66, 120]])
    #expect(rig.midi([0xB0, 66, 0]) == [[0xB0, 66, 0], [0xB1, 66, 0]])
    #expect(collect(rig) == 1)
  }

  @Test func aResetOfControllersReachesTheChainThatHoldsAPedal() {
    let rig = ChainRig([.channel], isEdited: true)
    rig.setNow("channel.map.1", 2)
    _ = rig.midi([0xB0, 64, 100])
    rig.edit([])
    #expect(rig.midi([0xB0, 121, 0]) == [[0xB1, 121, 0], [0xB0, 121, 0]])
    #expect(collect(rig) == 1)
  }

  @Test func notesEndedByTheNewChainAreNotEndedByTheOldOne() {
    let rig = ChainRig([], isEdited: true)
    _ = rig.midi([0x90, 60, 1])
    rig.edit([.channel])
    rig.setNow("channel.map.2", 1)
    let output = rig.midi([0xB1, 123, 0], [0x91, 60, 1])
    #expect(output.suffix(2) == [[0xB0, 123, 0], [0x90, 60, 1]])
    #expect(rig.midi([0x80, 60, 1]) == [])
    #expect(rig.midi([0x81, 60, 1]) == [[0x80, 60, 1]])
  }

  /// A pedal at the receiver belongs to the chain that moved it last.
  @Test func theEndOfAnOldChainLeavesAPedalThatTheNewOneHasPressed() {
    let rig = ChainRig([.controller], isEdited: true)
    rig.setNow("controller.source", 1)
    rig.setNow("controller.targetController", 64)
    #expect(rig.midi([0xB0, 1, 100], [0x90, 60, 1]) == [[0xB0, 64, 100], [0x90, 60, 1]])
    rig.edit([])
    #expect(rig.midi([0xB0, 64, 127]) == [[0xB0, 64, 127]])
    #expect(rig.midi([0x80, 60, 1]) == [[0x80, 60, 1]])
    #expect(collect(rig) == 1)
    // A pedal not pressed since then is released.
    rig.edit([.controller])
    rig.setNow("controller.source", 1)
    rig.setNow("controller.targetController", 66)
    _ = rig.midi([0xB0, 64, 0], [0xB0, 1, 100], [0x90, 60, 1])
    rig.edit([])
    #expect(rig.midi([0x80, 60, 1]) == [[0x80, 60, 1], [0xB0, 66, 0]])
  }

  @Test func messagesThatEndAChannelReachBothChains() {
    for end in [[0xB0, 123, 0], [0xB0, 120, 0], [0xFF]] as [[UInt8]] {
      let rig = ChainRig([.channel], isEdited: true)
      rig.setNow("channel.map.1", 2)
      _ = rig.midi([0x90, 60, 1])
      rig.edit([.filter])
      rig.setNow("filter.pass.controller", 0)
      rig.setNow("filter.pass.system", 0)
      let output = rig.midi(end)
      #expect(output == [end[0] == 0xFF ? end : [0xB1] + end[1...]])
      #expect(collect(rig) == 1)
      #expect(rig.midi([0x80, 60, 1]) == [])
    }
  }

  @Test func aModeMessageEndsTheNotesOfTheOldChainAndSetsTheModeOfTheNew() {
    let rig = ChainRig([.channel], isEdited: true)
    rig.setNow("channel.map.1", 2)
    _ = rig.midi([0x90, 60, 1])
    rig.edit([])
    #expect(rig.midi([0xB0, 126, 1]) == [[0xB1, 123, 0], [0xB0, 126, 1]])
  }

  @Test func aThirdChainEndsTheNotesOfTheFirst() {
    let rig = ChainRig([.transpose, .channel], isEdited: true)
    rig.setNow("transpose.semitones", 1)
    rig.setNow("channel.map.1", 2)
    _ = rig.midi([0x90, 60, 1], [0xB0, 64, 127])
    rig.edit([.filter])
    _ = rig.midi([0x90, 70, 1])
    rig.edit([])
    #expect(
      rig.process([.midi([0xF8], at: 5)])
        == [.midi([0x81, 61, 64], at: 1), .midi([0xB1, 64, 0], at: 1), .midi([0xF8], at: 5)])
    #expect(collect(rig) == 1)
    // A release of an already ended note or pedal is dropped once; a second one passes.
    #expect(rig.midi([0xA0, 60, 1], [0x80, 60, 1], [0xB0, 64, 0]) == [])
    #expect(rig.midi([0xB0, 64, 0], [0x80, 60, 1]) == [[0xB0, 64, 0], [0x80, 60, 1]])
    #expect(rig.midi([0x80, 70, 1]) == [[0x80, 70, 1]])
    #expect(collect(rig) == 1)
  }

  @Test func aNewPressIsNotTakenForOneThatHasBeenEnded() {
    let rig = ChainRig([], isEdited: true)
    _ = rig.midi([0x90, 60, 1], [0xB0, 64, 127])
    rig.edit([.filter])
    _ = rig.midi()
    rig.edit([])
    let press = [[0x90, 60, 2], [0xB0, 64, 127]] as [[UInt8]]
    let release = [[0x80, 60, 2], [0xB0, 64, 0]] as [[UInt8]]
    #expect(
      rig.midi(press[0], press[1]) == [[0x80, 60, 64], [0xB0, 64, 0]] + press)
    #expect(rig.midi(release[0], release[1]) == release)
    #expect(rig.midi(release[0], release[1]) == [release[1]])
    _ = rig.midi([0xB0, 123, 0])
    #expect(rig.midi(release[0]) == [release[0]])
  }

  @Test func aChainThatIsNeverTakenIsLeftOut() {
    let rig = ChainRig([.transpose], isEdited: true)
    _ = rig.midi([0x90, 60, 1])
    rig.edit([.filter])
    rig.edit([.channel])
    rig.setNow("channel.map.1", 2)
    #expect(rig.midi([0x80, 60, 1], [0x90, 60, 1]) == [[0x80, 60, 1], [0x91, 60, 1]])
    #expect(collect(rig) == 1)
  }

  @Test func aResetEndsTheNotesOfBothChains() {
    let rig = ChainRig([.transpose], isEdited: true)
    _ = rig.midi([0x90, 60, 1], [0xB0, 64, 127])
    rig.edit([.channel])
    _ = rig.midi([0x90, 61, 1])
    rig.exchange!.player.reset()
    #expect(
      rig.midi([0x80, 60, 1], [0x80, 61, 1]) == [
        [0x80, 60, 64], [0x80, 61, 64], [0xB0, 64, 0],
      ])
    #expect(rig.midi([0x80, 60, 1], [0x80, 61, 1]) == [])
    #expect(collect(rig) == 1)
    rig.edit([])
    #expect(rig.midi([0x90, 62, 1]).count == 1)
    rig.edit([])
    _ = rig.midi()
    rig.edit([])
    _ = rig.midi()
    rig.exchange!.player.reset()
    #expect(rig.midi([0x80, 62, 1]) == [[0x80, 62, 1]])
  }

  @Test func aBypassHoldsForTheNextChainToo() {
    let rig = ChainRig([], isEdited: true)
    rig.exchange!.player.setBypassed(true)
    rig.edit([.transpose])
    rig.setNow("transpose.semitones", 12)
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 60, 1]])
    rig.exchange!.player.setBypassed(false)
    #expect(rig.midi([0x90, 61, 1], [0x80, 60, 1]) == [[0x90, 73, 1], [0x80, 60, 1]])
  }

  @Test func endsWithoutRoomAreSentInALaterCall() {
    let rig = ChainRig([.chord], capacity: 8, isEdited: true)
    rig.setNow("chord.play", 1)
    _ = rig.midi([0x90, 60, 1])
    rig.edit([])
    _ = rig.midi([0xF8])
    let full = [[UInt8]](repeating: [0xF8], count: 7) + [[0x80, 60, 1]]
    #expect(rig.process(full.map { .midi($0, at: 1) }).count == 7)
    #expect(collect(rig) == 1)
    #expect(
      rig.process([.midi([0xF8], at: 2)])
        == [60, 64, 67].map { .midi([0x80, $0, 64], at: 2) } + [.midi([0xF8], at: 2)])
  }

  @Test func notesThatAStageEndedLateAreNotEndedAgain() {
    let rig = ChainRig([.chord], capacity: 8, isEdited: true)
    rig.setNow("chord.play", 1)
    _ = rig.midi([0x90, 60, 1])
    let full = [[UInt8]](repeating: [0xF8], count: 7) + [[0x80, 60, 1]]
    #expect(rig.process(full.map { .midi($0, at: 1) }).last == .midi([0x80, 60, 1], at: 1))
    #expect(rig.midi() == [[0x80, 64, 64], [0x80, 67, 64]])
    rig.edit([])
    #expect(rig.midi() == [])
  }

  @Test func anOverflowOfTheOldChainEndsIt() {
    let rig = ChainRig([.chord], isEdited: true, oldCapacity: 8)
    rig.setNow("chord.play", 1)
    _ = rig.midi([0x90, 60, 1], [0x90, 70, 1])
    rig.edit([])
    // Messages beyond the capacity of the old chain, among them a note-off.
    let flood = [[UInt8]](repeating: [0xA0, 60, 1], count: 32) + [[0x80, 60, 1]]
    var balance = Balance()
    for key in [60, 64, 67, 70, 74, 77] as [UInt8] { balance.take(.midi([0x90, key, 1], at: 0)) }
    for event in rig.process(flood.map { .midi($0, at: 1) }) { balance.take(event) }
    #expect(balance.sounding == [:] && balance.excessNoteOffs == 0)
    #expect(rig.midi([0x80, 70, 1]) == [])
    #expect(collect(rig) == 1)
  }
}
