// The chord stage's recognised chords; the chords that it plays end with their keys.

import MIDIStages
import MIDIStagesModel
import Realtime
import Testing
import UnitModel
import UnitRender

@Suite struct ChordStageTests {
  let rig = ChainRig([.filter, .chord])

  /// The stage's published values, as text.
  func found() -> [String] {
    let values = ParameterValues(count: rig.tree.allParameters.count)
    defer { values.deallocate() }
    for index in 0..<values.count { values[index] = -1 }
    rig.chain.publishReadings(to: values, from: 0)
    return ["root", "quality", "bass", "position"].map {
      let parameter = rig.tree.parameter(keyPath: "midi.chord.\($0)")!
      let value = values[rig.tree.index(ofAddress: parameter.address)!]
      return value < 0 ? "unchanged" : parameter.valueStrings[Int(value)]
    }
  }

  func play(_ name: String) {
    let play = rig.tree.parameter(keyPath: "midi.chord.play")!
    rig.setNow("chord.play", play.value(fromString: name)!)
  }

  @Test func heldChordsAreFoundAndPassUnchanged() {
    #expect(found() == ["None", "None", "None", "Root"])
    let keys: [[UInt8]] = [[0x90, 52, 1], [0x91, 57, 1], [0x90, 60, 1], [0x90, 67, 1]]
    #expect(rig.process(keys.map { .midi($0, at: 0) }) == keys.map { .midi($0, at: 0) })
    #expect(found() == ["A", "m7", "E", "Second Inversion"])
    #expect(found()[0] == "unchanged")
    #expect(rig.midi([0x80, 52, 9]) == [[0x80, 52, 9]])
    #expect(found() == ["A", "m7", "A", "Root"])
    rig.setNow("chord.channels.2", 0)
    #expect(found() == ["C", "5", "C", "Root"])
    rig.setNow("chord.channels.2", 1)
    #expect(found()[1] == "m7")
    _ = rig.midi([0xB0, 123, 0])
    #expect(found()[1] == "None")
    _ = rig.midi([0x81, 57, 1], [0x90, 36, 1], [0x90, 40, 1], [0x90, 43, 1], [0xB0, 7, 1])
    #expect(found() == ["C", "Major", "C", "Root"])
    rig.chain.reset()
    #expect(found()[0] == "None")
  }

  @Test func theReadingsAreNotSettings() {
    for name in ["root", "quality", "bass", "position"] {
      let parameter = rig.tree.parameter(keyPath: "midi.chord.\(name)")!
      #expect(parameter.flags.contains(.readable) && !parameter.flags.contains(.writable))
      rig.setNow("chord.\(name)", 3)
    }
    #expect(found() == ["None", "None", "None", "Root"])
  }

  @Test func aKeyPlaysItsChord() {
    play("m7")
    #expect(
      rig.midi([0x92, 60, 80])
        == [[0x92, 60, 80], [0x92, 63, 80], [0x92, 67, 80], [0x92, 70, 80]])
    #expect(found() == ["C", "m7", "C", "Root"])
    rig.setNow("chord.play", 0)
    #expect(rig.midi([0xA2, 60, 5]).map { $0[1] } == [60, 63, 67, 70])
    #expect(
      rig.midi([0x92, 60, 0])
        == [[0x82, 60, 64], [0x82, 63, 64], [0x82, 67, 64], [0x82, 70, 64]])
    #expect(rig.midi([0x82, 60, 0], [0xA2, 60, 5]) == [[0xA2, 60, 5]])
  }

  @Test func everyQualityIsPlayedAsItIsFound() {
    for quality in ChordQuality.all {
      play(quality.name)
      #expect(
        rig.midi([0x90, 40, 80]).map { Int($0[1]) - 40 } == quality.intervals, "\(quality.name)")
      #expect(Array(found()[0...1]) == ["E", quality.name])
      #expect(rig.midi([0x80, 40, 80]).count == quality.intervals.count)
    }
  }

  @Test func inversionSpreadAndVelocityShapeIt() {
    play("7")
    rig.setNow("chord.velocity", 50)
    rig.setNow("chord.inversion", 1)
    #expect(
      rig.midi([0x90, 60, 81], [0x80, 60, 0]).map { [$0[1], $0[2]] }
        == [[64, 81], [67, 41], [70, 41], [72, 41], [64, 0], [67, 0], [70, 0], [72, 0]])
    rig.setNow("chord.inversion", 6)
    #expect(rig.midi([0x90, 60, 1], [0x80, 60, 0]).prefix(4).map { $0[1] } == [70, 72, 76, 79])
    rig.setNow("chord.inversion", 0)
    rig.setNow("chord.spread", 1)
    #expect(rig.midi([0x90, 60, 1], [0x80, 60, 0]).prefix(4).map { $0[1] } == [60, 76, 67, 82])
    rig.setNow("chord.spread", 2)
    #expect(rig.midi([0x90, 60, 1]).map { $0[1] } == [60, 76, 79, 82])
    rig.setNow("chord.spread", 0)
    rig.setNow("chord.inversion", 2)
    play("Minor")
    #expect(rig.midi([0x80, 60, 1]).map { $0[1] } == [60, 76, 79, 82])
  }

  @Test func notesAboveTheLastKeyAreLeftOut() {
    play("Major")
    #expect(rig.midi([0x90, 122, 9], [0x80, 122, 9]).map { $0[1] } == [122, 126, 122, 126])
    rig.setNow("chord.inversion", 1)
    #expect(rig.midi([0x90, 126, 9], [0xA0, 126, 9], [0x80, 126, 9]) == [])
    #expect(rig.midi([0x80, 126, 9]) == [])
  }

  @Test func otherChannelsPlayTheirKeysAlone() {
    play("Major")
    rig.setNow("chord.channels.2", 0)
    #expect(rig.midi([0x91, 60, 9], [0x81, 60, 9]) == [[0x91, 60, 9], [0x81, 60, 9]])
  }

  @Test func noteOffsThatFoundNoRoomFollowInTheNextCall() {
    let rig = ChainRig([.chord], capacity: 3)
    rig.setNow("chord.play", 1)
    #expect(rig.midi([0x90, 60, 9]).map { $0[1] } == [60, 64, 67])
    #expect(rig.midi([0xF8], [0xF8], [0x80, 60, 9]) == [[0xF8], [0xF8], [0x80, 60, 9]])
    #expect(
      rig.process([.midi([0xF8], at: 7)]) == [
        .midi([0x80, 64, 64], at: 7), .midi([0x80, 67, 64], at: 7), .midi([0xF8], at: 7),
      ])
    #expect(rig.process([]) == [])
    // With little room a chord has fewer notes, and exactly these end.
    #expect(rig.midi([0xF8], [0x90, 60, 9]) == [[0xF8], [0x90, 60, 9], [0x90, 64, 9]])
    #expect(rig.midi([0x80, 60, 9]) == [[0x80, 60, 9], [0x80, 64, 9]])
  }
}
