// Makes text from a file fit for a message.

/// Text in quotes, cut short, with nothing in it that moves a terminal's cursor.
/// - Thread: [any]
public func quoted(_ text: String) -> String {
  "'" + printable(text, 60) + "'"
}

/// At most `maximumLength` scalars of a text, those that print.
/// - Thread: [any]
public func printable(_ text: String, _ maximumLength: Int) -> String {
  var shown = ""
  for scalar in text.unicodeScalars.prefix(maximumLength) {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
      shown += "\\u{\(String(scalar.value, radix: 16))}"
    default:
      shown.unicodeScalars.append(scalar)
    }
  }
  return text.unicodeScalars.dropFirst(maximumLength).isEmpty ? shown : shown + "…"
}
