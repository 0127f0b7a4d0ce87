// Files that are there whole or not at all.

import Glibc

/// A file that is written under a hidden name beside its target, and takes the target's name when
/// it is whole: whoever looks, at any time and after a crash, finds the old contents or the new
/// ones.
///
/// It is locked (`flock`) while it is open. A lock ends with its process, however that ends, so
/// that `removeAbandoned(in:)` knows what a dead one left behind.
///
/// - Thread: [control], one thread at a time
package final class TemporaryFile {
  /// For reading and writing; closed by `commit` and `discard`.
  package private(set) var descriptor: Int32
  package let path: String
  package let targetPath: String
  private let overwrites: Bool

  /// Makes an empty file beside a target and removes what dead processes left there.
  ///
  /// - Parameter overwrites: whether a former file may be replaced.
  /// - Throws: what keeps the target from being written: its name is too long, its folder is
  ///   missing or not writable, it is write-protected, or it is a folder (`EISDIR`) or a device
  ///   (`EINVAL`); `EEXIST` for a former file that stays.
  package init(for targetPath: String, overwrites: Bool = true) throws(SystemError) {
    var status = stat()
    let exists = stat(targetPath, &status) == 0
    guard exists || errno == ENOENT else { throw .last }
    if exists {
      let kind = status.st_mode & S_IFMT
      guard kind == S_IFREG else { throw SystemError(number: kind == S_IFDIR ? EISDIR : EINVAL) }
      guard overwrites else { throw SystemError(number: EEXIST) }
      // A rename would not ask.
      guard access(targetPath, W_OK) == 0 else { throw .last }
    }
    let folder = Self.folder(of: targetPath)
    Self.removeAbandoned(in: folder)
    (descriptor, path) = try Self.create(in: folder)
    self.targetPath = targetPath
    self.overwrites = overwrites
    if exists { fchmod(descriptor, status.st_mode & 0o777) }
  }

  deinit { discard() }

  /// Makes the contents last and gives them the target's name.
  ///
  /// - Throws: what the system said; the file is gone then, and a former one is as it was.
  package func commit() throws(SystemError) {
    guard fsync(descriptor) == 0, takesName() else {
      let error = SystemError.last
      discard()
      throw error
    }
    close(descriptor)
    descriptor = -1
    try Self.synchronize(folder: Self.folder(of: targetPath))
  }

  /// A former file may have come since the beginning.
  private func takesName() -> Bool {
    if overwrites { return rename(path, targetPath) == 0 }
    if link(path, targetPath) == 0 { return unlink(path) == 0 }
    // Some file systems, such as FAT, give a file one name.
    guard errno == EPERM || errno == EOPNOTSUPP else { return false }
    if access(targetPath, F_OK) == 0 {
      errno = EEXIST
      return false
    }
    return rename(path, targetPath) == 0
  }

  /// Removes the file; nothing after `commit`.
  package func discard() {
    guard descriptor >= 0 else { return }
    unlink(path)
    close(descriptor)
    descriptor = -1
  }

  /// Makes a folder's entries last: a rename is only as lasting as its folder.
  package static func synchronize(folder: String) throws(SystemError) {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try FileOpening.open(folder, O_RDONLY | O_DIRECTORY)
    } catch {
      // A folder that may be written but not listed cannot be opened.
      guard error.number == EACCES else { throw error }
      return
    }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A new file that is ours by its lock.
  private static func create(in folder: String) throws(SystemError) -> (Int32, String) {
    while true {
      let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
      let path = "\(folder)/\(namePrefix)\(getpid())-\(random)\(nameSuffix)"
      let descriptor: Int32
      do throws(SystemError) {
        descriptor = try FileOpening.open(path, O_RDWR | O_CREAT | O_EXCL)
      } catch {
        guard error.number == EEXIST else { throw error }
        continue
      }
      // Without locks on this file system nobody can take the file for abandoned either.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      // Before it was locked, another process may have removed it as abandoned.
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (descriptor, path) }
      close(descriptor)
    }
  }
}
