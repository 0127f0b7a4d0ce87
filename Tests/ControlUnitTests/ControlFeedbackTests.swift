// Feedback: controls receive the values of their parameters.

import Configuration
import ControlUnit
import TestSupport
import Testing
import UnitHost
import UnitModel

@Suite struct ControlFeedbackTests {
  /// A control unit, and a unit that is not rendered: its parameters have the values last set.
  private struct Rig {
    let control: ControlUnit
    let unit: ValueUnit
    let host: DirectHost

    init() throws {
      control = try ControlUnit()
      unit = try ValueUnit()
      try control.allocateRenderResources()
      host = try DirectHost(control)
    }

    func map(
      _ source: MappingConfiguration.Source, _ keyPath: String = "level", from first: Float? = nil,
      to last: Float? = nil, _ change: (inout MappingConfiguration) -> Void = { _ in }
    ) throws {
      let parameter = try #require(unit.parameterTree.parameter(keyPath: keyPath))
      control.mappings.append(
        ControlMapping(
          MappingConfiguration(source, change), moving: parameter, of: unit, target: 1,
          from: first ?? parameter.range.lowerBound, to: last ?? parameter.range.upperBound))
    }

    func set(_ keyPath: String, to value: Float) {
      unit.parameterTree.parameter(keyPath: keyPath)!.value = value
    }

    /// Returns the messages sent to controls while `frames` frames are rendered.
    func sent(_ frames: Int = 4_096, _ midi: [UInt8]...) throws -> [[UInt8]] {
      var sent: [[UInt8]] = []
      for start in stride(from: 0, to: frames, by: 256) {
        _ = try host.render(256, midi: start == 0 ? midi.map { DirectHost.MIDI($0) } : [])
        sent += host.midiOutput.map(\.bytes).filter { !$0.isEmpty }
      }
      return sent
    }
  }

  @Test func eachKindOfControlGetsItsOwnMessages() throws {
    let rig = try Rig()
    try rig.map(.controller(74), from: 0, to: 127) { $0.channel = Located(3, at: .nowhere) }
    #expect(try rig.sent() == [[0xB2, 74, 0]])
    rig.set("level", to: 64)
    #expect(try rig.sent() == [[0xB2, 74, 64]])
    #expect(try rig.sent().isEmpty)
    for (source, messages) in [
      (MappingConfiguration.Source.controllerPair(2), [[UInt8]]([[0xB0, 2, 64], [0xB0, 34, 0]])),
      (.nonRegistered(130), [[0xB0, 99, 1], [0xB0, 98, 2], [0xB0, 6, 64], [0xB0, 38, 0]]),
      (.pressure, [[0xD0, 64]]), (.bend, [[0xE0, 0, 64]]), (.note(60), [[0x90, 60, 64]]),
    ] {
      rig.control.mappings = []
      rig.set("level", to: 50)
      try rig.map(source, from: 0, to: 100)
      #expect(try rig.sent() == messages, "\(source)")
      rig.set("level", to: 100)
      #expect(try rig.sent().last?.last == 127, "\(source)")
    }
    rig.control.mappings = []
    try rig.map(.controller(1), from: 0, to: 127) { $0.mode = .relative }
    try rig.map(.controller(2), "choice") { $0.mode = .toggle }
    try rig.map(.controller(3), "pitch") { $0.feedback = false }
    // A control's second mapping gets no feedback.
    try rig.map(.controller(1), "pitch")
    rig.set("level", to: 31)
    #expect(try Set(rig.sent()) == [[0xB0, 1, 31], [0xB0, 2, 0]])
    rig.set("choice", to: 4)
    rig.set("pitch", to: 500)
    #expect(try rig.sent() == [[0xB0, 2, 127]])
  }

  @Test func aControlInMotionGetsNoFeedback() throws {
    let rig = try Rig()
    try rig.map(.controller(1), from: 0, to: 127)
    try rig.map(.controller(2), from: 0, to: 127)
    #expect(try rig.sent() == [[0xB0, 1, 0], [0xB0, 2, 0]])
    // The unit is not rendered: the test sets its value instead.
    _ = try rig.host.render(256, midi: [DirectHost.MIDI([0xB0, 1, 99])])
    rig.set("level", to: 99)
    #expect(try rig.sent(4_096) == [[0xB0, 2, 99]])
    #expect(try rig.sent(48_000).isEmpty)
    // The parameter changes in between; the control receives that once it rests.
    _ = try rig.host.render(256, midi: [DirectHost.MIDI([0xB0, 1, 100])])
    rig.set("level", to: 20)
    #expect(try rig.sent(8_192) == [[0xB0, 2, 20]])
    #expect(try rig.sent(8_192) == [[0xB0, 1, 20]])
  }

  @Test func onlyTheEndOfARampIsSent() throws {
    let rig = try Rig()
    try rig.map(.controller(1), from: 0, to: 127) { $0.ramp = Located(100, at: .nowhere) }
    try rig.map(.controller(2), from: 0, to: 127)
    _ = try rig.sent()
    _ = try rig.host.render(256, midi: [DirectHost.MIDI([0xB0, 1, 100])])
    // The unit is not rendered: the test sets the ramp's values instead, for 4,800 frames.
    for step in 1..<18 {
      rig.set("level", to: Float(step) * 5)
      #expect(try rig.sent(256).isEmpty, "\(step)")
    }
    rig.set("level", to: 100)
    #expect(try rig.sent(2_048) == [[0xB0, 2, 100]])
  }

  @Test func aSwitchGetsItsNewStateAtOnce() throws {
    let rig = try Rig()
    try rig.map(.controller(2), "choice") { $0.mode = .toggle }
    #expect(try rig.sent() == [[0xB0, 2, 0]])
    _ = try rig.host.render(256, midi: [DirectHost.MIDI([0xB0, 2, 127])])
    rig.set("choice", to: 4)
    #expect(try rig.sent(512) == [[0xB0, 2, 127]])
  }

  /// At most as many messages as a cable carries; of each parameter the last value.
  @Test func manyChangesAreSentOneAfterTheOther() throws {
    let rig = try Rig()
    for number in 0..<100 {
      try rig.map(.controller(number), from: 0, to: 127) { $0.channel = Located(1, at: .nowhere) }
    }
    for value in 1...50 {
      rig.set("level", to: Float(value))
      #expect(try rig.sent(256).count <= (value == 1 ? 64 : 4), "\(value)")
    }
    let sent = try rig.sent(48_000)
    #expect(sent.count <= 100 && sent.allSatisfy { $0[2] == 50 }, "\(sent.count)")
    #expect(try rig.sent().isEmpty)
    // A request sends all values again.
    rig.control.requestFeedback()
    #expect(Set(try rig.sent(48_000).map { $0[1] }).count == 100)
  }
}
