// The SoundFonts of a unit or an entry: one by its name, or a stack.

import Configuration
import SoundFontFiles

/// A SoundFont as a configuration names it.
package struct SoundFontConfiguration: Sendable, Equatable {
  /// The file's name as written; `SoundFontLocator` finds the file.
  package var file: Located<String>
  /// Offset added to the file's banks, 0 to 127.
  package var bankOffset: Located<Int>?
  /// The file's size in bytes when the session was saved.
  package var size: Located<Int>?
  /// SHA-256 of the file then, in 64 hexadecimal digits.
  package var sha256: Located<String>?

  init(file: Located<String>, bankOffset: Located<Int>? = nil) {
    self.file = file
    self.bankOffset = bankOffset
  }

  // MARK: Reading

  /// Reads the SoundFonts of a unit.
  static func read(
    _ keys: UnitKeys, _ problems: inout ProblemCollector
  ) -> [SoundFontConfiguration] {
    read(
      keys.names.compactMap { name in
        guard let value = keys[name] else { return nil }
        let location = keys.location(of: name) ?? value.location
        return ConfigurationValue.Member(key: Located(name, at: location), value: value)
      }, &problems)
  }

  /// - Parameter members: a table with `soundfont` or `soundfonts`, or neither.
  static func read(
    _ members: [ConfigurationValue.Member], _ problems: inout ProblemCollector
  ) -> [SoundFontConfiguration] {
    let found = members.filter { ["soundfont", "soundfonts"].contains($0.key.value) }
    guard let member = found.first else { return [] }
    if found.count > 1 {
      problems.report(
        ConfigurationProblem(
          "'soundfont' and 'soundfonts' stand side by side", accepted: "one of them",
          at: found[1].key.location))
    }
    if member.key.value == "soundfont" {
      if case .table = member.value.content {
        return SoundFontConfiguration(member.value, &problems).map { [$0] } ?? []
      }
      let file = problems.attempt { () throws(ConfigurationProblem) in
        try member.value.name("soundfont")
      }
      return file.map { [SoundFontConfiguration(file: $0)] } ?? []
    }
    let tables = problems.attempt { () throws(ConfigurationProblem) in
      try member.value.array("soundfonts", of: "SoundFonts, such as [ { file = \"A.sf2\" } ]")
    }
    guard let tables else { return [] }
    if tables.isEmpty {
      problems.report(
        ConfigurationProblem(
          "'soundfonts' is empty", accepted: "at least one { file = … }",
          at: member.value.location))
    }
    var fonts: [SoundFontConfiguration] = []
    for table in tables {
      if let font = SoundFontConfiguration(table, &problems) { fonts.append(font) }
    }
    return fonts
  }

  private init?(_ table: ConfigurationValue, _ problems: inout ProblemCollector) {
    let members = problems.attempt { () throws(ConfigurationProblem) in
      try table.table("soundfonts", as: "{ file = …, bank-offset = … }")
    }
    guard let members else { return nil }
    var file: Located<String>?
    for member in members {
      let key = member.key.value
      switch key {
      case "file":
        file = problems.attempt { () throws(ConfigurationProblem) in try member.value.name(key) }
      case "bank-offset":
        bankOffset = problems.attempt { () throws(ConfigurationProblem) in
          try member.value.integer(key, in: SoundFontEntry.bankOffsets)
        }
      case "size":
        size = problems.attempt { () throws(ConfigurationProblem) in
          try member.value.integer(key, in: 0...Int.max)
        }
      case "sha256":
        sha256 = problems.attempt { () throws(ConfigurationProblem) in
          try Self.digest(member.value)
        }
      default:
        problems.report(
          .unknown(
            "key", key, in: "'soundfonts'", accepted: ["file", "bank-offset", "size", "sha256"],
            at: member.key.location))
      }
    }
    if !members.contains(where: { $0.key.value == "file" }) {
      problems.reportMissing("file", in: "the SoundFont", at: table.location)
    }
    guard let file else { return nil }
    self.file = file
  }

  private static func digest(
    _ value: ConfigurationValue
  ) throws(ConfigurationProblem) -> Located<String> {
    let text = try value.string("sha256")
    let isDigest = text.value.utf8.count == 64 && text.value.allSatisfy(\.isHexDigit)
    guard isDigest, text.value.utf8.allSatisfy({ $0 < 128 }) else {
      throw ConfigurationProblem(
        "'sha256' is no such sum", accepted: "64 hexadecimal digits, as sha256sum prints them",
        at: value.location)
    }
    return text
  }

  // MARK: Writing

  private var table: ConfigurationValue {
    var members = [("file", ConfigurationValue(.string(file.value)))]
    if let bankOffset {
      members.append(("bank-offset", ConfigurationValue(.integer(bankOffset.value))))
    }
    if let size { members.append(("size", ConfigurationValue(.integer(size.value)))) }
    if let sha256 { members.append(("sha256", ConfigurationValue(.string(sha256.value)))) }
    return .table(members)
  }

  /// The key that describes some SoundFonts, and its value; nil for none.
  static func written(
    _ fonts: [SoundFontConfiguration]
  ) -> (key: String, value: ConfigurationValue)? {
    guard let first = fonts.first else { return nil }
    if fonts.count > 1 { return ("soundfonts", ConfigurationValue(.array(fonts.map(\.table)))) }
    let isPlain = first.bankOffset == nil && first.size == nil && first.sha256 == nil
    return ("soundfont", isPlain ? ConfigurationValue(.string(first.file.value)) : first.table)
  }
}
