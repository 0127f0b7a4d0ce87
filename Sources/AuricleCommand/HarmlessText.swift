// Text without control characters for a terminal.

/// Escapes characters that would move a terminal's cursor or change its writing direction. Names
/// come from files and from other clients.
/// - Parameter isOneLine: whether to escape line ends too, for text that includes names.
func harmless(_ text: String, isOneLine: Bool = false) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x0A where !isOneLine: result.unicodeScalars.append(scalar)
    case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
