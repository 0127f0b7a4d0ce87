// The filter stage's passed messages; the end of each passed note follows.

import Testing

@Suite struct FilterStageTests {
  let rig = ChainRig([.filter])

  @Test func passesAllByDefault() {
    let all: [[UInt8]] = [
      [0x90, 60, 1], [0xA0, 60, 9], [0xB3, 7, 1], [0xC1, 5], [0xDF, 7], [0xE0, 0, 64], [0xF8],
      [0xF2, 1, 2], [0xB0, 122, 0], [0x80, 60, 5], [0xB0, 123, 0], [0xFF],
    ]
    #expect(rig.process(all.map { .midi($0, at: 3) }) == all.map { .midi($0, at: 3) })
    #expect(
      rig.process([.sysex([0xF0, 1, 2, 0xF7], at: 1)]) == [.sysex([0xF0, 1, 2, 0xF7], at: 1)])
  }

  @Test(
    arguments: [
      ("note", [0x93, 60, 100]), ("controller", [0xB3, 7, 1]), ("bend", [0xE3, 0, 0]),
      ("pressure", [0xD3, 1]), ("pressure", [0xA3, 60, 1]), ("program", [0xC3, 1]),
      ("system", [0xF8]), ("system", [0xF2, 0, 0]), ("system", [0xFF]),
    ] as [(String, [UInt8])])
  func eachKindHasItsSwitch(kind: String, message: [UInt8]) {
    for name in ["note", "controller", "bend", "pressure", "program", "sysex", "system"] {
      rig.setNow("filter.pass." + name, name == kind ? 0 : 1)
    }
    #expect(rig.midi(message) == [])
    for name in ["note", "controller", "bend", "pressure", "program", "sysex", "system"] {
      rig.setNow("filter.pass." + name, name == kind ? 1 : 0)
    }
    #expect(rig.midi(message) == [message])
  }

  @Test func systemExclusiveHasItsSwitch() {
    rig.setNow("filter.pass.sysex", 0)
    #expect(rig.process([.sysex([0xF0, 1, 0xF7], at: 0)]) == [])
    rig.setNow("filter.pass.sysex", 1)
    #expect(rig.process([.sysex([0xF0, 1, 0xF7], at: 0)]).count == 1)
  }

  @Test(arguments: [0x90, 0xA0, 0xB0, 0xC0, 0xD0, 0xE0] as [UInt8])
  func eachChannelHasItsSwitch(status: UInt8) {
    for channel in 1...16 {
      rig.setNow("filter.channels.\(channel)", 0)
      for other in 0..<16 {
        let message = Array([status | UInt8(other), 60, 100].prefix(status & 0xE0 == 0xC0 ? 2 : 3))
        #expect(rig.midi(message) == (other == channel - 1 ? [] : [message]))
      }
      rig.setNow("filter.channels.\(channel)", 1)
    }
  }

  @Test func rangesOfKeysVelocitiesAndControllers() {
    rig.setNow("filter.keyLow", 48)
    rig.setNow("filter.keyHigh", 72)
    rig.setNow("filter.velocityLow", 10)
    rig.setNow("filter.velocityHigh", 99)
    rig.setNow("filter.controllerLow", 7)
    rig.setNow("filter.controllerHigh", 10)
    for key in UInt8(0)...127 {
      #expect(rig.midi([0x90, key, 50]).isEmpty == !(48...72).contains(key))
      #expect(rig.midi([0xA0, key, 50]).isEmpty == !(48...72).contains(key))
    }
    for velocity in UInt8(1)...127 {
      #expect(rig.midi([0x91, 60, velocity]).isEmpty == !(10...99).contains(velocity))
    }
    for number in UInt8(0)..<120 {
      #expect(rig.midi([0xB2, number, 127]).isEmpty == !(7...10).contains(number))
    }
  }

  @Test func aRangeTurnedRoundBlocksTheGap() {
    rig.setNow("filter.controllerLow", 65)
    rig.setNow("filter.controllerHigh", 63)
    for number in UInt8(0)..<120 {
      #expect(rig.midi([0xB2, number, 127]).isEmpty == (number == 64))
    }
  }

  @Test func aNoteOffPassesExactlyIfItsNoteOnDid() {
    let closed = rig.process([
      .midi([0x90, 60, 100], at: 0), rig.set("filter.pass.note", 0, at: 5),
      .midi([0x90, 62, 100], at: 6), .midi([0x80, 60, 3], at: 7),
      rig.set("filter.pass.note", 1, at: 8), .midi([0x80, 62, 3], at: 9),
      .midi([0x80, 64, 3], at: 9),
    ])
    #expect(
      closed.filter { if case .midi = $0 { true } else { false } } == [
        .midi([0x90, 60, 100], at: 0), .midi([0x80, 60, 3], at: 7),
      ])
  }

  @Test func repeatedNoteOnsAreCounted() {
    #expect(rig.midi([0x90, 60, 1], [0x90, 60, 2]).count == 2)
    rig.setNow("filter.velocityHigh", 10)
    #expect(rig.midi([0x90, 60, 90]) == [])
    #expect(rig.midi([0x80, 60, 0], [0x90, 60, 0], [0x80, 60, 0], [0x80, 60, 0]).count == 2)
  }

  @Test func aNoteOnOfVelocityZeroLeavesAsANoteOff() {
    #expect(rig.midi([0x95, 60, 1], [0x95, 60, 0]) == [[0x95, 60, 1], [0x85, 60, 64]])
  }

  @Test func settingsTakeEffectBetweenTheEventsOfOneFrame() {
    let output = rig.process([
      .midi([0xB0, 1, 1], at: 4), rig.set("filter.pass.controller", 0, at: 4),
      .midi([0xB0, 1, 2], at: 4), rig.set("filter.pass.controller", 1, at: 4),
      .midi([0xB0, 1, 3], at: 4),
    ])
    #expect(
      output == [
        .midi([0xB0, 1, 1], at: 4), rig.set("filter.pass.controller", 0, at: 4),
        rig.set("filter.pass.controller", 1, at: 4), .midi([0xB0, 1, 3], at: 4),
      ])
  }

  @Test func theReleaseOfAPedalFollowsItsPress() {
    for pedal in UInt8(64)...69 {
      #expect(rig.midi([0xB0, pedal, 127]).count == 1)
      rig.setNow("filter.pass.controller", 0)
      #expect(rig.midi([0xB0, pedal, 100]) == [])
      #expect(rig.midi([0xB0, pedal, 0]) == [[0xB0, pedal, 0]])
      #expect(rig.midi([0xB0, pedal, 0]) == [])
      rig.setNow("filter.pass.controller", 1)
    }
    #expect(rig.midi([0xB0, 64, 127]).count == 1)
    rig.setNow("filter.pass.controller", 0)
    #expect(rig.midi([0xB1, 121, 0], [0xB0, 121, 0], [0xB0, 121, 0]) == [[0xB0, 121, 0]])
  }

  @Test(arguments: [120, 123, 124, 125, 126, 127] as [UInt8])
  func messagesThatEndAChannelReachItsNotes(number: UInt8) {
    #expect(rig.midi([0x92, 60, 100]).count == 1)
    rig.setNow("filter.channels.3", 0)
    let end = number <= 123 ? number : 123
    #expect(rig.midi([0xB1, number, 0], [0xB2, number, 0]).last == [0xB2, end, 0])
    #expect(rig.midi([0xB2, number, 0], [0x82, 60, 0]) == [])
  }

  @Test func systemResetReachesHeldNotesAndPedals() {
    rig.setNow("filter.pass.system", 0)
    #expect(rig.midi([0xFF]) == [])
    #expect(rig.midi([0x92, 60, 100], [0xFF], [0xFF]) == [[0x92, 60, 100], [0xFF]])
    #expect(rig.midi([0xB2, 64, 100], [0xFF], [0xFF]) == [[0xB2, 64, 100], [0xFF]])
  }

  @Test func valuesOutsideTheRangeAndNotANumberAreHeldToIt() {
    rig.setNow("filter.keyLow", .nan)
    rig.setNow("filter.keyHigh", .infinity)
    rig.setNow("filter.velocityLow", -3e38)
    #expect(rig.midi([0x90, 0, 1], [0x90, 127, 1]).count == 2)
  }
}
