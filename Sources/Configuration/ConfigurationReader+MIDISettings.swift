// Reads the keys of a MIDI stage that are its parameters.

extension ConfigurationReader {
  /// - Parameter stage: the stage's name.
  mutating func stageSettings(_ members: [ConfigurationValue.Member], of stage: String) -> [Setting]
  {
    var settings: [Setting] = []
    for member in members {
      // What it plays them with, not a range.
      if stage == "arpeggiator" && member.key.value == "velocities" {
        appendValue(member.value, as: member.key, to: &settings)
      } else {
        append(member.value, as: member.key, to: &settings)
      }
    }
    reportRepeated(settings)
    return settings
  }

  /// - Parameter path: the key path so far, at the key that was read last.
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
