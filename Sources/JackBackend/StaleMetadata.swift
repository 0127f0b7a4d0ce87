// The files of JACK's metadata, when nobody uses them any more.

import Foundation

/// The metadata files of jackd, Berkeley DB's, which every client maps when it opens.
///
/// All servers of a user share them. A server or a client that was killed may leave them
/// half-written or locked, and then libdb ends every later client with a bus error or lets it wait
/// for ever. So what no process has mapped is removed before a client opens: the next one makes the
/// files anew. But not while a server is there, which maps them as soon as it has started: it makes
/// them one by one, and whoever made them anew meanwhile would cut those that it has, or have it
/// end.
enum StaleMetadata {
  /// jackd fixes this when it is built; Debian's is built so.
  private static var directory: String { "/dev/shm/jack_db-\(getuid())" }

  /// Serialises the clients of this process. A client of another process that opens at this very
  /// moment is not seen before it has mapped the files; then it has the old ones, or finds none.
  private static let lock = NSLock()

  /// Removes the files if there are any, and no server that would use them is there, nor any
  /// process of this user that has them mapped.
  /// - Thread: [control]
  static func remove() {
    lock.withLock {
      let manager = FileManager.default
      guard let names = try? manager.contentsOfDirectory(atPath: directory), !names.isEmpty,
        !isUsed(Set(names.compactMap { identity(of: "\(directory)/\($0)") }))
      else { return }
      try? manager.removeItem(atPath: directory)
    }
  }

  /// The inode of a file, as text. Paths do not tell: `/dev/shm` may be another one for a process
  /// in a container.
  private static func identity(of path: String) -> Substring? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Substring("\(status.st_ino)")
  }

  /// Whether any process that we may look into is a server, or maps one of these inodes as JACK's
  /// metadata.
  private static func isUsed(_ inodes: Set<Substring>) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      Int(process) != nil && (isServer(process) || maps(ofProcess: process, anyOf: inodes))
    }
  }

  /// Whether a process is a server of this user, with the same shared memory as ours.
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
    // What has ended but is not waited for has no root any more.
    return stat("/proc/\(process)", &owner) == 0 && owner.st_uid == getuid()
      && stat("/dev/shm", &ours) == 0 && stat("/proc/\(process)/root/dev/shm", &its) == 0
      && ours.st_dev == its.st_dev
  }

  /// Not by Foundation's way to read a file: it leaks its buffer where reading fails, as it does
  /// for processes that are just ending.
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
