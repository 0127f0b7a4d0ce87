// Keys with their values and defaults, in configuration syntax.

import Configuration
import Platform
import Tools

/// A row in a table of keys.
struct ReferenceRow {
  typealias Parameter = ComponentReport.ParameterReport

  let key: String
  let values: String
  /// The default; code in it is TOML, valid as the key's value.
  let defaultValue: String
  let meaning: String

  static let heading = ["key", "values", "default", "meaning"]

  /// Whether the values are too long for a cell.
  var isLong: Bool { values.count > 72 }

  var cells: [String] { ["`\(key)`", isLong ? "see below" : values, defaultValue, meaning] }

  private init(_ key: String, values: String, default value: String, meaning: String) {
    self.key = key
    self.values = values
    defaultValue = value
    self.meaning = meaning
  }

  private init(_ parameter: Parameter, as key: String, default value: String? = nil) {
    self.key = key
    values = Self.values(of: parameter)
    defaultValue = parameter.isReading ? "read-only" : value ?? Self.toml(of: parameter)
    // Numbered parameters share a row, made from the first one.
    meaning =
      key.contains("…") ? parameter.name.replacing(" 1", with: " N") : parameter.name
  }

  /// Returns the rows of a unit's parameters; parameters that differ only in a number share a row.
  static func rows(of parameters: [Parameter]) -> [ReferenceRow] {
    KeyPathGroup.groups(parameters.map(\.keyPath)).map { group in
      let (first, last) = (parameters[group.members[0]], parameters[group.members.last ?? 0])
      let defaults = [toml(of: first), toml(of: last)]
      return ReferenceRow(
        first, as: group.members.count > 1 ? group.text : first.keyPath,
        default: defaults[0] == defaults[1] ? nil : defaults.joined(separator: " to "))
    }
  }

  private static func values(of parameter: Parameter) -> String {
    var text =
      switch parameter.kind {
      case .choice: parameter.values.map { "`\"\($0)\"`" }.joined(separator: ", ")
      case .switch: "`true`, `false`"
      case .note: "0 to 127, or names such as `\"C4\"`"
      case .number, .whole:
        "\(parameter.minimum.plainText) to \(parameter.maximum.plainText) \(parameter.unit)"
          .trimmed
      }
    if parameter.canRamp { text += "; ramps" }
    if !parameter.changesWhilePlaying { text += "; not in entries" }
    return text
  }

  private static func toml(of parameter: Parameter) -> String {
    let index = Int(parameter.defaultValue - parameter.minimum)
    switch parameter.kind {
    case .choice where parameter.values.indices.contains(index):
      return "`\"\(parameter.values[index])\"`"
    case .switch: return "`\(parameter.defaultValue >= 0.5)`"
    default: return "`\(parameter.defaultValue.plainText)`"
    }
  }
}

// MARK: MIDI stages

extension ReferenceRow {
  /// Returns the rows of a stage's keys: its parameters, some of them combined into one key.
  static func keys(of stage: ComponentReport.StageReport) -> [ReferenceRow] {
    var rows: [ReferenceRow] = []
    for group in KeyPathGroup.groups(stage.parameters.map(\.keyPath)) {
      let row = self.row(of: group, in: stage)
      if !rows.contains(where: { $0.key == row.key }) { rows.append(row) }
    }
    return rows
  }

  private static func row(
    of group: KeyPathGroup, in stage: ComponentReport.StageReport
  ) -> ReferenceRow {
    let key = group.text
    switch (stage.stage, key) {
    case (_, "channels.1…16"):
      return ReferenceRow(
        "channels", values: "1 to 16, `\"1-4\"`, or an array of them", default: "`\"1-16\"`",
        meaning: stage.stage == "filter" ? "Channels that pass" : "Channels that it works on")
    case ("filter", _) where key.hasPrefix("pass."):
      let kinds = MIDIMessageKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      return ReferenceRow(
        "pass", values: "an array of `\(kinds)`", default: "all", meaning: "Messages that pass")
    case (_, "degrees.1…12"):
      return ReferenceRow(
        "degrees", values: "an array of 12 of `true`, `false`", default: "all `true`",
        meaning: "Own scale: the root and each semitone above it")
    case ("controller", "parameter"):
      return ReferenceRow(
        key, values: "the key path of a parameter", default: "none", meaning: "Target's parameter")
    default: break
    }
    let last = key.split(separator: ".").last.map(String.init) ?? ""
    let prefix = String(key.dropLast(last.count))
    for (name, plural) in [
      ("key", "keys"), ("velocity", "velocities"), ("controller", "controllers"),
    ] where [name + "Low", name + "High"].contains(last) {
      return range(of: group, as: plural, prefix: prefix, in: stage)
    }
    let members = group.members.map { stage.parameters[$0] }
    // By default, each channel maps to itself.
    let isOwn =
      members.count > 1
      && members.allSatisfy { parameter in
        parameter.keyPath.split(separator: ".").last.flatMap { Float($0) } == parameter.defaultValue
      }
    return ReferenceRow(members[0], as: key, default: isOwn ? "its own number" : nil)
  }

  /// Combines two ends with equal bounds into one key for a range; `group` has one of them.
  private static func range(
    of group: KeyPathGroup, as plural: String, prefix: String,
    in stage: ComponentReport.StageReport
  ) -> ReferenceRow {
    let end = stage.parameters[group.members[0]]
    let bounds = "`\"\(Int(end.minimum))-\(Int(end.maximum))\"`"
    let isKeys = plural == "keys"
    return ReferenceRow(
      prefix + plural,
      values: isKeys ? "`\"C2-C7\"`, `\"36-96\"`, or one key" : "\(bounds), or one number",
      default: isKeys ? "`\"C-1-G9\"`" : bounds,
      meaning: plural.prefix(1).uppercased() + plural.dropFirst()
        + (prefix.isEmpty ? " that pass" : " of the zone"))
  }
}
