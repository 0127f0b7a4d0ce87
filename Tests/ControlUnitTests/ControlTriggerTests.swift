// Triggers of program changes, keys and switches.

import Configuration
import ControlUnit
import Realtime
import TestSupport
import Testing

@Suite struct ControlTriggerTests {
  private static let periods = [16, 64, 441, 1024]

  /// Many values of several units take effect together, each on the frame of its message.
  @Test(arguments: periods)
  func allValuesTakeEffectOnTheFrameOfTheProgramChange(period: Int) throws {
    let rig = try ControlRig(units: 300)
    for (program, value) in [(3, Float(30)), (4, 40)] {
      rig.setOff(
        .program(program),
        ControlTrigger(
          .scene("\(program)"),
          values: try (0..<300).map { try rig.value("level", of: $0, is: value) }))
    }
    let output = rig.render(
      [
        .init(frame: 100, bytes: [0xC0, 3]), .init(frame: 3_001, bytes: [0xC5, 4]),
        .init(frame: 6_000, bytes: [0xC5, 5]), .init(frame: 9_000, bytes: [0xC5, 3]),
      ], frames: 10_000, period: period)
    for unit in 0..<300 {
      let level = output[unit * 3]
      let changes = (1..<10_000).filter { level[$0] != level[$0 - 1] }
      try #require(
        changes == [100, 3_001, 9_000] && level[9_999] == 30, "unit \(unit): \(changes)")
    }
    #expect(rig.control.takeSetOff().map(\.frame) == [100, 3_001, 9_000])
    #expect(rig.control.takeSetOff().isEmpty)
    #expect(rig.control.counters.deferredEvents == 0)
  }

  /// A message after many values at once waits.
  @Test func manyValuesTakeTheTimeOfOthers() throws {
    let rig = try ControlRig()
    let value = try rig.value("level", is: 1)
    rig.setOff(
      .program(0), ControlTrigger(.scene("all"), values: Array(repeating: value, count: 1_024)))
    try rig.map(.controller(7), "pitch")
    let output = rig.render(
      [.init(frame: 0, bytes: [0xC0, 0]), .init(frame: 1, bytes: [0xB0, 7, 127])], frames: 4_096)
    let start = output[1].firstIndex { $0 == 20_000 } ?? 0
    // 1,024 values and their program change, less 256 at once, at 32 in 64 frames.
    #expect((1_472...1_600).contains(start), "\(start)")
  }

  @Test func aBankIsAskedForAndPressesAreNot() throws {
    let rig = try ControlRig()
    for (source, value, bank) in [
      (MappingConfiguration.Source.program(1), Float(10), Int?.none), (.program(2), 20, 130),
      (.note(36), 30, nil), (.controller(64), 40, nil),
    ] {
      rig.setOff(
        source, ControlTrigger(.scene(""), values: [try rig.value("level", is: value)])
      ) { mapping in mapping.bank = bank.map { Located($0, at: .nowhere) } }
    }
    #expect(
      rig.values(
        after: [
          [0xC0, 1], [0xC0, 2], [0xB0, 0, 1], [0xB0, 32, 2], [0xC1, 2], [0xC0, 2], [0xC0, 1],
          [0xB0, 0, 0], [0xC0, 2], [0xB0, 0, 1], [0xFF], [0xC0, 2],
        ]) == [10, 10, 10, 10, 10, 20, 10, 10, 10, 10, 10, 10])
    #expect(
      rig.values(after: [
        [0x90, 36, 1], [0xC0, 1], [0x90, 36, 1], [0x80, 36, 0], [0x90, 36, 9],
      ])
        == [30, 10, 10, 10, 30])
    #expect(
      rig.values(after: [[0xB0, 64, 63], [0xB0, 64, 64], [0xC0, 1], [0xB0, 64, 127]])
        == [30, 40, 10, 10])
  }

  /// Includes two changes in one cycle, and one that reverses in the middle of a fade.
  @Test(arguments: periods)
  func aBypassTakesEffectOnTheFrameOfTheProgramChange(period: Int) throws {
    let rig = try ControlRig(units: 2)
    rig.set("level", to: 50)
    for (program, isOn) in [(1, true), (2, false)] {
      rig.setOff(
        .program(program),
        ControlTrigger(
          .scene("\(isOn)"), bypasses: [.init(target: rig.targets[0], isOn: isOn)]))
    }
    let frames: [FrameTime] = [100, 512, 4_000, 6_001, 9_001, 9_002]
    let output = rig.render(
      frames.enumerated().map { TimedMIDI(frame: $1, bytes: [0xC0, $0 % 2 == 0 ? 1 : 2]) },
      frames: 12_000, period: period)
    var place = 960
    var isOn = false
    for frame in 0..<12_000 {
      if frames.contains(FrameTime(frame)) { isOn.toggle() }
      place = max(0, min(960, place + (isOn ? -1 : 1)))
      try #require(
        output[0][frame] == (place == 960 ? 50 : 50 * Float(place) / 960), "frame \(frame)")
    }
    #expect(output[3].allSatisfy { $0 == output[3][0] })
    #expect(rig.control.takeSetOff().map(\.frame) == frames)
    #expect(!rig.units[0].shouldBypassEffect)
  }

  @Test func unitsAreResetWithTheNextCall() throws {
    let rig = try ControlRig(units: 2)
    rig.setOff(.program(3), ControlTrigger(.panic, resets: rig.units))
    let output = rig.render([.init(frame: 700, bytes: [0xC0, 3])], frames: 2_048, period: 256)
    #expect(output[2][767] == 0 && output[2][768] == 4 && output[5][768] == 4)
  }

  /// `settleBypass` changes the unit's property and not its sound.
  @Test func aBypassThatIsSettledChangesNoSound() throws {
    let rig = try ControlRig()
    rig.set("level", to: 50)
    _ = rig.render(frames: 64)
    rig.units[0].settleBypass(true)
    #expect(rig.units[0].shouldBypassEffect)
    #expect(rig.render(frames: 64)[0] == Array(repeating: 50, count: 64))
    rig.units[0].shouldBypassEffect = true
    #expect(rig.render(frames: 2_048)[0].suffix(1_024).allSatisfy { $0 == 0 })
  }
}
