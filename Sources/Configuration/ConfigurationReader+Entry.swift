// Reads [[unit.entry]].

extension ConfigurationReader {
  private static let entryKeys = [
    "number", "name", "soundfont", "soundfonts", "bank", "program", "parameters",
  ]

  mutating func entries(_ node: TOMLNode) -> [EntryConfiguration] {
    let nodes = attempt { () throws(ConfigurationProblem) in
      try node.array("entry", of: "sounds: write [[unit.entry]], in double brackets")
    }
    let entries = (nodes ?? []).compactMap { entry($0) }
    var numbers: Set<Int> = []
    var names: Set<String> = []
    for entry in entries {
      if !numbers.insert(entry.number.value).inserted {
        report(
          ConfigurationProblem(
            "two entries have number \(entry.number.value)", at: entry.number.location))
      }
      if !names.insert(entry.name.value).inserted {
        report(
          ConfigurationProblem(
            "two entries have the name \(quoted(entry.name.value))", at: entry.name.location))
      }
    }
    return entries
  }

  private mutating func entry(_ node: TOMLNode) -> EntryConfiguration? {
    let section = "[[unit.entry]]"
    let members = attempt { () throws(ConfigurationProblem) in
      try node.table("entry", as: section)
    }
    guard let members else { return nil }
    var number: Located<Int>?
    var name: Located<String>?
    let soundFonts = self.soundFonts(members)
    var bank: Located<Int>?
    var program: Located<Int>?
    var parameters: [Setting] = []
    for member in members {
      let key = member.key.value
      let value = member.value
      switch key {
      case "number":
        number = attempt { () throws(ConfigurationProblem) in
          try value.integer(key, in: 0...127)
        }
      case "name": name = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "soundfont", "soundfonts": break
      case "bank": bank = self.bank(value)
      case "program": program = self.program(value)
      case "parameters": parameters = self.parameters(value)
      default:
        report(
          .unknown("key", key, in: section, accepted: Self.entryKeys, at: member.key.location))
      }
    }
    for key in ["number", "name"] where !members.contains(where: { $0.key.value == key }) {
      reportMissing(key, in: section, at: node.location)
    }
    guard let number, let name else { return nil }
    return EntryConfiguration(
      number: number, name: name, soundFonts: soundFonts, bank: bank, program: program,
      parameters: parameters, location: node.location)
  }

  mutating func bank(_ node: TOMLNode) -> Located<Int>? {
    attempt { () throws(ConfigurationProblem) in try node.integer("bank", in: 0...16383) }
  }

  mutating func program(_ node: TOMLNode) -> Located<Int>? {
    attempt { () throws(ConfigurationProblem) in try node.integer("program", in: 0...127) }
  }

  /// 1 to 16, or "any".
  mutating func entryChannel(_ node: TOMLNode) -> Located<Int?>? {
    attempt { () throws(ConfigurationProblem) -> Located<Int?> in
      switch node.content {
      case .string("any"): return Located(nil, at: node.location)
      case .integer(let channel) where (1...16).contains(channel):
        return Located(channel, at: node.location)
      default:
        throw ConfigurationProblem(
          "'entry-channel' is no channel", accepted: "1 to 16, \"any\"", at: node.location)
      }
    }
  }

  mutating func preloadsEntries(_ node: TOMLNode) -> Located<Bool>? {
    attempt { () throws(ConfigurationProblem) in
      guard case .boolean(let value) = node.content else {
        throw node.wrongType("entry-preload", mustBe: "true or false")
      }
      return Located(value, at: node.location)
    }
  }
}
