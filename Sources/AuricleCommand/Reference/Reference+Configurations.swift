// Reference of the configurations in a folder.

import Configuration
import FoundationEssentials
import UnitModel

extension Reference {
  /// Returns a table of the configurations in a folder, each with its first line, a comment; nil if
  /// there is none.
  ///
  /// - Parameter folder: relative to the working folder.
  /// - Throws: `CommandFailure` for a configuration without such a comment.
  static func configurations(in folder: String) throws -> [String]? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let rows = try names.filter { $0.hasSuffix(".toml") }.sorted().map { name in
      let file = "\(folder)/\(name)"
      guard let title = configurationTitle(file) else {
        throw CommandFailure(
          message: "\(file):1: no comment; begin the file with one that describes the session",
          status: 2)
      }
      return ["`\(name)`", title]
    }
    return rows.isEmpty ? nil : table([["file", "session"]] + rows)
  }
}
