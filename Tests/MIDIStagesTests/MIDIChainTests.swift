// Guarantees of a chain with any stages: order, slices, foreign events, and no uncounted event.

import MIDIStages
import MIDIStagesModel
import Realtime
import Testing
import UnitModel
import UnitRender

@Suite struct MIDIChainTests {
  @Test func aChainWithoutStagesChangesNothing() {
    #expect(ChainRig([]).midi([0x90, 60, 0], [0x80, 1, 1]) == [[0x90, 60, 0], [0x80, 1, 1]])
  }

  @Test func stagesWorkInTheirOrder() {
    let first = ChainRig([.filter, .transpose])
    first.setNow("filter.keyHigh", 60)
    first.setNow("transpose.semitones", 12)
    #expect(first.midi([0x90, 60, 1], [0x90, 61, 1]) == [[0x90, 72, 1]])
    let second = ChainRig([.transpose, .filter])
    second.setNow("filter.keyHigh", 60)
    second.setNow("transpose.semitones", 12)
    #expect(second.midi([0x90, 60, 1], [0x90, 48, 1]) == [[0x90, 60, 1]])
  }

  @Test func severalStagesOfOneKindAreTheirOwn() {
    let rig = ChainRig([.transpose, .filter, .transpose, .transpose])
    rig.setNow("transpose.semitones", 1)
    rig.setNow("transpose2.semitones", 10)
    rig.setNow("transpose3.semitones", 30)
    #expect(rig.midi([0x90, 60, 1], [0x80, 60, 1]) == [[0x90, 101, 1], [0x80, 101, 1]])
  }

  @Test func everyParameterHasAStageAndAnAddressThatStays() {
    let layout = MIDIChainLayout([.filter, .transpose, .transpose])
    let rig = ChainRig([.filter, .transpose, .transpose])
    #expect(rig.tree.allParameters.count == 30 + 18 + 18)
    for (index, parameter) in rig.tree.allParameters.enumerated() {
      #expect(rig.chain.parameterIndex(ofAddress: parameter.address) == index)
      #expect(rig.chain.setParameter(address: parameter.address, to: parameter.defaultValue))
    }
    #expect(!rig.chain.setParameter(address: 0, to: 1))
    #expect(rig.chain.parameterIndex(ofAddress: 0x4D01_001D) == nil)
    #expect(!rig.chain.setParameter(address: 0x4D01_0100, to: 1))
    #expect(layout.stages.map(\.baseAddress) == [0x4D01_0000, 0x4D02_0000, 0x4D02_0100])
    #expect(layout.stages.map(\.keyPath) == ["midi.filter", "midi.transpose", "midi.transpose2"])
    #expect(
      MIDIStageKind.allCases.map { MIDIStageKind(rawValue: $0.rawValue) }
        == MIDIStageKind.allCases)
    #expect(rig.address("filter.keyLow") == 0x4D01_0010)
    #expect(rig.address("transpose2.channels.10") == 0x4D02_0109)
  }

  @Test func everyKindHasAsManyParametersAsItsDescription() {
    for kind in MIDIStageKind.allCases {
      let rig = ChainRig([kind, kind])
      for (index, parameter) in rig.tree.allParameters.enumerated() {
        #expect(rig.chain.parameterIndex(ofAddress: parameter.address) == index)
      }
      let parameters = rig.tree.allParameters
      #expect(rig.chain.parameterIndex(ofAddress: parameters.last!.address + 1) == nil)
      // Each stage's last parameter is its bypass, after a gap.
      let last = parameters[parameters.count / 2 - 2].address
      #expect(rig.chain.parameterIndex(ofAddress: last + 1) == nil)
    }
  }

  @Test func orderOnOneFrameIsKeptAndForeignEventsPassUnchanged() {
    let rig = ChainRig([.filter, .transpose, .filter])
    let events: [TestEvent] = [
      .midi([0xB0, 1, 1], at: 7), .sysex([0xF0, 9, 8, 7, 0xF7], at: 7), .parameter(3, 0.5, at: 7),
      .midi([0x90, 1, 1], at: 7), .sysex([0xF0, 0xF7], at: 7), .midi([0xF8], at: 7),
      .parameter(0x4D03_0000, 4, at: 8), .midi([0xE0, 1, 1], at: 8),
    ]
    #expect(rig.process(events) == events)
  }

  @Test func eachCallTakesTheEventsOfItsOwnFrames() {
    let rig = ChainRig([.transpose, .filter])
    let events: [TestEvent] =
      (0..<40).map { .midi([0x90, UInt8($0), 1], at: FrameTime($0 / 3)) }
      + [rig.set("transpose.semitones", 50, at: 14)]
      + (0..<40).map { .midi([0x80, UInt8($0), 1], at: FrameTime(20 + $0 / 3)) }
    let whole = rig.process(events)
    #expect(whole.count == 81)
    rig.setNow("transpose.semitones", 0)
    #expect(rig.process(events, slices: [1, 5, 6, 14, 15, 29, 40]) == whole)
  }

  @Test func aFullListHasRoomForTheOutput() {
    let rig = ChainRig([.filter, .transpose])
    rig.setNow("transpose.semitones", 1)
    rig.setNow("filter.channels.2", 0)
    let full: [TestEvent] = (0..<8192).map { .midi([UInt8(0x90 + $0 % 2), 60, 1], at: 0) }
    #expect(rig.process(full) == Array(repeating: .midi([0x90, 61, 1], at: 0), count: 4096))
    // Removed events leave the list in order, so that more can be inserted.
    #expect(rig.process([.midi([0x91, 1, 1], at: 0)]) == [])
    #expect(rig.input.insert(.midi(0x80, 60, 0, at: 3)) && rig.input.first?.pointee.frame == 3)
  }

  @Test func aResetForgetsNotesAndKeepsSettings() {
    let rig = ChainRig([.transpose, .filter])
    rig.setNow("transpose.semitones", 2)
    #expect(rig.midi([0x90, 60, 1]).count == 1)
    rig.chain.reset()
    #expect(rig.midi([0x80, 60, 1]) == [])
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 62, 1]])
  }
}
