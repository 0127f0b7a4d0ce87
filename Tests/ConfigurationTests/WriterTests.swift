// Written configurations read back unchanged.
import Configuration
import Foundation
import TestSupport
import Testing

struct WriterTests {
  private func read(_ text: String) throws -> SessionConfiguration {
    try SessionConfiguration(toml: text, file: "", kinds: TestUnits.all)
  }

  @Test func everyShippedConfigurationComesBack() throws {
    let folder = FixtureTests.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("config")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count > 5)
    for name in names {
      let configuration = try SessionConfiguration(
        contentsOf: folder.appendingPathComponent(name), kinds: TestUnits.all)
      #expect(try read(configuration.toml) == configuration, "\(name)")
    }
  }

  /// Lines, columns, files and the notation of whole numbers do not affect equality.
  @Test func configurationsWithTheSameContentAreEqual() throws {
    let source = ConfigurationTests.example + "\n[osc]\nport = 9000\n"
    let moved = "\n\n" + source.replacing(" = ", with: "   =  ")
    let first = try read(source)
    #expect(
      try SessionConfiguration(toml: moved, file: "other", kinds: TestUnits.all) == first)
    #expect(first.units[0].id.location.line != 0)
    for (old, new) in [
      ("port = 9000", "port = 9001"), ("id = \"", "id = \"x"), ("to = \"", "to = \"y"),
    ] {
      let other = source.replacing(old, with: new)
      #expect((try? read(other)) != first, "\(old)")
    }
  }

  @Test func wholeNumbersAreEqualHoweverTheyAreWritten() {
    let one = ConfigurationValue(.integer(1), at: SourcePosition(file: "a", line: 1, column: 1))
    #expect(one == ConfigurationValue(.float(1)))
    #expect(ConfigurationValue(.float(1)) == one)
    #expect(ConfigurationValue(.float(1.5)) != one)
    #expect(ConfigurationValue(.array([one])) != ConfigurationValue(.array([.init(.integer(2))])))
  }

  @Test func everyKeyComesBack() throws {
    let osc = "[osc]\nport = 9000\ntransport = \"both\"\naddress = \"::\"\n"
    let configuration = try read("version = 1\n" + ConfigurationTests.example + "\n" + osc)
    #expect(try read(configuration.toml) == configuration)
  }

  @Test func everyKeyOfAMappingComesBack() throws {
    let source = """
      [[unit]]
      id = "lowpass"
      component = "filter"
      [[connect]]
      from = "physical:midi"
      to = "control"

      [[map]]
      parameter = "lowpass/cutoff"
      controller = 74
      channel = 2
      range = [8000, 200.5]
      curve = "exponential"
      shape = 2.5
      pickup = "scale"
      ramp = 20

      [[map]]
      parameter = "lowpass/resonance"
      note = "C#4"
      range = ["low", true]
      mode = "toggle"

      [[map]]
      parameter = "lowpass/a/b"
      controller14 = 1

      [[map]]
      parameter = "lowpass/a/b"
      nrpn = 16383

      [[map]]
      parameter = "lowpass/a/b"
      pressure = true

      [[map]]
      parameter = "lowpass/a/b"
      bend = true

      [[map]]
      parameter = "lowpass/a/b"
      controller = 16
      mode = "relative-offset"
      feedback = false

      [[map]]
      scene = "Verse"
      program = 3
      bank = 130
      channel = 16

      [[map]]
      preset = "lowpass/A/B"
      note = "C4"

      [[map]]
      panic = true
      controller = 119

      """
    let configuration = try read(source)
    #expect(configuration.mappings.count == 10)
    #expect(configuration.mappings[7].target.value == .scene("Verse"))
    #expect(configuration.mappings[8].target.value == .preset(unit: "lowpass", name: "A/B"))
    #expect(configuration.mappings[1].source.value == .note(61))
    #expect(configuration.mappings[0].ramp?.value == 20)
    #expect(configuration.mappings[0].range?.first.value == .number(8000))
    let text = configuration.toml
    #expect(try read(text) == configuration)
    #expect(text.contains(source[source.range(of: "[[map]]")!.lowerBound...]))
  }

  @Test func scenesAreReadAndWritten() throws {
    let source = """
      [[unit]]
      id = "lowpass"
      component = "filter"

      [[unit]]
      id = "keys"
      component = "sampler"

      [[scene]]
      name = "Verse 'A'"
      connections = [{ from = "keys", to = "lowpass" }, { from = "lowpass", to = "physical:outputs" }]
      bypass = { lowpass = true, keys = false }
      entries = { keys = "Warm piano" }
      parameters = { lowpass.cutoff = 900, keys.midi.transpose.semitones = -12 }

      [[scene]]
      name = "Long"
      entries = { keys = "Strings" }

      [scene.bypass]

      """.replacing("\n[scene.bypass]\n", with: "")
    let configuration = try read(source)
    #expect(configuration.scenes.count == 2)
    #expect(configuration.scenes[0].values.map(\.unit) == ["lowpass", "keys"])
    #expect(
      configuration.scenes[0].values[1].withoutUnit.keyPath.value == "midi.transpose.semitones")
    #expect(configuration.scenes[1].connections == nil)
    var text = configuration.toml
    #expect(try read(text) == configuration)
    #expect(text.contains(source[source.range(of: "[[scene]]")!.lowerBound...]))

    // Tables too long for one line are written as sections, after the others.
    var long = configuration
    let name = String(repeating: "x", count: 40)
    long.scenes[1].values = (0..<5).map {
      Setting(
        keyPath: Located("lowpass.\(name).\($0)", at: .nowhere),
        value: Located(.number(Double($0)), at: .nowhere))
    }
    long.scenes[1].bypasses = long.units.map {
      SceneConfiguration.Bypass(unit: $0.id, isOn: Located(true, at: .nowhere))
    }
    text = long.toml
    #expect(try read(text) == long)
    #expect(text.contains("\n[scene.parameters]\nlowpass.\(name).0 = 0\n"))
  }

  /// The text is written for people.
  @Test func itIsWrittenAsPeopleWrite() throws {
    let text = try read(
      """
      [client]
      name = "a \\"b\\" \\\\ \\u00e9\\n" # not a name, but for the comment
      """.replacing("\\n", with: "") + "\n"
        + """
        [[unit]]
        id = "piano"
        component = "sampler"
        soundfont = "A.sf2"
        place = [ 120.0, -0.25 ]
        parameters = { gain = -6.0, pan = 64, reverb = { on = true, level = 0.5 } }
        midi = [
          { stage = "filter", channels = [1, "3-4"], keys = "C2-C7", pass = ["note", "bend"] },
          { stage = "channel", mode = "zones", zones = [ { channel = 1, keys = "C-1-B3" }, { channel = 2, keys = 60 } ] },
          { stage = "scale", channels = "2-16", degrees = [true, false, true, false, true, true, false, true, false, true, false, true] },
        ]
        [[connect]]
        from = "piano"
        to = "physical:outputs"
        """
    ).toml
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    #expect(
      lines.joined(separator: "\n") == """

        [client]
        name = "a \\"b\\" \\\\ é"

        [[unit]]
        id = "piano"
        component = "sampler"
        soundfont = "A.sf2"
        place = [120, -0.25]
        midi = [
          { stage = "filter", channels = [1, "3-4"], keys = "C2-C7", pass = ["note", "bend"] },
          { stage = "channel", mode = "zones", zones = [{ channel = 1, keys = "C-1-B3" }, { channel = 2, keys = "C4" }] },
          { stage = "scale", channels = "2-16", degrees = [true, false, true, false, true, true, false, true, false, true, false, true] },
        ]
        parameters = { gain = -6, pan = 64, reverb.on = true, reverb.level = 0.5 }

        [[connect]]
        from = "piano"
        to = "physical:outputs"

        """)
  }

  /// Configurations with all keys, and texts of every kind.
  @Test(arguments: 0..<8)
  func randomConfigurationsComeBack(seed: UInt64) throws {
    var maker = ConfigurationMaker(random: SeededRandom(seed: seed))
    for _ in 0..<60 {
      let source = maker.make()
      let configuration: SessionConfiguration
      do { configuration = try read(source) } catch {
        Issue.record("the maker made no configuration: \(error)\n\(source)")
        return
      }
      let text = configuration.toml
      #expect(try read(text) == configuration, "\(source)\n———\n\(text)")
      #expect(try read(text).toml == text)
      #expect(
        text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }
  }

  @Test func aNewerVersionIsRefused() throws {
    let unit = "[[unit]]\nid = \"a\"\ncomponent = \"filter\"\n"
    #expect(try read("version = 1\n" + unit).version?.value == 1)
    for version in ["2", "0", "\"1\"", "1.0"] {
      #expect { try read("version = \(version)\n" + unit) } throws: {
        "\($0)".contains("newer Auricle")
      }
    }
  }
}

