// Conversion of values to and from text.

import Platform

extension Parameter {
  /// Returns the value as text without its unit: from the implementor, a value string, or a number.
  ///
  /// - Parameter value: The value to write; nil for the current one.
  ///
  /// AUv3: `string(fromValue:)`.
  /// - Thread: [control]
  public func string(fromValue value: Float? = nil) -> String {
    let value = value ?? self.value
    if let callback = inherited({ $0.stringFromValue }) { return callback(self, value) }
    if let name = valueString(at: value) { return name }
    switch unit {
    case .boolean: return value == 0 ? "Off" : "On"
    case .indexed: return Self.text(value.rounded())
    default: return Self.text(value)
    }
  }

  /// Returns the value of a text: the inverse of `string(fromValue:)`.
  ///
  /// Value strings and On/Off are recognised in any case, numbers with or without their unit,
  /// frequencies also as 2 kHz and 2k. The result is not clamped to the range, so that the caller
  /// can report the fault.
  ///
  /// - Returns: nil if the text is not a value of this parameter.
  ///
  /// AUv3: `value(fromString:)`.
  /// - Thread: [control]
  public func value(fromString string: String) -> Float? {
    if let callback = inherited({ $0.valueFromString }) { return callback(self, string) }
    let text = string.trimmed.lowercased()
    if let index = valueStrings.firstIndex(where: { $0.lowercased() == text }) {
      return range.lowerBound.rounded() + Float(index)
    }
    if unit == .boolean {
      if ["on", "yes", "true"].contains(text) { return 1 }
      if ["off", "no", "false"].contains(text) { return 0 }
    }
    return number(in: text)
  }

  private func number(in text: String) -> Float? {
    var digits = Substring(text.replacing("−", with: "-"))
    var factor = 1.0
    for symbol in [unitName, unit.symbol] where !symbol.isEmpty {
      guard digits.hasSuffix(symbol.lowercased()) else { continue }
      digits = digits.dropLast(symbol.count)
      break
    }
    if unit == .hertz, digits.last == "k" {
      digits = digits.dropLast()
      factor = 1000
    }
    let plain = digits.trimmed
    guard plain.allSatisfy({ "+-.0123456789e".contains($0) }), let number = Double(plain) else {
      return nil
    }
    let value = Float(number * factor)
    return value.isFinite ? value : nil
  }

  private func valueString(at value: Float) -> String? {
    let index = (value - range.lowerBound.rounded()).rounded()
    guard index >= 0, index < Float(valueStrings.count) else { return nil }
    return valueStrings[Int(index)]
  }

  /// Formats a number with at most four decimals, independent of the locale.
  private static func text(_ value: Float) -> String {
    guard value.magnitude < 1e7 else { return "\(value)" }
    var text = value.text(decimals: 4)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
  }
}
