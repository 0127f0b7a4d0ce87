// Settings of commands as lines of TOML.

/// Returns a setting as a line of TOML; nil for a key that none can have.
///
/// - Thread: [any]
package func tomlLine(key: some StringProtocol, value: String) -> String? {
  guard !key.isEmpty,
    key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }),
    !value.unicodeScalars.contains(where: { $0.value < 32 })
  else { return nil }
  // A number, a Boolean, or a text that begins with a bracket or quote is meant as TOML.
  let isTOML =
    ["true", "false"].contains(value) || value.wholeMatch(of: /[-+]?[0-9]+(\.[0-9]+)?/) != nil
    || ["[", "{", "\""].contains { value.hasPrefix($0) }
  return "\(key) = \(isTOML ? value : tomlText(value))"
}

/// Returns a configuration of one unit.
///
/// - Parameter lines: its other keys.
/// - Thread: [any]
package func tomlText(
  ofUnit id: String, component: String, _ lines: [String]
) -> String {
  (["[[unit]]", "id = \(tomlText(id))", "component = \(tomlText(component))"] + lines)
    .joined(separator: "\n")
}
