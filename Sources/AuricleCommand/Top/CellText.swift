// Text in the cells of a terminal.

/// Texts measured and cut by the cells that they take.
enum CellText {
  /// How many cells a text takes.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// A text that does nothing but being read, in a kind of characters that the terminal has.
  static func plain(_ text: String, isUnicode: Bool) -> String {
    let text = harmless(text, isOneLine: true)
    if isUnicode { return text }
    return String(text.unicodeScalars.map { $0.isASCII ? Character($0) : "?" })
  }

  /// Cuts a text, with a mark, where it is longer than it may be.
  static func cut(_ text: String, to cells: Int, isUnicode: Bool) -> String {
    if width(text) <= cells { return text }
    let mark = isUnicode ? "…" : "~"
    if cells < 1 { return "" }
    var result = String.UnicodeScalarView()
    var used = 1
    for scalar in text.unicodeScalars {
      let next = used + width(scalar)
      if next > cells { break }
      used = next
      result.append(scalar)
    }
    return String(result) + mark
  }

  /// Cuts a text, or fills it with spaces.
  static func fit(
    _ text: String, to cells: Int, isRight: Bool = false, isUnicode: Bool
  ) -> String {
    let text = cut(text, to: cells, isUnicode: isUnicode)
    let space = String(repeating: " ", count: max(0, cells - width(text)))
    return isRight ? space + text : text + space
  }

  /// None for marks that join what stands before them, two for the characters of East Asia and
  /// pictures, as terminals have it.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
