// Reading and writing property lists in XML.

import FoundationEssentials
import Glibc

/// The XML form of property lists (Apple's PropertyList-1.0 DTD).
///
/// Foundation's reader recurses as deep as the file's nesting, on the stack. Files may come from
/// anywhere, so this reader limits the depth to `maximumDepth`.
package enum PropertyList {
  static let maximumDepth = 64

  /// The fault of a text, and its line.
  package struct Fault: Error, Hashable {
    package let line: Int
    package let reason: String
  }

  /// Returns the property list as XML, with sorted keys.
  package static func xml(_ dictionary: [String: PropertyListValue]) -> Data {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    write(.dictionary(dictionary), indent: "", to: &text)
    return Data((text + "</plist>\n").utf8)
  }

  /// Returns the dictionary in an XML text.
  package static func dictionary(xml: Data) throws(Fault) -> [String: PropertyListValue] {
    var parser = PropertyListParser(xml)
    guard case .dictionary(let dictionary) = try parser.document() else {
      throw Fault(line: 1, reason: "the property list is not a dictionary")
    }
    return dictionary
  }

  private static func write(
    _ value: PropertyListValue, indent: String, to text: inout String
  ) {
    let inner = indent + "\t"
    switch value {
    case .boolean(let value): text += indent + (value ? "<true/>\n" : "<false/>\n")
    case .integer(let value): text += "\(indent)<integer>\(value)</integer>\n"
    case .real(let value): text += "\(indent)<real>\(real(value))</real>\n"
    case .string(let value): text += "\(indent)<string>\(escape(value))</string>\n"
    case .data(let value): text += "\(indent)<data>\(value.base64EncodedString())</data>\n"
    case .date(let value):
      text += "\(indent)<date>\(value.formatted(.iso8601))</date>\n"
    case .array(let values):
      text += "\(indent)<array>\n"
      for value in values { write(value, indent: inner, to: &text) }
      text += "\(indent)</array>\n"
    case .dictionary(let values):
      text += "\(indent)<dict>\n"
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        text += "\(inner)<key>\(escape(key))</key>\n"
        write(value, indent: inner, to: &text)
      }
      text += "\(indent)</dict>\n"
    }
  }

  private static func real(_ value: Double) -> String {
    value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-infinity" : "+infinity") : "\(value)"
  }

  /// Escapes markup and control characters. A plain carriage return would be read back as a line
  /// feed. Other control characters are invalid in XML 1.0; as references they can at least be read
  /// back.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}": escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
