// A temporary directory for the files of a test.
import Foundation

/// A new, empty directory, removed with its content when the last reference to it is released.
///
/// - Thread: [any]
public final class TemporaryDirectory: Sendable {
  /// The directory.
  public let url: URL

  /// Makes a directory below the system's temporary directory.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("auricle-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The URL of a file in the directory, which need not exist.
  public func file(_ name: String) -> URL {
    url.appendingPathComponent(name)
  }

  /// Makes a named pipe without a writer, and returns its URL.
  public func makePipe(_ name: String = "pipe") throws -> URL {
    let pipe = file(name)
    guard mkfifo(pipe.path, 0o600) == 0 else {
      throw RigError.cannotMakePipe(path: pipe.path, errno: errno)
    }
    return pipe
  }

  /// Writes a file and returns its URL; creates missing folders in `name`.
  public func write(_ bytes: [UInt8], to name: String) throws -> URL {
    let target = file(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: target)
    return target
  }

  /// Writes a text file in UTF-8 and returns its URL.
  public func write(_ text: String, to name: String) throws -> URL {
    try write(Array(text.utf8), to: name)
  }
}
