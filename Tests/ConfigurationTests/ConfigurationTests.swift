// Contents of valid configurations.

import Configuration
import Foundation
import SamplerUnit
import Testing

struct ConfigurationTests {
  static let example = """
    [client]
    name = "studio"

    [[connect]]
    from = "piano"
    to = "lowpass"

    [[unit]]
    id = "piano"
    component = "sampler"
    soundfont = "TimGM6mb.sf2"
    bank = 0
    program = 5
    parameters = { gain = -6.0, pan = 64, midi.transpose.semitones = -12, reverb = { on = true } }
    midi = [
      { stage = "filter", channels = [1, "3-4"], keys = "C2-C7", velocities = "10-127", controllers = ["64-69"], pass = ["note", "bend", "sysex"] },
      { stage = "transpose", semitones = -12, channels = 2 } ]

    [[unit]]
    id = "lowpass"
    component = "aufx/lpas/Aurc"
    preset = "Warm"
    impulse = "hall.wav"
    place = [120, -40.5]
      [unit.parameters]
      cutoff = 900
      filter.mode = "12 dB"

    [[connect]]
    from = "lowpass:2"
    to = "system:playback_*"

    [[connect]]
    from = "a2j:Keys [20] (capture): Keys MIDI 1"
    to = "piano:midi"
    """

  func read(_ toml: String) throws -> SessionConfiguration {
    try SessionConfiguration(toml: toml, file: "test.toml", kinds: TestUnits.all)
  }

