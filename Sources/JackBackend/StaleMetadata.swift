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
      guard Int(process) != nil,
        let maps = try? String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
      else { return false }
      return maps.split(separator: "\n").contains { line in
        guard line.contains("/jack_db-") else { return false }
        // address, permissions, offset, device, inode, path
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        return fields.count > 4 && inodes.contains(fields[4])
      }
    }
  }
}
