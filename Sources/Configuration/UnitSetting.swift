// Settings of units on a command line.

import FoundationEssentials
import UnitModel

/// A key or a parameter of a unit and its value, in place of that of the file: `piano/gain=-6`.
///
/// - Thread: [any]
package struct UnitSetting: Sendable {
  /// The name of the option, for messages.
  package static let option = "--set"

  let unit: String
  let key: String
  let value: String
  let location: SourcePosition

  /// Reads `UNIT/KEY=VALUE`. A `KEY` is one of `[[unit]]`, or the path of a parameter.
  /// - Throws: for another form.
  package init(_ text: String) throws(ConfigurationProblem) {
    location = SourcePosition(file: "\(Self.option) \(text)")
    guard let equals = text.firstIndex(of: "="), let slash = text.firstIndex(of: "/"),
      text.index(after: slash) < equals
    else {
      throw ConfigurationProblem("not a setting", accepted: "UNIT/KEY=VALUE", at: location)
    }
    unit = String(text[..<slash])
    key = text[text.index(after: slash)..<equals].split(
      separator: "/", omittingEmptySubsequences: false
    ).joined(separator: ".")
    value = String(text[text.index(after: equals)...])
  }
}

extension SessionConfiguration {
  /// Replaces keys and parameters of units. File names are relative to the current folder.
  ///
  /// - Parameters:
  ///   - kinds: the components whose units have keys of their own.
  ///   - context: that of the configuration's file.
  /// - Throws: the problems of all settings; the others are applied.
  package mutating func apply(
    _ settings: [UnitSetting], kinds: [Component], _ context: ConfigurationContext
  ) throws(ConfigurationError) {
    var problems = ProblemCollector()
    for setting in settings {
      do throws(ConfigurationError) {
        guard let index = units.firstIndex(where: { $0.id.value == setting.unit }) else {
          throw ConfigurationError(
            .unknown(
              "unit", setting.unit, in: "the configuration", accepted: units.map(\.id.value),
              at: setting.location))
        }
        let kind = kinds.first { $0.isNamed(units[index].component.value) }
        try units[index].take(setting.read(for: units[index], kind, context), at: setting.location)
      } catch { problems.report(error) }
    }
    try problems.finish()
  }
}

extension UnitSetting {
  /// Returns a unit that has only this setting.
  fileprivate func read(
    for unit: UnitConfiguration, _ kind: Component?, _ context: ConfigurationContext
  ) throws(ConfigurationError) -> UnitConfiguration {
    let type = kind?.unitType as? any ConfigurableUnit.Type
    // A saved state is set by its file only; players have a parameter of that name.
    let names =
      (GeneralUnitKey.optional.map(\.name) + (type?.configurationKeys.map(\.name) ?? []))
      .filter { $0 != "state" }
    if GeneralUnitKey.requiredNames.contains(key) {
      throw ConfigurationError(
        ConfigurationProblem(
          "\(quoted(key)) is the file's",
          accepted: "\(names.joined(separator: ", ")), or a parameter", at: location))
    }
    let isKey = names.contains(key) || key.hasPrefix("parameters.")
    guard let line = tomlLine(key: isKey ? key : "parameters.\(key)", value: value) else {
      throw ConfigurationError(
        ConfigurationProblem(
          "not a setting", accepted: "UNIT/KEY=VALUE, on one line", at: location))
    }
    let text = tomlText(ofUnit: unit.id.value, component: unit.component.value, [line])
    let document = try ConfigurationValue.parse(Array(text.utf8), file: location.file)
      .moved(to: location)
    let (read, error) = ConfigurationReader.read(document, kinds: [kind].compactMap(\.self))
    if let error { throw error }
    var unit = read.units[0]
    if let type = type as? any FileNamingUnit.Type, let file = context.file {
      var current = context
      current.file = nil
      do throws(ConfigurationProblem) {
        try type.rename(
          &unit.keys, from: current, to: file, naming: { _ in nil }, addsSums: false)
      } catch { throw ConfigurationError(error) }
    }
    return unit
  }
}

extension UnitConfiguration {
  /// Takes the settings of another one for the same unit.
  fileprivate mutating func take(_ other: UnitConfiguration, at location: SourcePosition) {
    if let preset = other.preset { self.preset = preset }
    switches.merge(other.switches) { $1 }
    for setting in other.parameters {
      parameters.removeAll { $0.keyPath.value == setting.keyPath.value }
      parameters.append(setting)
    }
    if !other.midiStages.isEmpty { midiStages = other.midiStages }
    // A renamed file has no position.
    for entry in other.keys.entries {
      keys.set(entry.key, to: entry.value.moved(to: location), at: location)
    }
  }
}

extension ConfigurationValue {
  /// Returns the value with one position in all its parts.
  fileprivate func moved(to location: SourcePosition) -> ConfigurationValue {
    let moved: Content =
      switch content {
      case .table(let members):
        .table(
          members.map {
            Member(key: Located($0.key.value, at: location), value: $0.value.moved(to: location))
          })
      case .array(let values): .array(values.map { $0.moved(to: location) })
      default: content
      }
    return ConfigurationValue(moved, at: location)
  }
}
