// Reading [[connect]].

extension ConfigurationReader {
  /// - Parameter section: the section or key that contains it.
  mutating func connection(
    _ node: ConfigurationValue, unitIDs: [String], in section: String = "[[connect]]"
  ) -> ConnectionConfiguration? {
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try node.table("connect", as: section)
      })
    else { return nil }
    var ends: [String: Located<Endpoint>] = [:]
    for member in members {
      let key = member.key.value
      switch key {
      case "from", "to":
        ends[key] = attempt { () throws(ConfigurationProblem) in
          let text = try member.value.string(key)
          return Located(
            try Endpoint.parse(text, unitIDs: unitIDs, key: key), at: text.location)
        }
      default:
        report(
          .unknown("key", key, in: section, accepted: SectionKeys.connect, at: member.key.location))
      }
    }
    for key in SectionKeys.connect where !members.contains(where: { $0.key.value == key }) {
      reportMissing(key, in: section, at: node.location)
    }
    guard let from = ends["from"], let to = ends["to"] else { return nil }
    if case .outside(let source) = from.value, case .outside(let destination) = to.value {
      report(
        ConfigurationProblem(
          "neither \(quoted(source.text)) nor \(quoted(destination.text)) is a unit here",
          accepted: "one end outside, the other one of: " + unitIDs.joined(separator: ", "),
          at: from.location))
      return nil
    }
    return ConnectionConfiguration(from: from, to: to, location: node.location)
  }
}
