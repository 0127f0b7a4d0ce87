// Reading files from anywhere with bounds, and writing them so that they are never half-written.

import Files
import Foundation
import Glibc

/// Files as wholes.
package enum FileAccess {
  /// The contents of a regular file, nil if it is larger than `maximumBytes`.
  ///
  /// Pipes and devices are refused, and waited for by nobody.
  /// - Thread: [control]
  package static func read(_ path: String, maximumBytes: Int) throws(SystemError) -> Data? {
    try OpenFile(path, isRegular: true).contents(upTo: maximumBytes).map { Data($0) }
  }

  /// The text of a regular file; "" without one, and for one that is larger.
  /// - Thread: [control]
  package static func text(_ path: String, maximumBytes: Int) -> String {
    let data = try? read(path, maximumBytes: maximumBytes)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Writes a whole file in one step: whoever looks, at any time and after a crash, finds the old
  /// contents or the new ones.
  ///
  /// The folder is made if it is missing.
  /// - Thread: [control]
  package static func write(_ data: Data, to path: String) throws(SystemError) {
    let folder = (path as NSString).deletingLastPathComponent
    try makeFolder(folder.isEmpty ? "." : folder)
    let file = try TemporaryFile(for: path)
    try writeAll(data, to: file.descriptor)
    try file.commit()
  }

  /// Removes a file for good.
  /// - Thread: [control]
  package static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 else { throw .last }
    let folder = (path as NSString).deletingLastPathComponent
    try TemporaryFile.synchronize(folder: folder.isEmpty ? "." : folder)
  }

  private static func writeAll(_ data: Data, to file: Int32) throws(SystemError) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      rest = rest.dropFirst(count)
    }
  }

  /// Makes a folder, and those above it, where they are missing.
  /// - Thread: [control]
  package static func makeFolder(_ path: String, mode: mode_t = 0o755) throws(SystemError) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT else { throw .last }
    try makeFolder((path as NSString).deletingLastPathComponent, mode: mode)
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last }
  }
}