  @Test func everyKeyReachesTheModel() throws {
    let configuration = try read(Self.example)
    #expect(configuration.clientName?.value == "studio")
    try #require(configuration.units.count == 2)
    let piano = configuration.units[0]
    #expect(piano.id.value == "piano")
    #expect(piano.component.value == "sampler")
    #expect(piano.keys.names == ["soundfont", "bank", "program"])
    #expect(piano.keys["soundfont"]?.content == .string("TimGM6mb.sf2"))
    #expect(piano.keys["program"]?.content == .integer(5))
    #expect(piano.preset == nil)
    #expect(
      piano.parameters.map(\.keyPath.value) == [
        "gain", "pan", "midi.transpose.semitones", "reverb.on",
      ])
    #expect(
      piano.parameters.map(\.value.value) == [
        .number(-6), .number(64), .number(-12), .boolean(true),
      ])
    let lowpass = configuration.units[1]
    #expect(lowpass.preset?.value == "Warm")
    #expect(lowpass.parameters.map(\.keyPath.value) == ["cutoff", "filter.mode"])
    #expect(lowpass.parameters.map(\.value.value) == [.number(900), .string("12 dB")])
    #expect(lowpass.place?.value == BoxPosition(x: 120, y: -40.5))
    #expect(lowpass.keys.names == ["impulse"])
    #expect(lowpass.keys["impulse"]?.content == .string("hall.wav"))
  }

  @Test func keysOfMIDIStagesAreTheirParameters() throws {
    let stages = try read(Self.example).units[0].midiStages.map(\.value)
    try #require(stages.map(\.name) == ["filter", "transpose"])
    let filter = Dictionary(
      uniqueKeysWithValues: stages[0].settings.map { ($0.keyPath.value, $0.value.value) })
    #expect((1...16).filter { filter["channels.\($0)"] == .boolean(true) } == [1, 3, 4])
    #expect(filter["keyLow"] == .number(36) && filter["keyHigh"] == .number(96))
    #expect(filter["velocityLow"] == .number(10) && filter["velocityHigh"] == .number(127))
    #expect(filter["controllerLow"] == .number(64) && filter["controllerHigh"] == .number(69))
    let passing = MIDIMessageKind.allCases.filter {
      filter["pass.\($0.rawValue)"] == .boolean(true)
    }
    #expect(passing == [.note, .bend, .sysex])
    #expect(filter.count == 16 + 6 + 6)
    let move = stages[1].settings
    #expect(move[0].keyPath.value == "semitones" && move[0].value.value == .number(-12))
    #expect(move.filter { $0.value.value == .boolean(true) }.map(\.keyPath.value) == ["channels.2"])
  }

  @Test func aFilterHasOneRangeOfControllers() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try read(Self.example.replacing("[\"64-69\"]", with: "[\"64-69\", 1]"))
    }
    #expect(error.description.hasPrefix("test.toml:16:"))
    #expect(error.description.contains("a filter has one range of controllers"))
  }

  @Test func connectionsKeepTheirOrderAndFindUnitsThatFollow() throws {
    let connections = try read(Self.example).connections
    #expect(
      connections.map(\.from.value) == [
        .unit(id: "piano", bus: nil), .unit(id: "lowpass", bus: .index(1)),
        .outside(PortPattern("a2j:Keys [20] (capture): Keys MIDI 1")),
      ])
    #expect(
      connections.map(\.to.value) == [
        .unit(id: "lowpass", bus: nil), .outside(PortPattern("system:playback_*")),
        .unit(id: "piano", bus: .name("midi")),
      ])
  }

  @Test func everyValueKnowsItsPlace() throws {
    let configuration = try read(Self.example)
    func place(_ location: SourcePosition?) -> [Int] {
      [location?.line ?? -1, location?.column ?? -1]
    }
    #expect(place(configuration.clientName?.location) == [2, 8])
    #expect(place(configuration.connections[0].from.location) == [5, 8])
    let piano = configuration.units[0]
    #expect(place(piano.location) == [8, 1])
    #expect(place(piano.keys["program"]?.location) == [13, 11])
    #expect(place(piano.parameters[2].keyPath.location) == [14, 54])
    #expect(place(piano.parameters[2].value.location) == [14, 66])
    #expect(place(piano.midiStages[1].location) == [17, 3])
    #expect(piano.id.location.description == "test.toml:9:6")
  }

  @Test func keysOfKindsThatAProgramDoesNotHaveAreRefused() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try SessionConfiguration(
        toml: Self.example, file: "test.toml", kinds: [SamplerUnit.component])
    }
    #expect(error.description.hasPrefix("test.toml:23:1: unknown key 'impulse' in [[unit]]"))
    #expect(error.problems.count == 1)
  }

  @Test(arguments: [
    ("impulse = [3]", "11: 'impulse' must be a string, found an array"),
    ("wet = [1.0, 1979-05-27]", "13: 'wet' must be no date or time, found a date or time"),
    ("wet = { a = [nan] }", "14: 'wet' must be a finite number"),
    ("wet = { a = [inf] }", "14: 'wet' must be a finite number"),
    ("wet = { a = [-inf] }", "14: 'wet' must be a finite number"),
    ("place = 5", "9: 'place' must be an array of two numbers, found an integer"),
    ("place = [5]", "9: 'place' has 1 values; accepted: two, such as [120, 40]"),
    ("place = [5, nan]", "13: 'place' is out of range: nan; accepted: -100000 to 100000"),
    ("place = [5, 1e6]", "13: 'place' is out of range: 1000000.0; accepted: -100000 to 100000"),
    ("place = [5, \"6\"]", "13: 'place' must be a number, -100000 to 100000, found a string"),
  ])
  func anErrorOfAKindOfUnitHasItsLine(_ key: String, _ problem: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try read("[[unit]]\nid = \"a\"\ncomponent = \"room\"\n\(key)\n")
    }
    #expect(error.description == "test.toml:4:\(problem)")
  }

  @Test(arguments: ["mixer", "aumx/mixr/Aurc", "*/mixr/*"])
  func aKeyIsCheckedByTheKindOfItsUnitAlone(_ mixer: String) throws {
    func unit(_ component: String, _ keys: String) -> String {
      "[[unit]]\n\(keys)\nid = \"a\"\ncomponent = \"\(component)\"\n"
    }
    for ports in [1, 2, 3, 4, 6, 8] {
      let channels = ports == 3 || ports == 8 ? "channels = \(ports)\n" : ""
      let read = try read(unit(mixer, "\(channels)ports = [\(ports)]"))
      #expect(read.units[0].keys["ports"] != nil)
    }
    // The same key takes one number in a room and an array in a mixer.
    #expect(try read(unit("room", "ports = 2")).units.count == 1)
    for (component, ports) in [(mixer, "2"), ("room", "[2]"), ("room", "3"), (mixer, "[99]")] {
      #expect(throws: ConfigurationError.self) { try read(unit(component, "ports = \(ports)")) }
    }
  }

  @Test func aFileTooLongIsRefusedUnread() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("auricle-\(UUID().uuidString).toml")
    defer { try? FileManager.default.removeItem(at: url) }
    let comment = "#" + String(repeating: "x", count: SessionConfiguration.maximumBytes)
    try comment.write(to: url, atomically: true, encoding: .utf8)
    let error = try #require(throws: ConfigurationError.self) {
      try SessionConfiguration(contentsOf: url)
    }
    #expect(error.description.contains("too long for a configuration; accepted: up to 1048576"))
    let endless = URL(fileURLWithPath: "/dev/zero")
    #expect(throws: ConfigurationError.self) { try SessionConfiguration(contentsOf: endless) }
  }

  @Test(arguments: ["/nonexistent/auricle.toml", "/"])
  func anUnreadableFileIsNamed(_ path: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try SessionConfiguration(contentsOf: URL(fileURLWithPath: path))
    }
    #expect(error.description.hasPrefix("\(path): cannot read it: "))
  }

  @Test func manyProblemsAreCounted() throws {
    let toml = (0..<200).map { "key\($0) = 1" }.joined(separator: "\n")
    let error = try #require(throws: ConfigurationError.self) { try read(toml) }
    #expect(error.problems.count + error.omitted == 201)
    #expect(error.description.hasSuffix("and \(error.omitted) more problems"))
  }
}
