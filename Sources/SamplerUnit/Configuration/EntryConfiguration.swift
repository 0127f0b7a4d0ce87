// Configuration of a live set's sound.

import Configuration

/// A table `[[unit.entry]]`.
package struct EntryConfiguration: Sendable, Equatable {
  private static let keys = [
    "number", "name", "soundfont", "soundfonts", "sound", "bank", "program",
    "parameters",
  ]

  /// The program change that selects it, 0 to 127.
  package var number: Located<Int>
  package var name: Located<String>
  /// SoundFonts as in `SamplerConfiguration`; empty for those of the unit.
  package var soundFonts: [SoundFontConfiguration]
  /// Name of the sound, in place of bank and program; nil for them, or for that of the unit.
  package var sound: Located<String>?
  /// Bank, 0 to 16383; nil for that of the unit.
  package var bank: Located<Int>?
  /// Program, 0 to 127; nil for that of the unit.
  package var program: Located<Int>?
  /// The parameters in the order of the file, key paths unique.
  package var parameters: [Setting]
  /// Position in the configuration.
  @Uncompared package var location: SourcePosition

  /// - Parameter value: the value of the key `entry`.
  static func read(
    _ value: ConfigurationValue, _ problems: inout ProblemCollector
  ) -> [EntryConfiguration] {
    let tables = problems.attempt { () throws(ConfigurationProblem) in
      try value.array("entry", of: "sounds: write [[unit.entry]], in double brackets")
    }
    var entries: [EntryConfiguration] = []
    for table in tables ?? [] {
      if let entry = EntryConfiguration(table, &problems) { entries.append(entry) }
    }
    var numbers: Set<Int> = []
    var names: Set<String> = []
    for entry in entries {
      if !numbers.insert(entry.number.value).inserted {
        problems.report(
          ConfigurationProblem(
            "two entries have number \(entry.number.value)", at: entry.number.location))
      }
      if !names.insert(entry.name.value).inserted {
        problems.report(
          ConfigurationProblem(
            "two entries have the name \(quoted(entry.name.value))", at: entry.name.location))
      }
    }
    return entries
  }

  private init?(_ table: ConfigurationValue, _ problems: inout ProblemCollector) {
    let section = "[[unit.entry]]"
    let members = problems.attempt { () throws(ConfigurationProblem) in
      try table.table("entry", as: section)
    }
    guard let members else { return nil }
    let soundFonts = SoundFontConfiguration.read(members, &problems)
    var number: Located<Int>?
    var name: Located<String>?
    var sound: Located<String>?
    var bank: Located<Int>?
    var program: Located<Int>?
    var parameters: [Setting] = []
    for member in members {
      let key = member.key.value
      let value = member.value
      switch key {
      case "number":
        number = problems.attempt { () throws(ConfigurationProblem) in
          try value.integer(key, in: LiveSet.numbers)
        }
      case "name":
        name = problems.attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "soundfont", "soundfonts": break
      case "sound":
        sound = problems.attempt { () throws(ConfigurationProblem) in
          try SamplerConfiguration.sound(
            value, besideNumbers: members.contains { ["bank", "program"].contains($0.key.value) })
        }
      case "bank":
        bank = problems.attempt { () throws(ConfigurationProblem) in
          try value.integer(key, in: PresetNumbers.banks)
        }
      case "program":
        program = problems.attempt { () throws(ConfigurationProblem) in
          try value.integer(key, in: PresetNumbers.programs)
        }
      case "parameters": parameters = problems.parameters(value)
      default:
        problems.report(
          .unknown("key", key, in: section, accepted: Self.keys, at: member.key.location))
      }
    }
    for key in ["number", "name"] where !members.contains(where: { $0.key.value == key }) {
      problems.reportMissing(key, in: section, at: table.location)
    }
    guard let number, let name else { return nil }
    self.number = number
    self.name = name
    self.soundFonts = soundFonts
    self.sound = sound
    self.bank = bank
    self.program = program
    self.parameters = parameters
    location = table.location
  }
}
