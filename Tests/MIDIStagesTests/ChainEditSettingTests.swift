// Settings of a chain that takes over, and notes timed by the old one.

import MIDIStages
import Realtime
import TestSupport
import Testing

@Suite struct ChainEditSettingTests {
  @Test func stagesThatStayKeepTheirSettingsAndNewOnesHaveTheirDefaults() {
    let rig = ChainRig([.velocity, .transpose], isEdited: true)
    rig.setNow("transpose.semitones", 12)
    #expect(rig.midi([0x90, 60, 1], [0x80, 60, 1]) == [[0x90, 72, 1], [0x80, 72, 1]])
    rig.edit([.transpose, .channel, .transpose])
    #expect(rig.midi([0x90, 61, 1], [0x80, 61, 1]) == [[0x90, 73, 1], [0x80, 73, 1]])
    rig.edit([.channel])
    rig.edit([.transpose])
    #expect(rig.midi([0x90, 62, 1]) == [[0x90, 62, 1]])
  }

  @Test func valuesSetUntilTheChainTakesOverCount() {
    let rig = ChainRig([.transpose], isEdited: true)
    let event = rig.set("transpose.semitones", 5)
    let next = rig.make([.filter, .transpose])
    #expect(rig.process([event]) == [event])
    rig.exchange!.publish(next)
    #expect(rig.midi([0x90, 60, 1]) == [[0x90, 65, 1]])
  }

  @Test func anOldControlMovesTheNewChain() {
    let rig = ChainRig([.controller, .transpose], isEdited: true)
    for (name, value) in [
      "source": 1, "sourceController": 64, "target": 5, "parameter": 0x2_0010,
    ] as [String: Float] {
      rig.setNow("controller.\(name)", value)
    }
    let address = rig.address("transpose.semitones")
    _ = rig.midi([0xB0, 64, 127])
    #expect(rig.exchange!.value(at: address) == 127)
    rig.edit([.transpose])
    #expect(rig.process([.midi([0xB0, 64, 0], at: 0)]) == [.parameter(address, -127, at: 0)])
    #expect(rig.exchange!.value(at: address) == -127)
    #expect(rig.midi([0x90, 127, 1]) == [[0x90, 0, 1]])
    #expect(rig.exchange!.collect() == 1)
  }

  /// An arpeggio in sixteenths at 120 beats a minute, whose keys are held while the chain is
  /// replaced.
  private func arpeggio(period: () -> Int) -> [TestEvent] {
    let rig = ChainRig([.arpeggiator, .echo], isEdited: true)
    rig.setNow("arpeggiator.latch", 1)
    var output = rig.run(
      [.midi([0x90, 60, 1], at: 0), .midi([0x90, 64, 1], at: 10)], until: 24_000, period: period)
    rig.edit([.transpose])
    output += rig.run(
      [.midi([0x90, 72, 1], at: 30_000), .midi([0x80, 60, 1], at: 40_000)]
        + [.midi([0x80, 64, 1], at: 50_000), .midi([0x80, 72, 1], at: 90_000)],
      until: 96_000, period: period)
    #expect(rig.exchange!.collect() == 1)
    return output
  }

  @Test func anArpeggioGoesOnUntilTheLastKeyAndEndsOnItsFrameAtAnyPeriod() {
    let output = arpeggio { 64 }
    var random = SeededRandom(seed: 5)
    #expect(arpeggio { Int.random(in: 1...5000, using: &random) } == output)
    #expect(arpeggio { 100_000 } == output)
    let late = output.filter { $0.frame > 50_000 }
    #expect(late == [.midi([0x80, 72, 1], at: 90_000)])
    let steps = output.filter {
      if case .midi(let bytes, let frame) = $0 { bytes[0] == 0x90 && frame > 24_000 } else { false }
    }
    #expect(steps.count > 4)
    var balance = Balance()
    for event in output { balance.take(event) }
    #expect(balance.sounding == [:] && balance.excessNoteOffs == 0)
  }

  @Test func aLatchedPatternAndAMappedPedalEndAtOnceWhereNothingIsHeld() {
    let rig = ChainRig([.controller, .arpeggiator], isEdited: true)
    rig.setNow("controller.source", 1)
    rig.setNow("controller.targetController", 66)
    rig.setNow("arpeggiator.latch", 1)
    rig.setNow("arpeggiator.gate", 200)
    var output = rig.process([.midi([0xB0, 1, 100], at: 0), .midi([0x90, 60, 1], at: 0)])
    output += rig.process([.midi([0x80, 60, 1], at: 40)])
    output += rig.run([], until: 48_000) { 512 }
    #expect(output.count > 4)
    rig.edit([.transpose])
    let end = rig.run([], until: 96_000) { 512 }
    #expect(!end.isEmpty && end.allSatisfy { $0.frame == 48_000 })
    var balance = Balance()
    for event in output + end { balance.take(event) }
    #expect(balance.sounding == [:] && balance.pedals == [] && balance.excessNoteOffs == 0)
    #expect(rig.exchange!.collect() == 1)
  }

  @Test func anOldChainStepsToMIDIClockThatOnlyTheNewOneSendsOn() {
    let rig = ChainRig([.clock, .arpeggiator], isEdited: true)
    rig.setNow("clock.source", 2)
    _ = rig.process([.midi([0xFA], at: 0), .midi([0x90, 60, 1], at: 0)])
    rig.edit([])
    // Twice as fast as without a clock.
    let ticks = (1...96).map { TestEvent.midi([0xF8], at: FrameTime($0 * 500)) }
    let output = rig.run(ticks, until: 48_100) { 256 }
    #expect(output.filter { if case .midi([0xF8], _) = $0 { true } else { false } } == ticks)
    let steps = output.filter {
      if case .midi(let bytes, _) = $0 { bytes[0] == 0x90 } else { false }
    }
    #expect((13...17).contains(steps.count), "\(steps.count) steps in 4 beats")
  }
}
