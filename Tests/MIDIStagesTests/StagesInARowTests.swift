// Stages in series each remember the notes that they let in, even while they change none.

import MIDIStages
import Testing

@Suite struct StagesInARowTests {
  static let kinds: [MIDIStageKind] = [.filter, .velocity, .transpose, .scale, .channel, .chord]

  @Test func aNoteOffThatBelongsToNoNoteIsKeptBack() {
    let rig = ChainRig([.filter, .transpose, .scale, .channel])
    #expect(rig.midi([0x80, 60, 1], [0x90, 60, 1]) == [[0x90, 60, 1]])
    #expect(rig.midi([0x80, 60, 1], [0x80, 60, 1]) == [[0x80, 60, 1]])
    #expect(rig.midi([0x90, 60, 1], [0xB0, 123, 0], [0x80, 60, 1]).count == 2)
  }

  @Test(
    arguments: [
      ("transpose.semitones", 5, 65), ("scale.scale", 1, 60), ("channel.map.1", 1, 60),
      ("filter.pass.note", 1, 60), ("chord.channels.2", 0, 60),
    ] as [(String, Float, UInt8)])
  func aSettingThatChangesUnderHeldNotesLeavesThemAsTheyAre(
    keyPath: String, value: Float, key: UInt8
  ) {
    let rig = ChainRig(Self.kinds)
    #expect(rig.midi([0x90, 60, 1], [0x90, 60, 2], [0x90, 61, 3]).count == 3)
    rig.setNow(keyPath, value)
    #expect(rig.midi([0x90, 60, 4]) == [[0x90, key, 4]])
    #expect(rig.midi([0xA0, 61, 9]) == [[0xA0, 61, 9]])
    #expect(
      rig.midi([0x80, 60, 0], [0x80, 60, 0], [0x80, 60, 0], [0x80, 61, 0], [0x80, 61, 0])
        == [[0x80, key, 0], [0x80, 60, 0], [0x80, 60, 0], [0x80, 61, 0]])
  }

  @Test(arguments: ["filter", "transpose", "scale", "channel", "chord"])
  func aBypassUnderHeldNotesLetsEachEndOnce(stage: String) {
    let rig = ChainRig(Self.kinds)
    _ = rig.midi([0x90, 60, 1])
    for value in [1, 0, 1] as [Float] {
      rig.setNow(stage + ".bypass", value)
      #expect(rig.midi([0x90, 62, 1], [0x80, 62, 0]).count == 2)
    }
    #expect(rig.midi([0x80, 60, 0], [0x80, 60, 0]) == [[0x80, 60, 0]])
  }

  @Test func aFilterThatClosesOverHeldNotesLetsTheirEndsPass() {
    let rig = ChainRig([.transpose, .filter])
    _ = rig.midi([0x90, 60, 1])
    rig.setNow("filter.pass.note", 0)
    #expect(rig.midi([0x90, 60, 1], [0x90, 61, 1], [0x80, 61, 1]) == [])
    rig.setNow("filter.pass.note", 1)
    #expect(rig.midi([0x80, 60, 1], [0x80, 60, 1], [0x80, 61, 1]) == [[0x80, 60, 1]])
  }

  @Test func notesGoBackToTheChannelTheyWereOnAndEndWithAllOfIt() {
    let rig = ChainRig([.transpose, .channel])
    _ = rig.midi([0x90, 60, 1], [0x91, 61, 1])
    rig.setNow("channel.map.1", 4)
    #expect(rig.midi([0xB0, 123, 0]) == [[0xB3, 123, 0], [0xB0, 123, 0]])
    #expect(rig.midi([0x80, 60, 1], [0x81, 61, 1]) == [[0x81, 61, 1]])
  }

  @Test func aChainThatIsFullOfNotesStaysBalanced() {
    let rig = ChainRig([.filter, .transpose, .channel])
    let on: [TestEvent] = Array(repeating: .midi([0x90, 60, 1], at: 0), count: 5000)
    let off: [TestEvent] = Array(repeating: .midi([0x80, 60, 1], at: 0), count: 5000)
    #expect(rig.process(on).count == 4096)
    rig.setNow("transpose.semitones", 1)
    #expect(rig.process(off) == Array(off.prefix(4096)))
    #expect(rig.midi([0x90, 60, 1], [0x80, 60, 1]) == [[0x90, 61, 1], [0x80, 61, 1]])
  }

  /// A stage in the middle ends notes that the first stage still counts as held.
  @Test func deferredEndsOfAMiddleStageReachLaterStages() {
    let rig = ChainRig([.filter, .velocity, .transpose], capacity: 8)
    rig.setNow("velocity.bypass", 1)
    _ = rig.midi([0x90, 60, 1])
    rig.setNow("velocity.bypass", 0)
    let full = [[UInt8]](repeating: [0xF8], count: 6) + [[0xB0, 123, 0], [0x90, 61, 1]]
    #expect(rig.process(full.map { .midi($0, at: 0) }).count == 8)
    #expect(rig.midi([0xF8]).count == 8)
    #expect(rig.midi([0x80, 61, 1]) == [])
  }
}
