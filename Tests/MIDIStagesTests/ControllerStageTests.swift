// The controller stage's conversion of controls; no pedal that it presses stays down.

import Testing

@Suite struct ControllerStageTests {
  let rig = ChainRig([.controller])

  func map(_ source: Float, _ number: Float, to target: Float, _ targetNumber: Float) {
    rig.setNow("controller.source", source)
    rig.setNow("controller.sourceController", number)
    rig.setNow("controller.target", target)
    rig.setNow("controller.targetController", targetNumber)
  }

  static let all: [[UInt8]] = [
    [0x90, 60, 1], [0xA0, 60, 9], [0xB0, 1, 1], [0xB0, 64, 127], [0xB0, 64, 0], [0xC0, 5],
    [0xD0, 7], [0xE0, 5, 64], [0x80, 60, 5], [0xB0, 123, 0], [0xF8], [0xFF],
  ]

  @Test func changesNothingByDefault() {
    #expect(rig.process(Self.all.map { .midi($0, at: 0) }) == Self.all.map { .midi($0, at: 0) })
  }

  @Test func everySourceDrivesEveryTargetAndNothingElse() {
    let sources: [(Float, [UInt8])] = [
      (1, [0xB3, 1, 90]), (2, [0xD3, 90]), (3, [0xA3, 60, 90]),
    ]
    let targets: [(Float, [UInt8])] = [(0, [0xB3, 74, 90]), (1, [0xD3, 90])]
    for (source, message) in sources {
      for (target, result) in targets {
        map(source, 1, to: target, 74)
        #expect(rig.midi(message) == [result])
        for other in sources where other.0 != source { #expect(rig.midi(other.1) == [other.1]) }
        #expect(rig.midi([0xB3, 2, 5], [0x93, 60, 5]) == [[0xB3, 2, 5], [0x93, 60, 5]])
      }
    }
  }

  @Test func bendsKeepTheirFourteenBitsAndTheirMiddle() {
    map(4, 0, to: 2, 0)
    for bend in stride(from: 0, through: 16383, by: 7) {
      let message: [UInt8] = [0xE0, UInt8(bend & 127), UInt8(bend >> 7)]
      #expect(rig.midi(message) == [message])
    }
    map(4, 0, to: 0, 1)
    #expect(
      rig.midi([0xE0, 0, 0], [0xE0, 0, 64], [0xE0, 127, 127])
        == [[0xB0, 1, 0], [0xB0, 1, 64], [0xB0, 1, 127]])
    map(1, 1, to: 2, 0)
    #expect(rig.midi([0xB0, 1, 0], [0xB0, 1, 127]) == [[0xE0, 0, 0], [0xE0, 127, 127]])
  }

  @Test func rangesAndCurvesShapeTheValue() {
    map(1, 1, to: 0, 11)
    func outputs(_ values: [UInt8]) -> [UInt8] { values.map { rig.midi([0xB0, 1, $0])[0][2] } }
    rig.setNow("controller.inputLow", 20)
    rig.setNow("controller.inputHigh", 60)
    rig.setNow("controller.outputLow", 100)
    rig.setNow("controller.outputHigh", 20)
    #expect(outputs([0, 20, 40, 60, 127]) == [100, 100, 60, 20, 20])
    rig.setNow("controller.inputHigh", 20)
    #expect(outputs([19, 20]) == [100, 20])
    rig.setNow("controller.inputLow", 0)
    rig.setNow("controller.inputHigh", 127)
    rig.setNow("controller.outputLow", 0)
    rig.setNow("controller.outputHigh", 127)
    rig.setNow("controller.curve", 1)
    let slow = outputs([0, 32, 64, 96, 127])
    #expect(slow.first == 0 && slow.last == 127 && slow[2] < 30 && slow == slow.sorted())
    rig.setNow("controller.curve", 2)
    let fast = outputs([0, 32, 64, 96, 127])
    #expect(fast.first == 0 && fast.last == 127 && fast[2] > 95 && fast == fast.sorted())
  }

  @Test func aKeptSourceComesFirstOnTheSameFrame() {
    map(1, 1, to: 1, 0)
    rig.setNow("controller.keep", 1)
    #expect(
      rig.process([.midi([0xB2, 1, 5], at: 3), .midi([0x90, 60, 1], at: 3)]) == [
        .midi([0xB2, 1, 5], at: 3), .midi([0xD2, 5], at: 3), .midi([0x90, 60, 1], at: 3),
      ])
    rig.setNow("controller.channels.3", 0)
    #expect(rig.midi([0xB2, 1, 5]) == [[0xB2, 1, 5]])
  }

  @Test func aPedalThatAMappingPressedIsReleasedOnTheFrameWhereTheMappingEnds() {
    for (end, value) in [
      ("channels.1", 0), ("source", 0), ("sourceController", 2), ("target", 1),
      ("targetController", 66),
    ] as [(String, Float)] {
      map(1, 1, to: 0, 64)
      rig.setNow("controller.channels.1", 1)
      let change = rig.set("controller." + end, value, at: 9)
      #expect(
        rig.process([.midi([0xB0, 1, 100], at: 2), change, .midi([0x90, 60, 1], at: 9)]) == [
          .midi([0xB0, 64, 100], at: 2), change, .midi([0xB0, 64, 0], at: 9),
          .midi([0x90, 60, 1], at: 9),
        ])
      #expect(rig.process([rig.set("controller." + end, value)]).count == 1)
    }
    map(1, 1, to: 0, 64)
    rig.setNow("controller.channels.1", 1)
    let change = rig.set("controller.source", 0, at: 1)
    #expect(
      rig.process([.midi([0xB0, 1, 100], at: 0), .midi([0xB0, 1, 3], at: 0), change]).count == 3)
  }

  @Test func aPedalThatPassedIsReleasedWhenItHasBecomeTheSource() {
    #expect(rig.midi([0xB0, 64, 127]).count == 1)
    map(1, 64, to: 0, 1)
    #expect(rig.midi([0xB0, 64, 70]) == [[0xB0, 1, 70]])
    #expect(rig.midi([0xB0, 64, 5]) == [[0xB0, 64, 5], [0xB0, 1, 5]])
    #expect(rig.midi([0xB0, 64, 5]) == [[0xB0, 1, 5]])
  }

  @Test func aReleaseThatFoundNoRoomFollowsInTheNextCall() {
    let rig = ChainRig([.controller], capacity: 1)
    rig.setNow("controller.source", 1)
    rig.setNow("controller.targetController", 64)
    #expect(rig.midi([0xB0, 1, 100]) == [[0xB0, 64, 100]])
    let change = rig.set("controller.source", 0, at: 5)
    #expect(rig.process([change]) == [change])
    #expect(rig.process([], slices: [30]) == [.midi([0xB0, 64, 0], at: 29)])
    #expect(rig.process([], slices: [60]) == [])
  }
}
