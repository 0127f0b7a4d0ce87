// Removing unused files of JACK's metadata.

import FoundationEssentials
import Glibc
import Synchronization

/// jackd's metadata files, made by Berkeley DB, which every client maps when it opens.
///
/// All servers of a user share them. A killed server or client may leave them half-written or
/// locked. Then libdb ends every later client with a bus error, or blocks it for ever. So files
/// that no process has mapped are removed before a client opens; the next one makes new files. They
/// stay while a server is running: it makes and maps them one by one when it has started. Making
/// new files meanwhile would truncate those it has, or end it.
enum StaleMetadata {
  /// The folder, fixed when jackd is built; this is Debian's.
  private static var directory: String { "/dev/shm/jack_db-\(getuid())" }

  /// Serialises the clients of this process. A client of another process that is just opening is
  /// not noticed before it has mapped the files. It then has the old ones, or finds none.
  private static let lock = Mutex<Void>(())

  /// Removes the files, unless a server that would use them is running or a process of this user
  /// has them mapped.
  /// - Thread: [control]
  static func remove() {
    lock.withLock { _ in
      let manager = FileManager.default
      guard let names = try? manager.contentsOfDirectory(atPath: directory), !names.isEmpty,
        !isUsed(Set(names.compactMap { identity(of: "\(directory)/\($0)") }))
      else { return }
      try? manager.removeItem(atPath: directory)
    }
  }

  /// Returns the inode of a file, as text. Paths do not identify it: a process in a container may
  /// have a different `/dev/shm`.
  private static func identity(of path: String) -> Substring? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Substring("\(status.st_ino)")
  }

  /// Whether any process that we may inspect is a server, or maps one of these inodes as JACK's
  /// metadata.
  private static func isUsed(_ inodes: Set<Substring>) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      Int(process) != nil && (isServer(process) || maps(ofProcess: process, anyOf: inodes))
    }
  }

  /// Whether a process is a server of this user, with the same shared memory.
  private static func isServer(_ process: String) -> Bool {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = path.withUnsafeMutableBytes {
      readlink(
        "/proc/\(process)/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    let program = String(decoding: path.prefix(max(0, length)), as: UTF8.self)
    guard ["jackd", "jackdbus"].contains(program.split(separator: "/").last) else { return false }
    var owner = stat()
    var ours = stat()
    var its = stat()
    // A zombie has no root.
    return stat("/proc/\(process)", &owner) == 0 && owner.st_uid == getuid()
      && stat("/dev/shm", &ours) == 0 && stat("/proc/\(process)/root/dev/shm", &its) == 0
      && ours.st_dev == its.st_dev
  }

  /// Whether a process maps one of these inodes. Avoids Foundation's reader, which leaks its buffer
  /// if reading fails, as for an ending process.
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
