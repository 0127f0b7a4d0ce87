// Typed values of configurations, and the errors of wrong types.

/// Each function takes the name of the key for its message, and throws the problem of the value.
///
/// - Thread: [any]
extension ConfigurationValue {
  /// Returns the problem of a value of the wrong type: `name` must be `wanted`.
  public func wrongType(_ name: String, mustBe wanted: String) -> ConfigurationProblem {
    ConfigurationProblem("'\(name)' must be \(wanted), found \(typeName)", at: location)
  }

  /// Returns the text of a string.
  public func string(_ name: String) throws(ConfigurationProblem) -> Located<String> {
    guard case .string(let text) = content else { throw wrongType(name, mustBe: "a string") }
    return Located(text, at: location)
  }

  /// Returns a string that can be a name: not empty, without control characters.
  public func name(_ name: String) throws(ConfigurationProblem) -> Located<String> {
    let text = try string(name)
    guard !text.value.isEmpty else {
      throw ConfigurationProblem("'\(name)' is empty", at: location)
    }
    guard text.value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw ConfigurationProblem("'\(name)' holds a control character", at: location)
    }
    return text
  }

  /// Returns an integer within a range; a float is none.
  public func integer(
    _ name: String, in range: ClosedRange<Int>
  ) throws(ConfigurationProblem) -> Located<Int> {
    let accepted = "\(range.lowerBound) to \(range.upperBound)"
    guard case .integer(let number) = content else {
      throw wrongType(name, mustBe: "an integer, \(accepted)")
    }
    guard range.contains(number) else {
      throw ConfigurationProblem(
        "'\(name)' is out of range: \(number)", accepted: accepted, at: location)
    }
    return Located(number, at: location)
  }

  /// Returns a number within a range.
  func number(
    _ name: String, in range: ClosedRange<Double>, unit: String = ""
  ) throws(ConfigurationProblem) -> Located<Double> {
    let accepted =
      "\(range.lowerBound.plainText) to \(range.upperBound.plainText)"
      + (unit.isEmpty ? "" : " \(unit)")
    let number: Double
    switch content {
    case .integer(let whole): number = Double(whole)
    case .float(let given): number = given
    default: throw wrongType(name, mustBe: "a number, \(accepted)")
    }
    guard range.contains(number) else {
      throw ConfigurationProblem(
        "'\(name)' is out of range: \(number)", accepted: accepted, at: location)
    }
    return Located(number, at: location)
  }

  /// Returns true or false.
  public func boolean(_ name: String) throws(ConfigurationProblem) -> Located<Bool> {
    guard case .boolean(let value) = content else {
      throw wrongType(name, mustBe: "true or false")
    }
    return Located(value, at: location)
  }

  /// Returns the members of a table, in the order of the file.
  ///
  /// - Parameter form: the table's form, for the message: "such as { cutoff = 900.0 }".
  public func table(_ name: String, as form: String) throws(ConfigurationProblem) -> [Member] {
    guard case .table(let members) = content else {
      throw wrongType(name, mustBe: "a table, \(form)")
    }
    return members
  }

  /// Returns the elements of an array, of any type.
  ///
  /// - Parameter elements: their form, for the message: "strings".
  public func array(_ name: String, of elements: String) throws(ConfigurationProblem)
    -> [ConfigurationValue]
  {
    guard case .array(let nodes) = content else {
      throw wrongType(name, mustBe: "an array of \(elements)")
    }
    return nodes
  }

  /// Returns channels, 1 to 16: a number, a range such as "1-4", or a non-empty array of them.
  public func channels(
    _ name: String
  ) throws(ConfigurationProblem) -> Located<[ClosedRange<Int>]> {
    try NumberNotation.channels.ranges(self, name)
  }

  /// Returns a number, a boolean or a string.
  public func setting(_ name: String) throws(ConfigurationProblem) -> Located<SettingValue> {
    switch content {
    case .string(let text): return Located(.string(text), at: location)
    case .boolean(let value): return Located(.boolean(value), at: location)
    case .integer(let number): return Located(.number(Double(number)), at: location)
    case .float(let number):
      guard number.isFinite else {
        throw ConfigurationProblem("\(quoted(name)) must be a finite number", at: location)
      }
      return Located(.number(number), at: location)
    case .table, .array, .date:
      throw ConfigurationProblem(
        "\(quoted(name)) must be a number, a boolean or a string, found \(typeName)",
        at: location)
    }
  }
}
