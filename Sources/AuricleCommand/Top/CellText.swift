// Text widths in the cells of a terminal.

/// Texts measured and cut by terminal cells.
enum CellText {
  /// Returns the number of cells that a text takes.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// Escapes control characters; without Unicode, replaces characters other than ASCII by "?".
  static func plain(_ text: String, isUnicode: Bool) -> String {
    let text = harmless(text, isOneLine: true)
    if isUnicode { return text }
    return String(text.unicodeScalars.map { $0.isASCII ? Character($0) : "?" })
  }

  /// Cuts a text that is too long, and marks the cut.
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

  /// Cuts a text, or pads it with spaces.
  static func fit(
    _ text: String, to cells: Int, isRight: Bool = false, isUnicode: Bool
  ) -> String {
    let text = cut(text, to: cells, isUnicode: isUnicode)
    let space = String(repeating: " ", count: max(0, cells - width(text)))
    return isRight ? space + text : text + space
  }

  /// Returns a character's cells as in terminals: 0 for combining marks, 2 for East Asian
  /// characters and pictures.
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
