// Messages that are not absolute positions: encoder steps, switches, and pickup.

import Configuration
import TestSupport
import Testing

@Suite struct ControlModeTests {
  @Test func aSwitchGoesFromOneEndToTheOther() throws {
    let rig = try ControlRig()
    try rig.map(.controller(64), "choice") { $0.mode = .toggle }
    try rig.map(.note(36), from: 10, to: 20) { $0.mode = .toggle }
    let presses: [[UInt8]] = [
      [0xB0, 64, 127], [0xB0, 64, 100], [0xB0, 64, 0], [0xB0, 64, 64], [0xB0, 64, 63],
    ]
    #expect(rig.values(after: presses, of: 2) == [4, 4, 4, 0, 0])
    #expect(
      rig.values(after: [
        [0x90, 36, 1], [0x80, 36, 0], [0x90, 36, 1], [0x90, 36, 0], [0x90, 36, 9],
      ])
        == [20, 20, 10, 10, 20])
    // Starting from a value set elsewhere.
    rig.set("choice", to: 4)
    #expect(rig.values(after: [[0xB0, 64, 0], [0xB0, 64, 127]], of: 2) == [4, 0])
  }

  @Test(
    arguments: [
      (MappingConfiguration.Mode.relative, UInt8(1), UInt8(127), UInt8(63)),
      (.relativeOffset, 65, 63, 127), (.relativeSign, 1, 65, 63),
    ])
  func encodersStepFromWhereTheParameterIs(
    mode: MappingConfiguration.Mode, up: UInt8, down: UInt8, far: UInt8
  ) throws {
    let rig = try ControlRig()
    try rig.map(.controller(16), from: 0, to: 127) { $0.mode = mode }
    rig.set("level", to: 50)
    let values = rig.values(
      after: [
        [0xB0, 16, up], [0xB0, 16, up], [0xB0, 16, down], [0xB0, 16, far], [0xB0, 16, far],
      ])
    #expect(values.map { ($0 * 1000).rounded() / 1000 } == [51, 52, 51, 114, 127])
    // After the parameter was set elsewhere.
    rig.set("level", to: 10)
    #expect(abs(rig.values(after: [[0xB0, 16, down]])[0] - 9) < 0.001)
    let nothing: UInt8 = mode == .relativeOffset ? 64 : 0
    rig.set("level", to: 3.25)
    #expect(rig.values(after: [[0xB0, 16, nothing]]) == [3.25])
  }

  @Test func anEncoderGoesToTheNextWholeNumber() throws {
    let rig = try ControlRig()
    try rig.map(.controller(16), "choice") { $0.mode = .relative }
    #expect(
      rig.values(after: [[0xB0, 16, 1], [0xB0, 16, 1], [0xB0, 16, 127], [0xB0, 16, 9]], of: 2)
        == [1, 2, 1, 4])
  }

  @Test func twoControlsOfOneParameterKnowOfEachOther() throws {
    let rig = try ControlRig()
    try rig.map(.controller(1), from: 0, to: 127)
    try rig.map(.controller(2), from: 0, to: 127) { $0.mode = .relative }
    // In one cycle, before the parameter's unit has rendered any of it.
    let output = rig.render(
      [
        .init(frame: 10, bytes: [0xB0, 1, 100]), .init(frame: 20, bytes: [0xB0, 2, 1]),
        .init(frame: 30, bytes: [0xB0, 1, 50]), .init(frame: 40, bytes: [0xB0, 2, 127]),
      ], frames: 64)[0].map { $0.rounded() }
    #expect([9, 10, 20, 30, 40].map { output[$0] } == [0, 100, 101, 50, 49])
  }

  @Test func aControlIsHeardOnceItComesToWhereTheParameterIs() throws {
    let rig = try ControlRig()
    try rig.map(.controller(1), from: 0, to: 127) { $0.pickup = .pickup }
    rig.set("level", to: 64)
    let values = rig.values(after: [10, 30, 62, 70, 20].map { [0xB0, 1, $0] }).map { $0.rounded() }
    #expect(values == [64, 64, 64, 70, 20])
    rig.set("level", to: 100)
    #expect(
      rig.values(after: [25, 90, 99, 50].map { [0xB0, 1, $0] }).map { $0.rounded() }
        == [100, 100, 99, 50])
    // A control that already has the parameter's value need not pass it.
    rig.set("level", to: 51)
    #expect(rig.values(after: [[0xB0, 1, 51], [0xB0, 1, 60]]).map { $0.rounded() } == [51, 60])
  }

  @Test func aControlAndItsParameterMeetAtTheEnd() throws {
    let rig = try ControlRig()
    try rig.map(.controller(1), from: 0, to: 127) { $0.pickup = .scale }
    rig.set("level", to: 100)
    let up = rig.values(after: [27, 77, 127].map { [0xB0, 1, $0] })
    #expect(up.map { $0.rounded() } == [100, 114, 127])
    // From then on both have the same position.
    #expect(rig.values(after: [[0xB0, 1, 50], [0xB0, 1, 20]]).map { $0.rounded() } == [50, 20])
    rig.set("level", to: 80)
    let down = rig.values(after: [10, 5, 0].map { [0xB0, 1, $0] })
    #expect(down.map { $0.rounded() } == [40, 20, 0])
  }

  @Test func mappingsThatStayRememberWhileOthersComeAndGo() throws {
    let rig = try ControlRig()
    try rig.map(.controller(1), from: 0, to: 127) { $0.pickup = .pickup }
    try rig.map(.controller(64), "choice") { $0.mode = .toggle }
    rig.set("level", to: 64)
    #expect(rig.values(after: [[0xB0, 1, 64], [0xB0, 1, 80]]).map { $0.rounded() } == [64, 80])
    #expect(rig.values(after: [[0xB0, 64, 127]], of: 2) == [4])
    for round in 0..<50 {
      // Unchanged, and with other mappings before them.
      let stays = rig.control.mappings.suffix(2)
      rig.control.mappings =
        try (0..<round % 3).map { index in
          try rig.mapping(MappingConfiguration(.controller(80 + (index + round) % 30)))
        } + stays
      // Still picked up, and still pressed.
      let data = UInt8(round)
      #expect(rig.values(after: [[0xB0, 1, data]]).map { $0.rounded() } == [Float(round)])
      #expect(rig.values(after: [[0xB0, 64, 127]], of: 2) == [4])
    }
    rig.control.mappings = []
    #expect(rig.values(after: [[0xB0, 1, 1]]).map { $0.rounded() } == [49])
  }

  @Test func valuesThatAreNoNumberAreIgnored() throws {
    let rig = try ControlRig()
    try rig.map(.controller(2), from: 0, to: 127) { $0.mode = .relative }
    #expect(rig.values(after: [[0xB0, 2, 10]]).map { $0.rounded() } == [10])
    rig.units[0].parameterValues[0] = .nan
    #expect(rig.values(after: [[0xB0, 2, 1]]).map { $0.rounded() } == [11])
    rig.units[0].parameterValues[0] = .infinity
    #expect(rig.values(after: [[0xB0, 2, 1]]).map { $0.rounded() } == [12])
  }

  @Test func aThousandMappingsAndMoreUnitsThanABytesNumbers() throws {
    let rig = try ControlRig(units: 300)
    rig.control.mappings = try (0..<MappingConfiguration.maximumCount).map { index in
      try rig.mapping(
        MappingConfiguration(.controller(index % 120)) {
          $0.channel = Located(index / 120 + 1, at: .nowhere)
        }, unit: index % 300, from: 0, to: 127)
    }
    let output = rig.render([.init(frame: 3, bytes: [0xB2, 17, 99])], frames: 64)
    // 2 · 120 + 17
    let moved = output.indices.filter { output[$0].contains { $0.rounded() == 99 } }
    #expect(moved == [257 * 3])
    #expect(output[257 * 3][2] == 0 && output[257 * 3][3].rounded() == 99)
  }
}
