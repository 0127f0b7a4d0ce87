// Values as TOML writes them.

/// A value on its way into a file.
indirect enum TOMLValue {
  /// A string, number or boolean, as it stands in the file.
  case plain(String)
  case array([TOMLValue])
  /// Keys as they stand in the file, with their values.
  case table([(key: String, value: TOMLValue)])

  /// On one line, which inline tables need.
  var inline: String {
    switch self {
    case .plain(let text): text
    case .array(let values): "[" + values.map(\.inline).joined(separator: ", ") + "]"
    case .table(let members):
      "{ " + members.map { "\($0.key) = \($0.value.inline)" }.joined(separator: ", ") + " }"
    }
  }

  static func string(_ text: String) -> TOMLValue { .plain(quote(text)) }
  static func integer(_ number: Int) -> TOMLValue { .plain("\(number)") }
  static func boolean(_ isOn: Bool) -> TOMLValue { .plain(isOn ? "true" : "false") }

  init(_ value: SettingValue) {
    switch value {
    case .number(let number): self = .plain(Self.text(number))
    case .boolean(let isOn): self = .boolean(isOn)
    case .string(let text): self = .string(text)
    }
  }

  /// A number as people write it: 64, not 64.0. Reading it gives the same number.
  private static func text(_ number: Double) -> String {
    let isPlain = number.magnitude < 1e15 && !(number == 0 && number.sign == .minus)
    if isPlain, let whole = Int(exactly: number) { return "\(whole)" }
    return "\(number)"
  }

  /// A string in quotes, with nothing in it that moves a terminal's cursor or reorders a line.
  static func quote(_ text: String) -> String {
    // The reader bounds the dots of a line.
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

  /// A key that stands for itself, in quotes where it has to be.
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
