// Notation of channels, keys, velocities and controllers: numbers, ranges and note names.

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

/// Names of MIDI keys: C4 is key 60, so that C-1 is key 0 and G9 key 127.
public enum NoteName {
  /// Returns the key of a name such as "C4" or "Bb3", even beyond MIDI's range; nil for other text.
  ///
  /// - Thread: [any]
  public static func key(_ name: String) -> Int? {
    var rest = name[...]
    guard let key = parse(&rest), rest.isEmpty else { return nil }
    return key
  }

  /// Removes a note name from the front of `rest` and returns its key, possibly out of MIDI's
  /// range.
  ///
  /// A name is a letter, up to two accidentals, and an octave of up to two digits, possibly
  /// negative. If there is none, `rest` is unchanged and the result nil.
  static func parse(_ rest: inout Substring) -> Int? {
    var text = rest
    let semitones: [Character: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11]
    guard let letter = text.popFirst(), let step = semitones[Character(letter.lowercased())]
    else { return nil }
    var key = step
    let maximumAccidentals = 2
    for _ in 0..<maximumAccidentals {
      guard let sign = text.first, let shift = accidentals[sign] else { break }
      key += shift
      text.removeFirst()
    }
    let isNegative = text.first == "-"
    if isNegative { text.removeFirst() }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let maximumDigits = 2
    guard (1...maximumDigits).contains(digits.count), let octave = Int(digits) else { return nil }
    rest = text.dropFirst(digits.count)
    return key + 12 * ((isNegative ? -octave : octave) + 1)
  }

  private static let accidentals: [Character: Int] = ["#": 1, "♯": 1, "b": -1, "♭": -1]
}
