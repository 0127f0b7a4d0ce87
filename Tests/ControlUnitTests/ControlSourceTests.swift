// Sources of mappings, and the ranges they cover.

import Configuration
import TestSupport
import Testing

@Suite struct ControlSourceTests {
  @Test func sevenBitsReachBothEndsExactly() throws {
    let rig = try ControlRig()
    try rig.map(.controller(74), "pitch")
    let values = rig.values(after: [[0xB0, 74, 127], [0xB0, 74, 0], [0xB0, 74, 64]], of: 1)
    #expect(values[0] == 20_000 && values[1] == 20)
    // Equal steps are equal ratios.
    #expect(abs(values[2] / 649.89 - 1) < 0.001, "\(values[2])")
    #expect(rig.values(after: [[0xB0, 73, 0], [0xB5, 74, 127]], of: 1) == [values[2], 20_000])
  }

  @Test func aRangeMayRunDownwards() throws {
    let rig = try ControlRig()
    try rig.map(.controller(7), from: 90, to: 10)
    try rig.map(.controller(7), "choice", from: 3, to: 1)
    #expect(rig.values(after: [[0xB0, 7, 0], [0xB0, 7, 127]]) == [90, 10])
    #expect(rig.values(after: [[0xB0, 7, 32]]).map { $0.rounded() } == [70])
    #expect(
      rig.values(after: [[0xB0, 7, 0], [0xB0, 7, 40], [0xB0, 7, 64], [0xB0, 7, 127]], of: 2)
        == [3, 2, 2, 1])
  }

  @Test func aChannelIsAskedFor() throws {
    let rig = try ControlRig()
    try rig.map(.controller(7), from: 0, to: 1) { $0.channel = Located(3, at: .nowhere) }
    #expect(rig.values(after: [[0xB0, 7, 127], [0xB2, 7, 127], [0xB3, 7, 0]]) == [0, 1, 1])
  }

  @Test func halvesMakeFourteenBits() throws {
    let rig = try ControlRig()
    try rig.map(.controllerPair(1), from: 0, to: 100)
    try rig.map(.nonRegistered(1_000), "pitch", from: 20, to: 20 + 16_383)
    #expect(
      rig.values(after: [[0xB0, 1, 127], [0xB0, 33, 127], [0xB1, 33, 127], [0xB0, 1, 0]])
        == [Float(127 * 128 * 100.0 / 16_383), 100, Float(127 * 100.0 / 16_383), 0])
    let values = rig.values(
      after: [
        [0xB0, 6, 127], [0xB0, 99, 7], [0xB0, 98, 104], [0xB0, 6, 127], [0xB0, 38, 127],
        [0xB0, 97, 0], [0xB0, 101, 7], [0xB0, 6, 0],
      ], of: 1)
    #expect(values[0...2].allSatisfy { $0 == 20 })
    #expect(values[4] == 20 + 16_383 && values[5] < values[4] && values[7] == values[5])
  }

  @Test func pressureBendAndNotesMoveToo() throws {
    let rig = try ControlRig()
    try rig.map(.pressure, from: 0, to: 127)
    #expect(rig.values(after: [[0xD0, 127], [0xD0, 0]]) == [127, 0])
    rig.control.mappings = []
    try rig.map(.bend, from: -12, to: 12)
    #expect(
      rig.values(after: [[0xE0, 0, 0], [0xE0, 0, 64], [0xE0, 127, 127]]) == [-12, 0, 12])
    rig.control.mappings = []
    try rig.map(.note(36), from: 0, to: 127)
    #expect(
      rig.values(after: [[0x90, 36, 127], [0x90, 37, 1], [0x80, 36, 0], [0x90, 36, 127]])
        == [127, 127, 0, 127])
  }

  @Test func curvesBendTheWay() throws {
    let rig = try ControlRig()
    try rig.map(.controllerPair(0), from: 0, to: 1) { $0.curve = .exponential }
    let slow = rig.values(after: [[0xB0, 0, 64]])[0]
    rig.control.mappings = []
    try rig.map(.controllerPair(0), from: 0, to: 1) { $0.curve = .logarithmic }
    let fast = rig.values(after: [[0xB0, 0, 64]])[0]
    // (e^1.5 - 1) / (e^3 - 1), and 1 minus that.
    #expect(abs(slow - 0.1824) < 0.001 && abs(fast - 0.7852) < 0.001, "\(slow), \(fast)")
  }

  @Test func otherMessagesMoveNothing() throws {
    let rig = try ControlRig()
    for source: MappingConfiguration.Source in [.controller(7), .pressure, .bend, .note(1)] {
      try rig.map(source)
    }
    let bytes: [[UInt8]] = [
      [0xF8], [0xFF], [0xF0, 1, 0xF7], [0xC0, 7], [0xA0, 1, 100], [0xB0, 120, 0], [0xB0, 121, 0],
    ]
    #expect(rig.values(after: bytes) == Array(repeating: 0, count: bytes.count))
  }
}
