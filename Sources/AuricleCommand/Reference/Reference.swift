// Reference text in Markdown, generated from the program.

import UnitModel

/// The parts of Markdown files between `<!-- reference: SUBJECT -->` and `<!-- end -->`.
enum Reference {
  private static let beginning = "<!-- reference: "
  private static let end = "<!-- end -->"

  /// Regenerates all parts of a text.
  /// - Parameter file: for messages.
  /// - Throws: `CommandFailure` with the line of a part that cannot be generated or has no end.
  static func renew(_ text: String, file: String) throws -> String {
    let registry = try HostComponents.makeRegistry()
    var result: [String] = []
    var open: Int?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.enumerated() {
      func failure(_ message: String) -> CommandFailure {
        CommandFailure(message: "\(file):\(index + 1): \(message)", status: 2)
      }
      if line.hasPrefix(beginning), line.hasSuffix(" -->") {
        guard open == nil else { throw failure("a part within a part") }
        open = index + 1
        let subject = line.dropFirst(beginning.count).dropLast(4).split(separator: " ")
        guard let lines = try part(subject.map(String.init), registry) else {
          throw failure(
            "no reference of '\(subject.joined(separator: " "))'; accepted: command NAME, components,"
              + " configurations FOLDER, formats, outputs, parameters COMPONENT, stage NAME, unit")
        }
        result += [line, ""] + lines + ["", end]
      } else if line == end {
        guard open != nil else { throw failure("an end without a beginning") }
        open = nil
      } else if open == nil {
        result.append(line)
      }
    }
    if let open { throw CommandFailure(message: "\(file):\(open): no '\(end)' follows", status: 2) }
    return result.joined(separator: "\n")
  }

  /// - Returns: nil for an unknown subject.
  private static func part(
    _ subject: [String], _ registry: ComponentRegistry
  ) throws -> [String]? {
    switch (subject.first, subject.dropFirst().first) {
    case ("command", _?): try command(subject.dropFirst().joined(separator: " "))
    case ("components", nil): try components(registry)
    case ("configurations", let folder?): try configurations(in: folder)
    case ("formats", nil): formats
    case ("outputs", nil): outputs
    case ("parameters", let name?): try parameters(of: name, registry)
    case ("stage", let name?): try stage(name, registry)
    case ("unit", nil): unitKeys
    default: nil
    }
  }

  /// Returns the lines of a Markdown table.
  static func table(_ rows: [[String]]) -> [String] {
    let line = { (cells: [String]) in "| " + cells.joined(separator: " | ") + " |" }
    guard let heading = rows.first else { return [] }
    return [line(heading), "|" + String(repeating: "---|", count: heading.count)]
      + rows.dropFirst().map(line)
  }

  /// Wraps text at 100 columns; lines after the first begin with `indent`.
  static func wrapped(_ text: String, indent: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty && line.count + 1 + word.count > 100 {
        lines.append(line)
        line = indent + word
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