/// Makes valid configurations of all kinds, in a notation that the writer does not use.
private struct ConfigurationMaker {
  var random: SeededRandom

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &random)
  }
  private mutating func chance(_ percent: Int = 50) -> Bool { number(1...100) <= percent }
  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[number(0...(values.count - 1))]
  }

  /// Returns `text` quoted, every character escaped, so that any TOML reader accepts it.
  private func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map {
        let digits = String($0.value, radix: 16)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }.joined() + "\""
  }

  private mutating func text(mayControl: Bool = true) -> String {
    let pieces = [
      "a", "Z", "9", " ", ".", ".", "\"", "\\", "'", "#", "=", "[", "]", "{", "}", ",", "é", "日",
      "\u{1F3B9}", "\u{202E}", "\u{2028}", "\u{E000}", "\u{FEFF}", "e\u{301}", "\\u0041", "\"\"\"",
    ]
    let controls = ["\n", "\r", "\t", "\u{0}", "\u{7F}", "\u{1B}[2J", "\u{85}"]
    return (0..<number(1...12)).map { _ in
      mayControl && chance(20) ? pick(controls) : pick(pieces)
    }.joined()
  }

  private mutating func name() -> String {
    quoted(chance(10) ? String(repeating: ".", count: 70) : text(mayControl: false))
  }

  private mutating func value() -> String {
    switch number(0...4) {
    case 0: "\(number(-200...200))"
    case 1: "\(Double(Float.random(in: -1e4...1e4, using: &random)))"
    case 2: pick(["1e-7", "-0.0", "0.1", "1e30", "123456789012", "3.0"])
    case 3: chance() ? "true" : "false"
    default: quoted(text())
    }
  }

  private mutating func fonts() -> String {
    func table(_ file: String, _ maker: inout ConfigurationMaker) -> String {
      var members = ["file = \(file)"]
      if maker.chance() { members.append("bank-offset = \(maker.number(0...127))") }
      if maker.chance() { members.append("size = \(maker.number(0...1_000_000_000))") }
      if maker.chance() {
        members.append("sha256 = \"\((0..<64).map { _ in maker.pick(["0", "a", "F"]) }.joined())\"")
      }
      return "{ " + members.joined(separator: ", ") + " }"
    }
    switch number(0...3) {
    case 0: return ""
    case 1: return "soundfont = \(name())\n"
    case 2: return "soundfont = \(table(name(), &self))\n"
    default:
      let tables = (0..<number(1...3)).map { _ in table(name(), &self) }
      return "soundfonts = [ \(tables.joined(separator: ", ")) ]\n"
    }
  }

  /// Returns parameters whose groups may be apart from each other or clash.
  private mutating func parameters() -> String {
    var known: Set<String> = []
    var members: [String] = []
    for _ in 0..<number(0...9) {
      let path = (0..<number(1...3)).map { _ in pick(["a", "b", "c-d", "1", "e f", "é", ""]) }
        .joined(separator: ".")
      if known.insert(path).inserted { members.append("\(quoted(path)) = \(value())") }
    }
    return "parameters = { \(members.joined(separator: ", ")) }\n"
  }

  private mutating func range() -> String {
    let low = number(0...127)
    return chance(30) ? "\(low)" : "\"\(low)-\(number(low...127))\""
  }

  private mutating func channels() -> String {
    let all = (0..<number(1...3)).map { _ -> String in
      let low = number(1...16)
      return chance() ? "\(low)" : "\"\(low)-\(number(low...16))\""
    }
    return all.count == 1 ? all[0] : "[\(all.joined(separator: ", "))]"
  }

  private mutating func stage() -> String {
    var members: [String] = []
    func put(_ key: String, _ value: String, _ percent: Int = 50, _ maker: inout ConfigurationMaker)
    {
      if maker.chance(percent) { members.append("\(key) = \(value)") }
    }
    let kind = pick(["filter", "transpose", "channel", "scale", "arpeggiator", "velocity"])
    switch kind {
    case "filter":
      put("controllers", chance() ? range() : "[\(range())]", 50, &self)
      put("pass", pick(["[]", "[\"note\"]", "[\"sysex\", \"bend\", \"note\"]"]), 50, &self)
      put("keys", range(), 50, &self)
      put("velocities", range(), 50, &self)
      if chance(20), !members.contains(where: { $0.hasPrefix("controllers") }) {
        members.append("controllerLow = 9, controllerHigh = 3")
      }
    case "transpose": put("semitones", "\(number(-127...127))", 100, &self)
    case "channel":
      let zones = (0..<number(1...4)).map { _ in
        "{ channel = \(number(1...16)), keys = \(range()), velocities = \(range()), x.y = \(value()) }"
      }
      put("zones", "[\(zones.joined(separator: ", "))]", 70, &self)
      put("\(quoted("zones.9.z"))", value(), 20, &self)
    case "scale":
      put(
        "degrees", "[\((0..<12).map { _ in chance() ? "true" : "false" }.joined(separator: ", "))]",
        50, &self)
      put("controllers", range(), 50, &self)
    case "arpeggiator": put("velocities", value(), 50, &self)
    default:
      put("keyHigh", "\(number(0...127))", 30, &self)
      put("keyLow", "\(number(0...127))", 30, &self)
      put("velocityLow", value(), 30, &self)
      put("stage-x", value(), 30, &self)
      put(quoted("stage.x"), value(), 30, &self)
      put(quoted("keys.x"), value(), 30, &self)
    }
    put("channels", channels(), 50, &self)
    put("bypass", chance() ? "true" : "false", 50, &self)
    if chance(20), kind != "filter", kind != "transpose" {
      for index in 0..<60 { put("long\(index)", "\(index).5", 100, &self) }
    }
    return "{ stage = \"\(kind)\"" + members.map { ", \($0)" }.joined() + " }"
  }

  mutating func make() -> String {
    var text = chance() ? "version = 1\n" : ""
    if chance() { text += "[client]\n" + (chance(80) ? "name = \"n\(number(0...9)) é'#\"\n" : "") }
    if chance(30) {
      text += "[osc]\nport = \(number(1...65_535))\n" + (chance() ? "transport = \"tcp\"\n" : "")
    }
    let ids = (0..<number(1...4)).map { "unit-\($0)" }
    for id in ids {
      text += "[[unit]]\nid = \"\(id)\"\ncomponent = \(name())\n" + fonts()
      func put(_ key: String, _ value: String, _ maker: inout ConfigurationMaker) {
        if maker.chance(40) { text += "\(key) = \(value)\n" }
      }
      put("bank", "\(number(0...16383))", &self)
      put("program", "\(number(0...127))", &self)
      put("drum-channels", chance(20) ? "[]" : channels(), &self)
      put("bank-select", name(), &self)
      put("outputs", name(), &self)
      put("preset", name(), &self)
      put("state", name(), &self)
      for key in UnitSwitch.allCases { put(key.rawValue, "true", &self) }
      put("place", "[\(number(-99...99)), \(number(-99...99)).25]", &self)
      put("entry-channel", chance() ? "\"any\"" : "\(number(1...16))", &self)
      put("entry-preload", "false", &self)
      put("impulse", value(), &self)
      put("wet", value(), &self)
      put(
        "midi",
        "[\((0..<number(0...3)).map { _ in lineOfDots(stage()) }.joined(separator: ",\n"))]", &self)
      if chance(60) { text += parameters() }
      for _ in 0..<(chance(20) ? number(1...2) : 0) {
        text += "[[unit.wall]]\n" + (chance() ? "x = \(value())\n" : "") + parameters()
        text += chance() ? "inner = { a.b = \(value()), c = [ \(value()), { d = 1.5 } ] }\n" : ""
      }
      for entry in 0..<(chance(30) ? number(1...3) : 0) {
        text +=
          "[[unit.entry]]\nnumber = \(entry)\nname = \(quoted("\(entry)" + self.text(mayControl: false)))\n"
        text += fonts() + (chance() ? "bank = 3\n" : "") + (chance() ? parameters() : "")
      }
    }
    for _ in 0..<number(0...4) {
      let outside = quoted(pick(["system:playback_*", "physical:outputs", "a \"b\": c?"]))
      let inside = pick([ids[0], ids[0] + ":1", ids[0] + ":midi", ids[0] + ":Channel 10 é"])
      text += "[[connect]]\nfrom = \(quoted(inside))\nto = \(outside)\n"
    }
    return text
  }

  /// Returns `stage`, or a short one if it has 60 dots or more: a line has room for 64.
  private func lineOfDots(_ stage: String) -> String {
    stage.utf8.count { $0 == UInt8(ascii: ".") } < 60 ? stage : "{ stage = \"velocity\" }"
  }
}
