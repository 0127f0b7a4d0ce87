// The folder for takes of a recorder that is checked.

import Configuration
import Files
import FoundationEssentials
import Glibc

/// A new temporary folder for the takes of a recorder. Its owner removes it after the checks.
struct TakesFolder {
  private let path: String

  /// - Throws: `CommandFailure`.
  init() throws(CommandFailure) {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/auricle-validate-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        message: "no folder for takes can be made in \(parent) (TMPDIR): \(SystemError.last)",
        status: 1)
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The recorder's key for takes in this folder.
  var key: String { "file = \(tomlText("\(path)/take.wav"))" }

  /// Removes the folder with its takes.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
