// Reads [[unit]].

extension ConfigurationReader {
  private static let unitKeys = [
    "id", "component", "soundfont", "soundfonts", "bank", "program", "drum-channels",
    "bank-select", "outputs", "preset", "parameters", "midi", "entry", "entry-channel",
    "entry-preload", "bypass", "state",
  ]

  mutating func unit(_ node: TOMLNode) -> UnitConfiguration? {
    let section = "[[unit]]"
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try node.table("unit", as: section)
      })
    else { return nil }
    var id: Located<String>?
    var component: Located<String>?
    let soundFonts = self.soundFonts(members)
    var bank: Located<Int>?
    var program: Located<Int>?
    var drumChannels: Located<[ClosedRange<Int>]>?
    var bankSelect: Located<String>?
    var outputs: Located<String>?
    var preset: Located<String>?
    var state: Located<String>?
    var bypass: Located<Bool>?
    var parameters: [Setting] = []
    var stages: [Located<MIDIStageConfiguration>] = []
    var entries: [EntryConfiguration] = []
    var entryChannel: Located<Int?>?
    var preloadsEntries: Located<Bool>?
    var properties: [Setting] = []
    for member in members {
      let key = member.key.value
      let value = member.value
      switch key {
      case "id": id = attempt { () throws(ConfigurationProblem) in try Self.unitID(value) }
      case "component":
        component = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "soundfont", "soundfonts": break
      case "bank":
        bank = self.bank(value)
      case "program":
        program = self.program(value)
      case "drum-channels": drumChannels = self.drumChannels(value)
      case "bank-select":
        bankSelect = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "outputs": outputs = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "preset": preset = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "state": state = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "bypass": bypass = attempt { () throws(ConfigurationProblem) in try value.boolean(key) }
      case "parameters": parameters = self.parameters(value)
      case "midi": stages = midiStages(value)
      case "entry": entries = self.entries(value)
      case "entry-channel": entryChannel = self.entryChannel(value)
      case "entry-preload": preloadsEntries = self.preloadsEntries(value)
      case _ where unitProperties.contains(key):
        let setting = attempt { () throws(ConfigurationProblem) in try value.setting(key) }
        if let setting { properties.append(Setting(keyPath: member.key, value: setting)) }
      default:
        report(
          .unknown(
            "key", key, in: section, accepted: Self.unitKeys + unitProperties.sorted(),
            at: member.key.location))
      }
    }
    for key in ["id", "component"] where !members.contains(where: { $0.key.value == key }) {
      reportMissing(key, in: section, at: node.location)
    }
    guard let id, let component else { return nil }
    return UnitConfiguration(
      id: id, component: component, soundFonts: soundFonts, bank: bank, program: program,
      drumChannels: drumChannels, bankSelect: bankSelect, outputs: outputs, state: state,
      bypass: bypass,
      preset: preset, parameters: parameters, midiStages: stages, entries: entries,
      entryChannel: entryChannel, preloadsEntries: preloadsEntries, properties: properties,
      location: node.location)
  }

  /// Channels as MIDI stages have them, or none.
  private mutating func drumChannels(_ node: TOMLNode) -> Located<[ClosedRange<Int>]>? {
    if case .array(let members) = node.content, members.isEmpty {
      return Located([], at: node.location)
    }
    return attempt { () throws(ConfigurationProblem) in
      try NumberNotation.channels.ranges(node, "drum-channels")
    }
  }

  /// The ids as they are written, also those of units that have a problem: what refers to such a
  /// unit is not at fault.
  static func writtenIDs(_ units: [TOMLNode]) -> [String] {
    units.compactMap { unit in
      guard case .table(let members) = unit.content,
        let id = members.first(where: { $0.key.value == "id" }),
        case .string(let text) = id.value.content
      else { return nil }
      return text
    }
  }

  mutating func reportDuplicates(_ units: [UnitConfiguration]) {
    var seen: [String: SourcePosition] = [:]
    for unit in units {
      if let first = seen[unit.id.value] {
        report(
          ConfigurationProblem(
            "two units have the id '\(unit.id.value)', the first in line \(first.line)",
            accepted: "an id of its own for each unit", at: unit.id.location))
      } else {
        seen[unit.id.value] = unit.id.location
      }
    }
  }

  private static func unitID(_ node: TOMLNode) throws(ConfigurationProblem) -> Located<String> {
    // The rest of JACK's 255 bytes are for the client's name and the port's.
    let maximumLength = 64
    let id = try node.string("id")
    let fits = id.value.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard fits, (1...maximumLength).contains(id.value.utf8.count) else {
      throw ConfigurationProblem(
        "\(quoted(id.value)) cannot name ports",
        accepted: "1 to \(maximumLength) letters, digits, '-' and '_'", at: id.location)
    }
    return id
  }

  /// Nested tables and dotted keys, flattened to key paths.
  mutating func parameters(_ node: TOMLNode) -> [Setting] {
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try node.table("parameters", as: "such as { cutoff = 900.0 }")
      })
    else { return [] }
    var settings: [Setting] = []
    appendSettings(members, under: "", to: &settings)
    reportRepeated(settings)
    return settings
  }

  mutating func reportRepeated(_ settings: [Setting]) {
    var seen: Set<String> = []
    for setting in settings where !seen.insert(setting.keyPath.value).inserted {
      report(
        ConfigurationProblem(
          "parameter \(quoted(setting.keyPath.value)) is set twice", at: setting.keyPath.location))
    }
  }

  private mutating func appendSettings(
    _ members: [TOMLNode.Member], under prefix: String, to settings: inout [Setting]
  ) {
    for member in members {
      let path = prefix + member.key.value
      if case .table(let nested) = member.value.content {
        appendSettings(nested, under: path + ".", to: &settings)
        continue
      }
      let value = attempt { () throws(ConfigurationProblem) in try member.value.setting(path) }
      if let value {
        settings.append(
          Setting(keyPath: Located(path, at: member.key.location), value: value))
      }
    }
  }
}
