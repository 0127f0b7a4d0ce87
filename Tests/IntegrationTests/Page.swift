// Pages of Markdown, and their contents.

import Foundation
import SessionTestSupport

/// A page for users or developers of Auricle.
struct Page: CustomStringConvertible, Sendable {
  static let root = ReadyConfigurations.folder.deletingLastPathComponent()

  /// The path below the repository's folder.
  let path: String
  let text: String

  var description: String { path }
  var lines: [String] { text.components(separatedBy: "\n") }

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// All pages of a folder.
  static func pages(in folder: String) throws -> [Page] {
    try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent(folder).path
    ).filter { $0.hasSuffix(".md") }.sorted().map { try Page(folder + "/" + $0) }
  }

  /// The pages for users.
  static func manual() throws -> [Page] { [try Page("README.md")] + (try pages(in: "docs")) }

  static func all() throws -> [Page] {
    try manual() + pages(in: "Sources/Auricle/Auricle.docc")
      + ["CHANGELOG.md", "CONTRIBUTING.md", "Examples/README.md"].map { try Page($0) }
  }

  /// The blocks of a language; an empty name selects blocks without one.
  func blocks(_ language: String) -> [String] {
    ("\n" + text).components(separatedBy: "\n```").enumerated().compactMap { index, part in
      guard index % 2 == 1, part.hasPrefix(language + "\n") else { return nil }
      return String(part.dropFirst(language.count + 1))
    }
  }

  /// The text outside of blocks.
  private var prose: String {
    ("\n" + text).components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 0 }
      .map { String($0.element.drop { $0 != "\n" }) }.joined(separator: "\n")
  }

  /// The texts between single backticks.
  var codeSpans: [String] { prose.matches(of: /`([^`]+)`/).map { String($0.output.1) } }

  /// The targets of links to files of the repository, and to headings.
  var links: [String] {
    prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
      .filter { !$0.contains("://") }
  }

  /// The names of the headings in links, as GitHub forms them.
  var anchors: [String] {
    lines.filter { $0.hasPrefix("#") }.map { line in
      line.drop { $0 == "#" || $0 == " " }.lowercased().replacingOccurrences(of: " ", with: "-")
        .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }
  }

  /// The tables as rows of cells, each with its heading; a generated one with its comment.
  var tables: [(title: String, rows: [[String]])] {
    var tables: [(title: String, rows: [[String]])] = []
    var (heading, title) = ("", "")
    var isInTable = false
    for line in lines {
      if line.hasPrefix("#") { heading = line }
      if line.hasPrefix("#") || line == "<!-- end -->" { title = heading }
      if line.hasPrefix("<!-- reference: ") { title = line }
      guard line.hasPrefix("|") else {
        isInTable = false
        continue
      }
      let cells = line.dropFirst().dropLast().components(separatedBy: " | ")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if !isInTable { tables.append((title, [])) }
      isInTable = true
      if !line.hasPrefix("|---") { tables[tables.count - 1].rows.append(cells) }
    }
    return tables
  }
}

/// The texts between backticks in a cell.
func codeSpans(_ cell: String) -> [String] {
  cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
}
