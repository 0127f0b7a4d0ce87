// Reading files with size limits, and writing them atomically.

import Files
import FoundationEssentials
import Glibc

/// Reads and writes whole files.
package enum FileAccess {
  /// Returns the contents of a regular file; nil if it is larger than `maximumBytes`.
  ///
  /// - Throws: `SystemError`. Pipes and devices are refused without waiting for them.
  /// - Thread: [control]
  package static func read(_ path: String, maximumBytes: Int) throws(SystemError) -> Data? {
    try OpenFile(path, isRegular: true).contents(upTo: maximumBytes).map { Data($0) }
  }

  /// Returns the text of a regular file; "" if it cannot be read or is larger than `maximumBytes`.
  /// - Thread: [control]
  package static func text(_ path: String, maximumBytes: Int) -> String {
    let data = try? read(path, maximumBytes: maximumBytes)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Writes a whole file in one step: readers find the old or the new contents at any time, also
  /// after a crash.
  ///
  /// The folder is made if it is missing.
  /// - Throws: `SystemError`; the old contents then stay.
  /// - Thread: [control]
  package static func write(_ data: Data, to path: String) throws(SystemError) {
    try makeFolder(folder(of: path))
    let file = try TemporaryFile(for: path)
    try writeAll(data, to: file.descriptor)
    try file.commit()
  }

  /// Removes a file, and synchronises its folder to disk.
  /// - Throws: `SystemError`, also if the file does not exist.
  /// - Thread: [control]
  package static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 else { throw .last }
    try TemporaryFile.synchronize(folder: folder(of: path))
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

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  /// Makes a folder and its parents if they are missing.
  /// - Throws: `SystemError`.
  /// - Thread: [control]
  package static func makeFolder(_ path: String, mode: mode_t = 0o755) throws(SystemError) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT else { throw .last }
    try makeFolder(folder(of: path), mode: mode)
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last }
  }
}
