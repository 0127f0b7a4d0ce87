// Reads the SoundFonts of a unit: one by its name, or a stack.

extension ConfigurationReader {
  /// - Parameter members: a table with `soundfont` or `soundfonts`, or neither.
  mutating func soundFonts(_ members: [TOMLNode.Member]) -> [SoundFontConfiguration] {
    let keys = ["soundfont", "soundfonts"]
    let found = members.filter { keys.contains($0.key.value) }
    guard let member = found.first else { return [] }
    if found.count > 1 {
      report(
        ConfigurationProblem(
          "'soundfont' and 'soundfonts' stand side by side", accepted: "one of them",
          at: found[1].key.location))
    }
    if member.key.value == "soundfont" {
      if case .table = member.value.content { return soundFont(member.value).map { [$0] } ?? [] }
      let file = attempt { () throws(ConfigurationProblem) in
        try member.value.name("soundfont")
      }
      return file.map { [SoundFontConfiguration(file: $0)] } ?? []
    }
    let nodes = attempt { () throws(ConfigurationProblem) in
      try member.value.array("soundfonts", of: "SoundFonts, such as [ { file = \"A.sf2\" } ]")
    }
    guard let nodes else { return [] }
    if nodes.isEmpty {
      report(
        ConfigurationProblem(
          "'soundfonts' is empty", accepted: "at least one { file = … }",
          at: member.value.location))
    }
    return nodes.compactMap { soundFont($0) }
  }

  private mutating func soundFont(_ node: TOMLNode) -> SoundFontConfiguration? {
    let members = attempt { () throws(ConfigurationProblem) in
      try node.table("soundfonts", as: "{ file = …, bank-offset = … }")
    }
    guard let members else { return nil }
    var file: Located<String>?
    var bankOffset: Located<Int>?
    var size: Located<Int>?
    var sha256: Located<String>?
    for member in members {
      let key = member.key.value
      switch key {
      case "file":
        file = attempt { () throws(ConfigurationProblem) in try member.value.name(key) }
      case "bank-offset":
        bankOffset = attempt { () throws(ConfigurationProblem) in
          try member.value.integer(key, in: 0...127)
        }
      case "size":
        size = attempt { () throws(ConfigurationProblem) in
          try member.value.integer(key, in: 0...Int.max)
        }
      case "sha256": sha256 = digest(member.value)
      default:
        report(
          .unknown(
            "key", key, in: "'soundfonts'", accepted: ["file", "bank-offset", "size", "sha256"],
            at: member.key.location))
      }
    }
    if !members.contains(where: { $0.key.value == "file" }) {
      reportMissing("file", in: "the SoundFont", at: node.location)
    }
    return file.map {
      SoundFontConfiguration(file: $0, bankOffset: bankOffset, size: size, sha256: sha256)
    }
  }

  private mutating func digest(_ node: TOMLNode) -> Located<String>? {
    attempt { () throws(ConfigurationProblem) in
      let text = try node.string("sha256")
      let isDigest = text.value.utf8.count == 64 && text.value.allSatisfy(\.isHexDigit)
      guard isDigest, text.value.utf8.allSatisfy({ $0 < 128 }) else {
        throw ConfigurationProblem(
          "'sha256' is no such sum", accepted: "64 hexadecimal digits, as sha256sum prints them",
          at: node.location)
      }
      return text
    }
  }
}
