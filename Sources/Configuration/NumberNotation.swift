// Notation of channels, keys, velocities and controllers: numbers, ranges and note names.

import UnitModel

/// The notation of a MIDI quantity: a number, or a string of one value or of a range "low-high".
struct NumberNotation {
  let bounds: ClosedRange<Int>
  let accepted: String
  /// Whether note names are accepted for numbers.
  let namesNotes: Bool

  static let channels = NumberNotation(
    bounds: 1...16, accepted: "1 to 16, \"1-4\", or an array of them", namesNotes: false)
  static let controllers = NumberNotation(
    bounds: 0...127, accepted: "0 to 127, \"64-69\", or an array of them", namesNotes: false)
  static let velocities = NumberNotation(
    bounds: 0...127, accepted: "0 to 127, or \"10-127\"", namesNotes: false)
  static let keys = NumberNotation(
    bounds: 0...127, accepted: "\"C2-C7\" with C4 as key 60 (C-1 to G9), \"36-96\", or one key",
    namesNotes: true)

  /// Reads one value or range, or a non-empty array of them.
  func ranges(
    _ node: ConfigurationValue, _ name: String
  ) throws(ConfigurationProblem) -> Located<[ClosedRange<Int>]> {
    guard case .array(let members) = node.content else {
      return Located([try range(node, name).value], at: node.location)
    }
    guard !members.isEmpty else {
      throw ConfigurationProblem("'\(name)' is empty", accepted: accepted, at: node.location)
    }
    var ranges: [ClosedRange<Int>] = []
    for member in members { ranges.append(try range(member, name).value) }
    return Located(ranges, at: node.location)
  }

  /// Reads one value or range.
  func range(
    _ node: ConfigurationValue, _ name: String
  ) throws(ConfigurationProblem) -> Located<ClosedRange<Int>> {
    func problem(_ fault: String) -> ConfigurationProblem {
      ConfigurationProblem("'\(name)' \(fault)", accepted: accepted, at: node.location)
    }
    switch node.content {
    case .integer(let number):
      guard bounds.contains(number) else { throw problem("is out of range: \(number)") }
      return Located(number...number, at: node.location)
    case .string(let text):
      guard let (low, high) = parse(text) else { throw problem("cannot be \(quoted(text))") }
      guard bounds.contains(low), bounds.contains(high) else {
        throw problem("is out of range: \(quoted(text))")
      }
      guard low <= high else { throw problem("runs downwards: \(quoted(text))") }
      return Located(low...high, at: node.location)
    default:
      throw problem("must be a number or a string, found \(node.typeName)")
    }
  }

  /// Returns the two ends of "low-high", or the one value twice.
  private func parse(_ text: String) -> (low: Int, high: Int)? {
    var rest = text[...]
    guard let low = end(&rest) else { return nil }
    skipSpace(&rest)
    if rest.isEmpty { return (low, low) }
    guard rest.removeFirst() == "-", let high = end(&rest) else { return nil }
    skipSpace(&rest)
    return rest.isEmpty ? (low, high) : nil
  }

  private func end(_ rest: inout Substring) -> Int? {
    skipSpace(&rest)
    return namesNotes ? NoteName.parse(&rest) ?? digits(&rest) : digits(&rest)
  }

  private func skipSpace(_ rest: inout Substring) {
    rest = rest.drop { $0 == " " }
  }

  private func digits(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return Int(digits)
  }
}
