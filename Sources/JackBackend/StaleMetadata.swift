// The files of JACK's metadata, when nobody uses them any more.

import Foundation

/// The metadata files of jackd, Berkeley DB's, which every client maps when it opens.
///
/// All servers of a user share them. A server or a client that was killed may leave them half-written or
/// locked, and then libdb ends every later client with a bus error or lets it wait for ever. So what no
/// process has mapped is removed before a client opens: the next one makes the files anew.
enum StaleMetadata {
  /// jackd fixes this when it is built; Debian's is built so.
  private static var directory: String { "/dev/shm/jack_db-\(getuid())" }

  /// Serialises the clients of this process. A client of another process that opens at this very moment is
  /// not seen before it has mapped the files; then it has the old ones, or finds none.
  private static let lock = NSLock()

  /// Removes the files if there are any and no process of this user has them mapped.
  /// - Thread: [control]
  static func remove() {
    lock.withLock {
      let manager = FileManager.default
      guard let names = try? manager.contentsOfDirectory(atPath: directory), !names.isEmpty,
        !isMapped(Set(names.compactMap { identity(of: "\(directory)/\($0)") }))
      else { return }
      try? manager.removeItem(atPath: directory)
    }
  }

  /// The inode of a file, as text. Paths do not tell: `/dev/shm` may be another one for a process in a
  /// container.
  private static func identity(of path: String) -> Substring? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Substring("\(status.st_ino)")
  }

  /// Whether any process that we may look into maps one of these inodes as JACK's metadata.
  private static func isMapped(_ inodes: Set<Substring>) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      Int(process) != nil && maps(ofProcess: process, anyOf: inodes)
    }
  }

  /// Not by Foundation's way to read a file: it leaks its buffer where reading fails, as it does for
  /// processes that are just ending.
  private static func maps(ofProcess process: String, anyOf inodes: Set<Substring>) -> Bool {
    guard let file = fopen("/proc/\(process)/maps", "r") else { return false }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let line {
      let text = String(cString: line)
      // address, permissions, offset, device, inode, path
      let fields = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      if text.contains("/jack_db-"), fields.count > 4, inodes.contains(fields[4]) { return true }
    }
    return false
  }
}
