// Settings of MIDI stages in a configuration, accepted or refused with the accepted values.

import BuiltInUnits
import Configuration
import SessionModel
import SessionTestSupport
import Testing
import UnitModel

@Suite struct MIDIStageSettingsTests {
  func unit(_ stages: String) async throws -> AudioUnit {
    let configuration = try SessionConfiguration(
      builtIn: """
        [[unit]]
        id = "a"
        component = "sampler"
        midi = [ \(stages) ]
        """, file: "test.toml")
    return try await SessionBuilder(registry: BuiltInComponents.makeRegistry())
      .build(configuration, file: nil).graph.nodes[0].unit
  }

  func problem(_ stages: String) async throws -> String {
    do {
      _ = try await unit(stages)
      return ""
    } catch let error as ConfigurationError {
      return error.description
    }
  }

  @Test func stagesAreSetByTheirOwnKeys() async throws {
    let unit = try await unit(
      """
      { stage = "velocity", curve = "exponential", shape = 2.5, channels = 2 },
      { stage = "scale", root = "f#", scale = "harmonic minor", mode = "drop" },
      { stage = "velocity", curve = "points", points = [ { in = 9, out = 20 }, { in = 100 } ] },
      { stage = "channel", mode = "zones", map = { 3 = 1 }, zones = [
        { channel = 2, keys = "C-1-B3" },
        { channel = 3, keyLow = "C4", fadeLow = 5 } ] },
      { stage = "bend", sender = 12 },
      { stage = "controller", source = "key pressure", target = "bend", keep = true },
      { stage = "chord", play = "m7b5", spread = "open", channels = "3-4" },
      { stage = "clock", source = "midi clock", tempo = 97.5 },
      { stage = "arpeggiator", rate = "1/8t", mode = "as played", latch = true, pedal = "hold" },
      { stage = "echo", delay = "1/4.", repeats = 5 }
      """)
    let expected: [String: Float] = [
      "velocity.curve": 1, "velocity.shape": 2.5, "velocity.channels.1": 0,
      "velocity.channels.2": 1, "scale.root": 6, "scale.scale": 3, "scale.mode": 3,
      "velocity2.curve": 4, "velocity2.points.1.in": 9, "velocity2.points.1.out": 20,
      "velocity2.points.2.in": 100, "channel.mode": 2, "channel.map.3": 1, "channel.map.4": 4,
      "channel.zones.1.channel": 2, "channel.zones.1.keyHigh": 59, "channel.zones.2.keyLow": 60,
      "channel.zones.2.fadeLow": 5, "channel.zones.3.channel": 0, "bend.sender": 12,
      "bend.receiver": 2, "controller.source": 3, "controller.target": 2, "controller.keep": 1,
      "chord.play": 12, "chord.spread": 1, "chord.channels.2": 0, "chord.channels.3": 1,
      "clock.source": 2, "clock.tempo": 97.5, "arpeggiator.rate": 11, "arpeggiator.mode": 4,
      "arpeggiator.latch": 1, "arpeggiator.pedal": 1, "arpeggiator.gate": 80, "echo.delay": 7,
      "echo.repeats": 5,
    ]
    for (keyPath, value) in expected {
      #expect(
        unit.parameterTree.parameter(keyPath: "midi." + keyPath)?.value == value, "\(keyPath)")
    }
  }

  @Test func mistakesAreReportedWithTheAcceptedValues() async throws {
    #expect(
      try await problem("{ stage = \"velocity\", curv = \"fixed\" }").hasPrefix(
        "test.toml:4:32: unknown key 'curv' in the MIDI stage 'velocity': did you mean 'curve'?"))
    #expect(
      try await problem("{ stage = \"bend\", range = 12 }")
        .hasSuffix("accepted: channels, sender, receiver, bypass"))
    #expect(
      try await problem("{ stage = \"scale\", scale = \"majo\" }")
        .contains("test.toml:4:37: midi.scale.scale = 'majo' is no value of this parameter"))
    #expect(
      try await problem("{ stage = \"scale\", scale = \"majo\" }")
        .contains("accepted: Chromatic, Major, Minor"))
    #expect(
      try await problem("{ stage = \"velocity\", fixed = 128 }")
        .contains("midi.velocity.fixed = 128 is out of range; accepted: 1 to 127"))
  }

  @Test func aControllersParameterIsNamedByItsKeyPath() async throws {
    let named = { (keyPath: String) in
      "{ stage = \"scale\" }, { stage = \"controller\", target = \"parameter\", "
        + "parameter = \"\(keyPath)\" }, { stage = \"transpose\", semitones = 0 }"
    }
    for (keyPath, number) in [("gain", 0), ("midi.transpose.semitones", 0x2_0010)] {
      let parameter = try await unit(named(keyPath)).parameterTree
        .parameter(keyPath: "midi.controller.parameter")
      #expect(parameter?.value == Float(number))
    }
    // Neither parameters of an earlier stage, nor ones without events, nor unknown ones.
    for keyPath in ["midi.scale.root", "polyphony", "gian"] {
      let problem = try await problem(named(keyPath))
      #expect(
        problem.contains("unknown parameter '\(keyPath)' in what this stage can move"), "\(problem)"
      )
    }
  }

  @Test func theArpeggiatorsVelocitiesAreAChoice() async throws {
    let unit = try await unit(
      "{ stage = \"arpeggiator\", velocities = \"accent\", velocity = 120 }")
    #expect(unit.parameterTree.parameter(keyPath: "midi.arpeggiator.velocities")?.value == 2)
    #expect(
      try await problem("{ stage = \"arpeggiator\", velocities = \"loud\" }")
        .contains("accepted: As Played, Fixed, Accent"))
  }

  static let faults: [(String, String)] = [
    (
      "{ stage = \"echo\", repeats = 2.5 }",
      "midi.echo.repeats = 2.5 is no whole number; accepted: 0 to 16"
    ),
    ("{ stage = \"echo\", latch = 1 }", "unknown key 'latch'"),
    ("{ stage = \"arpeggiator\", latch = 0.5 }", "is no whole number"),
    ("{ stage = \"scale\", scale = \"own\", degrees = [true] }", "'degrees' has 1 of 12 degrees"),
    (
      "{ stage = \"controller\", source = \"14-bit controller\", sourceController = 40 }",
      "test.toml:4:83: 'sourceController' = 40 has no second half: a 14-bit controller is a pair, n with n + 32; "
        + "accepted: 0 to 31"
    ),
    (
      "{ stage = \"controller\", source = \"bend\", target = \"14-bit controller\", targetController = 40 }",
      "'targetController' = 40 has no second half"
    ),
    (
      "{ stage = \"controller\", source = \"bend\", target = \"parameter\" }",
      "has the target \"parameter\" and no 'parameter'"
    ),
    (
      "{ stage = \"controller\", source = \"bend\", parameter = \"gain\" }",
      "has a 'parameter' that is not its target"
    ),
    ("{ stage = \"channel\", mode = \"zones\" }", "no zone with a channel: nothing would pass"),
    (
      "{ stage = \"channel\", mode = \"zones\", zones = [ { keys = \"C4-C5\" } ] }",
      "no zone with a channel: nothing would pass"
    ),
    (
      "{ stage = \"channel\", zones = [ { channel = 2 } ] }",
      "has 'zones' that its mode does not use"
    ),
    (
      (0..<257).map { _ in "{ stage = \"velocity\" }" }.joined(separator: ", "),
      "unit 'a' has 257 MIDI stages; accepted: at most 256"
    ),
  ]

  @Test(arguments: faults)
  func ineffectiveAndMisleadingSettingsAreRefused(stages: String, expected: String) async throws {
    let problem = try await problem(stages)
    #expect(problem.contains(expected), "\(problem)")
    #expect(problem.hasPrefix("test.toml:4:"))
  }

  @Test func rootsMayHaveFlats() async throws {
    let unit = try await unit("{ stage = \"scale\", root = \"Bb\", scale = \"major\" }")
    #expect(unit.parameterTree.parameter(keyPath: "midi.scale.root")?.value == 10)
  }

  @Test func wholeParametersOfUnitsRefuseFractions() async throws {
    let toml = "[[unit]]\nid = \"a\"\ncomponent = \"sampler\"\nparameters = { synths = 3.7 }\n"
    let configuration = try SessionConfiguration(builtIn: toml, file: "test.toml")
    await #expect {
      _ = try await SessionBuilder(registry: BuiltInComponents.makeRegistry())
        .build(configuration, file: nil)
    } throws: {
      "\($0)".contains("test.toml:4:25: synths = 3.7 is no whole number; accepted: 1 to 64")
    }
  }
}
