// The throwing functions of the libraries' targets, as their sources declare them.

import Foundation

/// Public functions and initializers that throw, by file and name:
/// `AudioFormat init(sampleRate:channelCount:)`.
struct PublicThrowing {
  /// The names, each `FILE FUNCTION`.
  let names: Set<String>

  /// Reads the targets that `Auricle` and `AuricleHost` export.
  init() throws {
    var names: Set<String> = []
    for file in try LibraryExports().sources {
      let text = try String(contentsOf: file, encoding: .utf8).replacing(/\/\/[^\n]*/, with: "")
      let stem = file.deletingPathExtension().lastPathComponent
      names.formUnion(Self.functions(in: text).map { "\(stem) \($0)" })
    }
    self.names = names
  }

  private static func functions(in text: String) -> [String] {
    let declaration =
      /\n *(?:@\w+ )*(?:public|open) (?:[a-z]+ )*(?:func (\w+)|(init)\??)(?:<[^(]*>)?\(/
    return text.matches(of: declaration).compactMap { match in
      let (labels, rest) = arguments(text[match.range.upperBound...])
      guard rest.prefix(while: { $0 != "{" && $0 != "}" }).prefix(60).contains("throws") else {
        return nil
      }
      return "\(match.1 ?? match.2 ?? "")(\(labels.map { $0 + ":" }.joined()))"
    }
  }

  /// Returns the labels of an argument list, and the text after it.
  private static func arguments(_ text: Substring) -> ([String], Substring) {
    var depth = 1
    var parts = [""]
    var index = text.startIndex
    var last: Character = " "
    while index < text.endIndex, depth > 0 {
      let character = text[index]
      if "([{<".contains(character) { depth += 1 }
      if ")]}".contains(character) || character == ">" && last != "-" { depth -= 1 }
      if character == ",", depth == 1 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      last = character
      index = text.index(after: index)
    }
    let labels = parts.compactMap { part in
      part.split(whereSeparator: { $0.isWhitespace || $0 == ":" || $0 == ")" }).first
    }
    return (labels.map(String.init), text[index...])
  }
}
