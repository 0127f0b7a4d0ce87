// Values in TOML syntax.

/// Returns a text in quotes and TOML syntax.
///
/// - Thread: [any]
package func tomlText(_ text: String) -> String { TOMLText.quote(text) }

/// A value to be written to a file.
indirect enum TOMLText {
  /// A string, number or boolean, in its syntax in the file.
  case plain(String)
  case array([TOMLText])
  /// Keys, in their syntax in the file, with their values.
  case table([(key: String, value: TOMLText)])

  /// The value on one line, as in inline tables.
  var inline: String {
    switch self {
    case .plain(let text): text
    case .array(let values): "[" + values.map(\.inline).joined(separator: ", ") + "]"
    case .table(let members):
      "{ " + members.map { "\($0.key) = \($0.value.inline)" }.joined(separator: ", ") + " }"
    }
  }

  static func string(_ text: String) -> TOMLText { .plain(quote(text)) }
  static func integer(_ number: Int) -> TOMLText { .plain("\(number)") }
  static func boolean(_ isOn: Bool) -> TOMLText { .plain(isOn ? "true" : "false") }

  /// Makes the text of a value; nested tables become dotted keys.
  init(_ value: ConfigurationValue) {
    switch value.content {
    case .table(let members): self = .table(Self.members(members))
    case .array(let values): self = .array(values.map { TOMLText($0) })
    case .string(let text): self = .string(text)
    case .integer(let number): self = .integer(number)
    case .float(let number): self = .plain(Self.text(number))
    case .boolean(let isOn): self = .boolean(isOn)
    // The reader accepts no date.
    case .date: self = .string("")
    }
  }

  /// Returns the members of a table, one line each.
  static func members(
    _ members: [ConfigurationValue.Member]
  ) -> [(key: String, value: TOMLText)] {
    members.flatMap { member -> [(key: String, value: TOMLText)] in
      let key = Self.key(member.key.value)
      guard case .table(let inner) = member.value.content, !inner.isEmpty else {
        return [(key, TOMLText(member.value))]
      }
      return Self.members(inner).map { ("\(key).\($0.key)", $0.value) }
    }
  }

  init(_ value: SettingValue) {
    switch value {
    case .number(let number): self = .plain(Self.text(number))
    case .boolean(let isOn): self = .boolean(isOn)
    case .string(let text): self = .string(text)
    }
  }

  /// Returns a number in the usual form: 64, not 64.0. Reading it gives the same number.
  private static func text(_ number: Double) -> String {
    whole(number).map { "\($0)" } ?? "\(number)"
  }

  /// Returns the integer that a number is written as; nil if it is written as a float.
  static func whole(_ number: Double) -> Int? {
    let isPlain = number.magnitude < 1e15 && !(number == 0 && number.sign == .minus)
    return isPlain ? Int(exactly: number) : nil
  }

  /// Returns a string in quotes, with escapes for characters that move a cursor or reorder text.
  static func quote(_ text: String) -> String {
    // The reader limits the dots in a line.
    let hasManyDots = text.utf8.count { $0 == UInt8(ascii: ".") } > 16
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case "." where hasManyDots: quoted += "\\u002E"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
          let digits = String(scalar.value, radix: 16, uppercase: true)
          let width = scalar.value > 0xFFFF ? 8 : 4
          quoted += width == 8 ? "\\U" : "\\u"
          quoted += String(repeating: "0", count: width - digits.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
      }
    }
    return quoted + "\""
  }

  /// Returns a key, in quotes if it is no bare key.
  static func key(_ name: String) -> String { isBare(name) ? name : quote(name) }

  static func isBare(_ name: some StringProtocol) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
