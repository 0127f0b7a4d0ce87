// Controls of 14 bits, and parameters moved by a control.

import MIDIStages
import TestSupport
import Testing
import UnitModel

@Suite struct ControllerTargetTests {
  let rig = ChainRig([.transpose, .controller, .transpose], own: ChainRig.ownParameters)

  func map(_ source: String, to target: String) {
    for (name, text) in [("source", source), ("target", target)] {
      let parameter = rig.tree.parameter(keyPath: "midi.controller.\(name)")!
      rig.setNow("controller.\(name)", parameter.value(fromString: text)!)
    }
  }

  func aim(at keyPath: String) {
    let address = rig.tree.parameter(keyPath: keyPath)!.address
    rig.setNow("controller.parameter", Float(MIDIChainTarget.number(ofAddress: address)!))
  }

  @Test func pairsOfControllersKeepTheirFourteenBits() {
    map("14-bit controller", to: "14-bit controller")
    rig.setNow("controller.sourceController", 2)
    rig.setNow("controller.targetController", 7)
    // A high byte takes effect at once, and resets the low one.
    #expect(
      rig.midi([0xB3, 2, 100], [0xB3, 34, 5], [0xB3, 2, 3], [0xB3, 7, 9]) == [
        [0xB3, 7, 100], [0xB3, 39, 0], [0xB3, 7, 100], [0xB3, 39, 5], [0xB3, 7, 3], [0xB3, 39, 0],
        [0xB3, 7, 9],
      ])
    // Either number of a pair selects it, and every channel has separate bytes.
    rig.setNow("controller.sourceController", 34)
    #expect(rig.midi([0xB4, 34, 1]) == [[0xB4, 7, 0], [0xB4, 39, 1]])
    map("14-bit controller", to: "bend")
    for value in stride(from: 0, through: 16383, by: 61) {
      let (high, low) = (UInt8(value >> 7), UInt8(value & 127))
      #expect(rig.midi([0xB0, 2, high], [0xB0, 34, low]).last == [0xE0, low, high])
    }
  }

  @Test func parametersWithoutARegistrationAreASource() {
    map("NRPN", to: "controller")
    rig.setNow("controller.sourceNRPN", 3 * 128 + 5)
    rig.setNow("controller.targetController", 20)
    let select: [[UInt8]] = [[0xB0, 99, 3], [0xB0, 98, 5]]
    #expect(rig.midi(select[0], select[1]) == select)
    #expect(rig.midi([0xB0, 6, 64], [0xB0, 38, 127]) == [[0xB0, 20, 64], [0xB0, 20, 64]])
    #expect(rig.midi([0xB0, 96, 0], [0xB0, 97, 0]).map { $0[1] } == [20, 20])
    // Another channel, another number, a registered parameter, and none after a reset.
    #expect(rig.midi([0xB1, 6, 1]) == [[0xB1, 6, 1]])
    #expect(rig.midi([0xB0, 98, 6], [0xB0, 6, 1]).last == [0xB0, 6, 1])
    #expect(rig.midi([0xB0, 98, 5], [0xB0, 101, 3], [0xB0, 100, 5], [0xB0, 6, 1]).last![1] == 6)
    #expect(rig.midi(select[0], select[1], [0xB0, 121, 0], [0xB0, 6, 1]).last![1] == 6)
  }

  @Test func aParameterWithoutARegistrationIsSetAndTheSendersSelectionRestored() {
    map("controller", to: "NRPN")
    rig.setNow("controller.targetNRPN", 120 * 128 + 8)
    #expect(
      rig.midi([0xB2, 1, 127]) == [
        [0xB2, 99, 120], [0xB2, 98, 8], [0xB2, 6, 127], [0xB2, 38, 127], [0xB2, 101, 127],
        [0xB2, 100, 127],
      ])
    _ = rig.midi([0xB2, 99, 1], [0xB2, 98, 2])
    #expect(rig.midi([0xB2, 1, 0]).suffix(2) == [[0xB2, 99, 1], [0xB2, 98, 2]])
    _ = rig.midi([0xB2, 101, 0], [0xB2, 100, 1])
    #expect(rig.midi([0xB2, 1, 0]).suffix(2) == [[0xB2, 101, 0], [0xB2, 100, 1]])
  }

  @Test func whereThereIsNoRoomForAllMessagesNoneIsSent() {
    let rig = ChainRig([.controller], capacity: 5)
    rig.setNow("controller.source", 1)
    rig.setNow("controller.target", 4)
    #expect(rig.midi([0xB0, 1, 5]) == [])
    #expect(rig.input.header.pointee.droppedCount == 1)
    rig.setNow("controller.target", 3)
    #expect(rig.midi([0xB0, 1, 5]).count == 2)
    rig.setNow("controller.keep", 1)
    #expect(rig.midi([0xB0, 2, 5], [0xB0, 2, 5], [0xB0, 2, 5], [0xB0, 1, 5]).count == 4)
  }

  @Test func aParameterIsSetOnTheEventsOwnFrame() {
    map("controller", to: "parameter")
    aim(at: "gain")
    let gain = { (value: Float, frame) in TestEvent.parameter(3, value, at: frame) }
    #expect(
      rig.process([
        .midi([0xB0, 1, 0], at: 3), .midi([0x90, 60, 1], at: 3), .midi([0xB5, 1, 127], at: 9),
      ]) == [gain(-60, 3), .midi([0x90, 60, 1], at: 3), gain(24, 9)])
    rig.setNow("controller.parameterLow", 0.5)
    rig.setNow("controller.outputHigh", 0)
    rig.setNow("controller.outputLow", 127)
    #expect(
      rig.process([.midi([0xB0, 1, 127], at: 5), .midi([0xB0, 1, 0], at: 6)])
        == [gain(-18, 5), gain(24, 6)])
    rig.setNow("controller.keep", 1)
    #expect(
      rig.process([.midi([0xB0, 1, 0], at: 5)]) == [.midi([0xB0, 1, 0], at: 5), gain(24, 5)])
  }

  @Test func logarithmicParametersMoveByRatiosAndChoicesByWholeNumbers() {
    map("channel pressure", to: "parameter")
    aim(at: "cutoff")
    func values(_ levels: [UInt8]) -> [Float] {
      levels.map {
        guard case .parameter(_, let value, _) = rig.process([.midi([0xD0, $0], at: 0)])[0]
        else { return .nan }
        return value
      }
    }
    let cutoffs = values([0, 32, 64, 96, 127])
    #expect(cutoffs.first == 20 && cutoffs.last == 20_000)
    #expect(abs(cutoffs[2] / cutoffs[1] - cutoffs[3] / cutoffs[2]) < 0.001)
    aim(at: "mode")
    #expect(values([0, 30, 64, 100, 127]) == [0, 1, 2, 2, 3])
  }

  @Test func rampsAreInMillisecondsForParametersThatMayRamp() {
    map("controller", to: "parameter")
    rig.setNow("controller.ramp", 10)
    func rampFrames(_ keyPath: String) -> UInt32 {
      aim(at: keyPath)
      _ = rig.process([.midi([0xB0, 1, 64], at: 0)])
      return rig.input.events[0].rampFrames
    }
    #expect(rampFrames("gain") == 480)
    #expect(rampFrames("mode") == 0)
  }

  @Test func stagesBehindMoveOnTheSameFrameAndStagesBeforeDoNot() {
    map("controller", to: "parameter")
    aim(at: "midi.transpose2.semitones")
    let events: [TestEvent] = [
      .midi([0x90, 60, 1], at: 4), .midi([0xB0, 1, 127], at: 4), .midi([0x90, 0, 1], at: 4),
    ]
    #expect(
      rig.process(events) == [
        .midi([0x90, 60, 1], at: 4), rig.set("transpose2.semitones", 127, at: 4),
        .midi([0x90, 127, 1], at: 4),
      ])
    for keyPath in ["midi.transpose.semitones", "midi.controller.shape", "voices"] {
      aim(at: keyPath)
      #expect(rig.midi([0xB0, 1, 5]) == [[0xB0, 1, 5]])
    }
    for number in [-1, 99, 0x20_0105, 0xFF_FFFF] as [Float] {
      rig.setNow("controller.parameter", number)
      #expect(rig.midi([0xB0, 1, 5]) == [[0xB0, 1, 5]])
    }
  }

  @Test func everyAddressOfAStageHasANumberThatAParameterHolds() {
    for parameter in ChainRig(MIDIStageKind.allCases).tree.allParameters {
      let number = MIDIChainTarget.number(ofAddress: parameter.address)!
      #expect(Int(Float(number)) == number && number >= 0x1_0000)
    }
    #expect(MIDIChainTarget.number(ofAddress: 7) == 7)
    #expect(MIDIChainTarget.number(ofAddress: 0x1_0000) == nil)
    #expect(MIDIChainTarget.number(ofAddress: 0x4E00_0000) == nil)
  }
}
