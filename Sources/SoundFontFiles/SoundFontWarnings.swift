// Warnings about corrections of a SoundFont.

/// Lines about parts left out or changed. The first dozen are kept, the rest is counted.
struct SoundFontWarnings: Sendable {
  private static let greatestCount = 12
  private var first: [String] = []
  private var count = 0

  mutating func add(_ line: @autoclosure () -> String) {
    count += 1
    if count <= Self.greatestCount { first.append(line()) }
  }

  var lines: [String] {
    let more = count - Self.greatestCount
    return more <= 0 ? first : first + ["and \(more) more of the kind"]
  }
}

/// Returns the text without characters that move a terminal's cursor.
package func printable(_ text: String) -> String {
  var shown = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
      .surrogate:
      shown += "\u{FFFD}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}
