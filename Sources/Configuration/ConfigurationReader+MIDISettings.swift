// Reading the settings of a MIDI stage.

extension ConfigurationReader {
  /// - Parameter stage: the stage's name.
  mutating func stageSettings(_ members: [ConfigurationValue.Member], of stage: String) -> [Setting]
  {
    var settings: [Setting] = []
    for member in members {
      switch (stage, member.key.value, member.value.content) {
      // Velocities to play the notes with, not a range.
      case ("arpeggiator", "velocities", _):
        appendValue(member.value, as: member.key, to: &settings)
      case ("filter", "controllers", .array):
        appendOnlyRange(member.value, as: member.key, to: &settings)
      // As a table with the names of its parameters.
      case ("filter", "pass", .table): append(member.value, as: member.key, to: &settings)
      case ("filter", "pass", _):
        appendMessageKinds(member.value, as: member.key, to: &settings)
      default: append(member.value, as: member.key, to: &settings)
      }
    }
    reportRepeated(settings)
    return settings
  }

  /// - Parameter path: the key path down to the present key.
  private mutating func append(
    _ node: ConfigurationValue, as path: Located<String>, to settings: inout [Setting]
  ) {
    let key = path.value.split(separator: ".").last.map(String.init) ?? ""
    let prefix = String(path.value.dropLast(key.count))
    switch (key, node.content) {
    case ("channels", .integer), ("channels", .string), ("channels", .array):
      guard
        let ranges = attempt({ () throws(ConfigurationProblem) in
          try NumberNotation.channels.ranges(node, key)
        })
      else { return }
      for channel in 1...16 {
        let isOn = ranges.value.contains { $0.contains(channel) }
        settings.append(
          Setting(
            keyPath: Located("\(path.value).\(channel)", at: path.location),
            value: Located(.boolean(isOn), at: node.location)))
      }
    case ("keys", _): appendRange(.keys, prefix + "key", node, path, to: &settings)
    case ("velocities", _):
      appendRange(.velocities, prefix + "velocity", node, path, to: &settings)
    case ("controllers", _):
      appendRange(.controllers, prefix + "controller", node, path, to: &settings)
    case (_, .table(let members)):
      for member in members {
        append(
          member.value,
          as: Located("\(path.value).\(member.key.value)", at: member.key.location),
          to: &settings)
      }
    case ("degrees", .array(let nodes)) where nodes.count != 12:
      report(
        ConfigurationProblem(
          "\(quoted(path.value)) has \(nodes.count) of 12 degrees",
          accepted: "12 of true and false, for the root and each semitone above it",
          at: node.location))
    case (_, .array(let nodes)):
      for (index, node) in nodes.enumerated() {
        append(node, as: Located("\(path.value).\(index + 1)", at: node.location), to: &settings)
      }
    default: appendValue(node, as: path, to: &settings)
    }
  }

  private mutating func appendValue(
    _ node: ConfigurationValue, as path: Located<String>, to settings: inout [Setting]
  ) {
    let value = attempt { () throws(ConfigurationProblem) in try node.setting(path.value) }
    if let value { settings.append(Setting(keyPath: path, value: value)) }
  }

  /// Appends a filter's controllers: an array with one range.
  private mutating func appendOnlyRange(
    _ value: ConfigurationValue, as key: Located<String>, to settings: inout [Setting]
  ) {
    guard
      let ranges = attempt({ () throws(ConfigurationProblem) in
        try NumberNotation.controllers.ranges(value, key.value)
      })
    else { return }
    guard case .array(let values) = value.content, values.count == 1, ranges.value.count == 1
    else {
      return report(
        ConfigurationProblem(
          "a filter has one range of controllers",
          accepted:
            "such as controllers = [\"1-64\"]; add a second filter stage for a second range",
          at: value.location))
    }
    append(values[0], as: key, to: &settings)
  }

  /// Appends the kinds of messages that a filter passes.
  private mutating func appendMessageKinds(
    _ value: ConfigurationValue, as key: Located<String>, to settings: inout [Setting]
  ) {
    guard
      let names = attempt({ () throws(ConfigurationProblem) in
        try value.array("pass", of: "kinds of messages")
      })
    else { return }
    let kinds = MIDIMessageKind.allCases.map(\.rawValue)
    var passing: Set<String> = []
    for node in names {
      let name = attempt { () throws(ConfigurationProblem) in try node.string("pass") }
      guard let name else { continue }
      if kinds.contains(name.value) {
        passing.insert(name.value)
      } else {
        report(
          .unknown(
            "kind of message", name.value, in: "'pass'", accepted: kinds, at: name.location))
      }
    }
    for kind in kinds {
      settings.append(
        Setting(
          keyPath: Located("\(key.value).\(kind)", at: key.location),
          value: Located(.boolean(passing.contains(kind)), at: value.location)))
    }
  }

  private mutating func appendRange(
    _ notation: NumberNotation, _ name: String, _ node: ConfigurationValue, _ path: Located<String>,
    to settings: inout [Setting]
  ) {
    guard
      let range = attempt({ () throws(ConfigurationProblem) in
        try notation.range(node, path.value)
      })
    else { return }
    for (end, value) in [("Low", range.value.lowerBound), ("High", range.value.upperBound)] {
      settings.append(
        Setting(
          keyPath: Located(name + end, at: path.location),
          value: Located(.number(Double(value)), at: range.location)))
    }
  }
}
