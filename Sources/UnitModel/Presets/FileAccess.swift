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
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(number: EINVAL) }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { return data }
      data.append(contentsOf: chunk[..<count])
      if data.count > maximumBytes { return nil }
    }
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
