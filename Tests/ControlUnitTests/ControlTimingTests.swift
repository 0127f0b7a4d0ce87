// Controllers move parameters on their own frame, at any period.

import Configuration
import Graph
import Realtime
import TestSupport
import Testing

@Suite struct ControlTimingTests {
  static let periods = [16, 17, 64, 100, 256, 1024, 2048, 8192]

  @Test(arguments: periods)
  func everyMessageMovesItsParameterOnItsFrame(period: Int) throws {
    let rig = try ControlRig(maximumFrames: 256)
    try rig.map(.controller(74), from: 0, to: 127)
    try rig.map(.controller(74), "pitch", from: 20, to: 147)
    var random = SeededRandom(seed: 7)
    var frame = 0
    var expected: [Float] = []
    var midi: [TimedMIDI] = []
    var value: Float = 0
    while frame < 20_000 {
      let next = frame + Int.random(in: 1..<100, using: &random)
      expected += Array(repeating: value, count: min(next, 20_000) - frame)
      let data = UInt8.random(in: 0..<128, using: &random)
      midi.append(TimedMIDI(frame: FrameTime(next), bytes: [0xB0, 74, data]))
      value = Float(data)
      frame = next
    }
    let output = rig.render(midi, frames: 20_000, period: period)
    let difference = firstDifference(output[0].map { $0.rounded() }, expected)
    #expect(difference == nil, "\(String(describing: difference))")
    #expect(Set(output[1]).count > 100)
    #expect(rig.control.counters.deferredEvents == 0)
  }

  /// Encoders, switches, curves and pickup: all mappings with a memory.
  @Test func mappingsWithAMemoryDoNotDependOnThePeriod() throws {
    var first: [[Float]] = []
    for period in Self.periods {
      let rig = try ControlRig(maximumFrames: 512)
      try rig.map(.controller(1)) { $0.mode = .relative }
      try rig.map(.controller(2), "pitch") { $0.pickup = .scale }
      try rig.map(.controller(3), "pitch") { $0.pickup = .pickup }
      try rig.map(.note(60), "choice") { $0.mode = .toggle }
      try rig.map(.controllerPair(4)) { $0.curve = .exponential }
      try rig.map(.nonRegistered(5), "pitch") { $0.ramp = Located(3, at: .nowhere) }
      var random = SeededRandom(seed: 3)
      let midi = (0..<2_000).map { index in
        let data = UInt8.random(in: 0..<128, using: &random)
        let number = [1, 2, 3, 4, 36, 99, 98, 6, 38, 97].randomElement(using: &random)!
        let value: UInt8 = number == 99 ? 0 : number == 98 ? 5 : data
        return TimedMIDI(
          frame: FrameTime(index * 20 + Int.random(in: 0..<20, using: &random)),
          bytes: index % 7 == 0 ? [0x90, 60, value] : [0xB0, UInt8(number), value])
      }
      let output = rig.render(midi, frames: 41_000, period: period)
      if first.isEmpty { first = output }
      for (output, first) in zip(output, first) {
        #expect(Set(first).count > 1)
        #expect(firstDifference(output, first) == nil, "period \(period)")
      }
      #expect(rig.control.counters.deferredEvents == 0)
    }
  }

  /// Each step of an encoder counts, however many arrive at once.
  @Test func stepsThatWaitAreAllTaken() throws {
    let rig = try ControlRig(units: 300)
    rig.control.mappings = try (0..<300).map { index in
      try rig.mapping(
        MappingConfiguration(.controller(16)) { $0.mode = .relative }, unit: index, from: 0, to: 127
      )
    }
    let midi = (0..<50).map { TimedMIDI(frame: FrameTime($0 * 2), bytes: [0xB0, 16, 2]) }
    let output = rig.render(midi, frames: 50 * 300 * 2 + 1_024)
    #expect(rig.control.counters.deferredEvents > 40)
    for unit in 0..<300 { #expect(output[unit * 3].last?.rounded() == 100) }
  }

  /// Messages above the limit wait in order, equally at any period, and the last value holds.
  @Test func floodsWaitAndEndWhereTheyEnd() throws {
    var first: [[Float]] = []
    for period in Self.periods {
      let rig = try ControlRig(units: 300, maximumFrames: 1024)
      rig.control.mappings = try (0..<300).map { index in
        try rig.mapping(MappingConfiguration(.controller(74)), unit: index, from: 0, to: 127)
      }
      var random = SeededRandom(seed: 5)
      let midi = (0..<4_096).map {
        TimedMIDI(
          frame: FrameTime($0 * 2), bytes: [0xB0, 74, UInt8.random(in: 0..<128, using: &random)])
      }
      let output = rig.render(midi, frames: 8_192 + 2_048, period: period)
      if first.isEmpty { first = output }
      for unit in 0..<300 {
        try #require(firstDifference(output[unit * 3], first[unit * 3]) == nil, "period \(period)")
        try #require(output[unit * 3].last?.rounded() == Float(midi.last!.bytes[2]))
      }
      #expect(rig.control.counters.deferredEvents > 3_000)
      #expect(rig.control.counters.lostEvents == 0)
      let dropped = rig.units.map { $0.switches.value(of: .droppedEvents) }
      #expect(dropped.allSatisfy { $0 == 0 })
      #expect(rig.control.switches.value(of: .droppedEvents) == 0)
      // 256 changes at once, then 32 in 64 frames; the last change may only have begun.
      let changes = (1..<8_192).count { output[0][$0] != output[0][$0 - 1] }
      #expect(changes <= 1 + (8_192 / 64 * 32 + 256) / 300 + 1, "\(changes)")
      #expect(changes > 5)
    }
  }
}
