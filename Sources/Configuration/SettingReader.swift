// Checks of parameter values, common to all ways of setting them.

import Glibc
import Platform
public import UnitModel

/// Reads settings of one unit. The errors contain the accepted values.
public struct SettingReader {
  let unit: AudioUnit
  let id: String

  /// - Parameter id: the unit's name in messages.
  public init(unit: AudioUnit, id: String) {
    self.unit = unit
    self.id = id
  }

  /// Returns the parameter named by a setting, and a value in its range.
  ///
  /// - Throws: `ConfigurationProblem` for an unknown parameter, or a value that it does not accept.
  /// - Thread: [control]
  public func read(_ setting: Setting) throws(ConfigurationProblem) -> (Parameter, Float) {
    let keyPath = setting.keyPath.value
    guard let parameter = unit.parameterTree.parameter(keyPath: keyPath) else {
      throw .unknown(
        "parameter", keyPath, in: "unit '\(id)'",
        accepted: Self.settable(unit.parameterTree.allParameters),
        at: setting.keyPath.location)
    }
    let value = try number(setting.value, for: parameter)
    guard parameter.range.contains(value) else {
      throw ConfigurationProblem(
        "\(keyPath) = \(describe(setting.value.value)) is out of range",
        accepted: accepted(by: parameter), at: setting.value.location)
    }
    guard !parameter.isWhole || value == value.rounded() else {
      throw ConfigurationProblem(
        "\(keyPath) = \(describe(setting.value.value)) is no whole number",
        accepted: accepted(by: parameter), at: setting.value.location)
    }
    return (parameter, value)
  }

  /// Returns the settable key paths; those that differ only in a number are grouped.
  package static func settable(_ parameters: [Parameter]) -> [String] {
    KeyPathGroup.groups(parameters.filter { $0.flags.contains(.writable) }.map(\.keyPath))
      .map(\.text)
  }

  private func number(
    _ value: Located<SettingValue>, for parameter: Parameter
  ) throws(ConfigurationProblem) -> Float {
    switch value.value {
    case .number(let number): return Float(number)
    case .boolean(let isOn) where parameter.unit == .boolean: return isOn ? 1 : 0
    case .string(let text):
      if let number = parameter.value(fromString: text) { return number }
      if let key = NoteName.flats.firstIndex(where: { $0.lowercased() == text.lowercased() }),
        parameter.valueStrings.contains(NoteName.sharps[key])
      {
        return parameter.value(fromString: NoteName.sharps[key]) ?? 0
      }
      if parameter.unit == .midiNoteNumber, let key = NoteName.key(text) { return Float(key) }
    case .boolean: break
    }
    throw ConfigurationProblem(
      "\(parameter.keyPath) = \(describe(value.value)) is no value of this parameter",
      accepted: accepted(by: parameter), at: value.location)
  }

  private func describe(_ value: SettingValue) -> String {
    switch value {
    case .number(let number): Float(number).plainText
    case .boolean(let isOn): "\(isOn)"
    case .string(let text): quoted(text)
    }
  }

  func accepted(by parameter: Parameter) -> String {
    if !parameter.valueStrings.isEmpty { return parameter.valueStrings.joined(separator: ", ") }
    if parameter.unit == .boolean { return "true, false" }
    let range = parameter.range
    let names = parameter.unit == .midiNoteNumber ? ", or a name such as C4" : parameter.unitName
    return "\(range.lowerBound.plainText) to \(range.upperBound.plainText)"
      + (names.isEmpty || names.hasPrefix(",") ? names : " " + names)
  }
}
