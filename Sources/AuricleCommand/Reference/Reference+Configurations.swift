// Reference of the configurations in a folder.

import FoundationEssentials
import UnitModel

extension Reference {
  /// Returns a table of the configurations in a folder, each with its first line, a comment; nil if
  /// there is none.
  /// - Parameter folder: relative to the working folder.
  static func configurations(in folder: String) -> [String]? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let rows = names.filter { $0.hasSuffix(".toml") }.sorted().map { name in
      let text = FileAccess.text("\(folder)/\(name)", maximumBytes: 1 << 20)
      let line = text.prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " }
      return ["`\(name)`", String(line.hasSuffix(".") ? line.dropLast() : line)]
    }
    return rows.isEmpty ? nil : table([["file", "session"]] + rows)
  }
}
