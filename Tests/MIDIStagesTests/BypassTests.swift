// A bypassed stage has no effect, and the notes that it has let in still end.

import MIDIStages
import Testing
import UnitModel

@Suite struct BypassTests {
  static let all: [[UInt8]] = [
    [0x90, 60, 1], [0xA0, 60, 9], [0xB0, 1, 1], [0xB0, 64, 127], [0xB0, 64, 0], [0xC0, 5],
    [0xD0, 7], [0xE0, 5, 64], [0x80, 60, 5], [0xB0, 121, 0], [0xB0, 124, 0],
    [0xF8], [0xFF],
  ]

  @Test(arguments: MIDIStageKind.allCases)
  func everyBypassedKindPassesEverythingAtAnySettings(kind: MIDIStageKind) {
    let rig = ChainRig([kind])
    for parameter in rig.tree.allParameters {
      _ = rig.chain.setParameter(
        address: parameter.address, to: parameter.identifier == "bypass" ? 1 : parameter.maxValue)
    }
    let events = Self.all.map { TestEvent.midi($0, at: 0) } + [.sysex([0xF0, 1, 0xF7], at: 0)]
    #expect(rig.process(events) == events)
  }

  @Test func aNoteEndsTheWayItBegan() {
    let rig = ChainRig([.transpose])
    rig.setNow("transpose.semitones", 12)
    let bypass = { rig.set("transpose.bypass", $0, at: 5) }
    let output = rig.process([
      .midi([0x90, 60, 1], at: 1), .midi([0x90, 61, 1], at: 1), bypass(1),
      .midi([0x90, 60, 2], at: 5), .midi([0x90, 62, 2], at: 5), .midi([0xA0, 61, 7], at: 5),
      .midi([0xA0, 62, 7], at: 5), bypass(0), .midi([0x90, 63, 3], at: 6),
      .midi([0x80, 60, 0], at: 7), .midi([0x80, 62, 0], at: 7), .midi([0x80, 60, 0], at: 7),
      .midi([0x80, 63, 0], at: 7), .midi([0x80, 61, 0], at: 7), .midi([0x80, 61, 0], at: 8),
    ])
    #expect(
      output == [
        .midi([0x90, 72, 1], at: 1), .midi([0x90, 73, 1], at: 1), bypass(1),
        .midi([0x90, 60, 2], at: 5), .midi([0x90, 62, 2], at: 5), .midi([0xA0, 73, 7], at: 5),
        .midi([0xA0, 62, 7], at: 5), bypass(0), .midi([0x90, 75, 3], at: 6),
        .midi([0x80, 72, 0], at: 7), .midi([0x80, 62, 0], at: 7), .midi([0x80, 60, 0], at: 7),
        .midi([0x80, 75, 0], at: 7), .midi([0x80, 73, 0], at: 7),
      ])
  }

  @Test func aPedalIsReleasedWhereverItWasPressed() {
    let rig = ChainRig([.channel])
    rig.setNow("channel.map.1", 2)
    #expect(rig.midi([0xB0, 64, 100]) == [[0xB1, 64, 100]])
    rig.setNow("channel.bypass", 1)
    #expect(rig.midi([0xB0, 64, 110], [0xB0, 66, 127]) == [[0xB0, 64, 110], [0xB0, 66, 127]])
    #expect(rig.midi([0xB0, 64, 3]) == [[0xB1, 64, 3], [0xB0, 64, 3]])
    rig.setNow("channel.bypass", 0)
    #expect(rig.midi([0xB0, 66, 0]) == [[0xB0, 66, 0]])
    #expect(rig.midi([0xB0, 66, 0]) == [[0xB1, 66, 0]])
  }

  @Test func messagesThatEndAChannelReachAllItsNotes() {
    let rig = ChainRig([.channel])
    rig.setNow("channel.map.1", 2)
    _ = rig.midi([0x90, 60, 1])
    rig.setNow("channel.bypass", 1)
    #expect(rig.midi([0xB0, 123, 0]) == [[0xB1, 123, 0], [0xB0, 123, 0]])
    #expect(rig.midi([0x80, 60, 0], [0xB0, 123, 0]) == [[0xB0, 123, 0]])
    _ = rig.midi([0x90, 60, 1])
    rig.setNow("channel.bypass", 0)
    #expect(rig.midi([0xB0, 121, 0]) == [[0xB1, 121, 0]])
    #expect(rig.midi([0xB0, 120, 0]) == [[0xB1, 120, 0], [0xB0, 120, 0]])
    #expect(rig.midi([0x80, 60, 0]) == [])
  }

  @Test func aMappingsPedalIsReleasedAndABendsRangeIsTheSendersOwn() {
    let rig = ChainRig([.controller, .bend])
    rig.setNow("controller.source", 1)
    rig.setNow("controller.targetController", 64)
    rig.setNow("bend.receiver", 12)
    _ = rig.midi([0xB0, 1, 100], [0xE0, 0, 96])
    let change = rig.set("controller.bypass", 1, at: 4)
    #expect(rig.process([change]) == [change, .midi([0xB0, 64, 0], at: 4)])
    #expect(rig.midi([0xB0, 1, 100]) == [[0xB0, 1, 100]])
    rig.setNow("bend.bypass", 1)
    let bends = rig.midi([0xE0, 0, 96])
    #expect(bends.contains([0xB0, 6, 2]) && bends.last == [0xB0, 100, 127] || bends.count == 7)
    #expect(bends.filter { $0[0] == 0xE0 } == [[0xE0, 0, 96]])
  }

  @Test func endsWithoutRoomAreSentInTheNextCall() {
    let rig = ChainRig([.channel], capacity: 8)
    rig.setNow("channel.map.1", 2)
    _ = rig.midi([0xB0, 64, 100])
    rig.setNow("channel.bypass", 1)
    _ = rig.midi([0xB0, 64, 100])
    let full = [[UInt8]](repeating: [0xF8], count: 7) + [[0xB0, 64, 0]]
    #expect(rig.process(full.map { .midi($0, at: 0) }).last == .midi([0xB1, 64, 0], at: 0))
    let ends = rig.process([.midi([0xF8], at: 3)])
    #expect(ends.first == .midi([0xB0, 64, 0], at: 3) && ends.count == 8)
  }

  @Test func anAllBypassedChainAndAResetForgetNothingThatSounds() {
    let rig = ChainRig([.transpose, .channel])
    rig.setNow("transpose.semitones", 1)
    rig.setNow("channel.map.1", 2)
    _ = rig.midi([0x90, 60, 1])
    rig.chain.setBypassed(true)
    #expect(rig.midi([0x90, 62, 1], [0x80, 60, 1]) == [[0x90, 62, 1], [0x81, 61, 1]])
    rig.chain.setBypassed(false)
    #expect(rig.midi([0x80, 62, 1]) == [[0x80, 62, 1]])
    rig.setNow("transpose.bypass", 1)
    rig.chain.setBypassed(true)
    rig.chain.setBypassed(false)
    #expect(rig.midi([0x90, 60, 1]) == [[0x91, 60, 1]])
    rig.chain.reset()
    #expect(rig.midi([0x80, 60, 1]) == [])
  }
}
