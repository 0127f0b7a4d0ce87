// Text of files in messages.

/// Returns text in quotes for messages: 60 scalars at most, non-printing ones escaped.
/// - Thread: [any]
public func quoted(_ text: String) -> String {
  "'" + printable(text, 60) + "'"
}

/// Returns at most `maximumLength` scalars of a text, then … if cut; escapes non-printing ones.
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
