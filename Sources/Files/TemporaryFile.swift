// Files that are replaced as a whole.

import Glibc

/// A file that is written under a hidden name in its target's folder, and renamed to the target
/// when complete. Readers find either the old or the new contents, at any time and after a crash.
///
/// It is locked (`flock`) while it is open. The lock ends with its process in any case, so
/// `removeAbandoned(in:)` recognises abandoned files.
///
/// - Thread: [control], one thread at a time
package final class TemporaryFile {
  /// The descriptor for reading and writing; closed by `commit` and `discard`.
  package private(set) var descriptor: Int32
  package let path: String
  package let targetPath: String
  private let overwrites: Bool

  /// Creates an empty file in the target's folder, and removes abandoned files there.
  ///
  /// - Parameter overwrites: whether an existing target may be replaced.
  /// - Throws: the reason why the target cannot be written. Its name is too long, its folder is
  ///   missing or not writable, it is write-protected, or it is a folder (`EISDIR`) or a device
  ///   (`EINVAL`). `EEXIST` for a target that must stay.
  package init(for targetPath: String, overwrites: Bool = true) throws(SystemError) {
    var status = stat()
    let exists = stat(targetPath, &status) == 0
    guard exists || errno == ENOENT else { throw .last }
    if exists {
      let kind = status.st_mode & S_IFMT
      guard kind == S_IFREG else { throw SystemError(number: kind == S_IFDIR ? EISDIR : EINVAL) }
      guard overwrites else { throw SystemError(number: EEXIST) }
      // `rename` does not check write permission of the target.
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

  /// Makes the contents durable and renames the file to the target.
  ///
  /// - Throws: the system's error. The file is then removed and an existing target unchanged.
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

  /// Renames the file. A target may have been created since `init`.
  private func takesName() -> Bool {
    if overwrites { return rename(path, targetPath) == 0 }
    if link(path, targetPath) == 0 { return unlink(path) == 0 }
    // Some file systems, such as FAT, do not support hard links.
    guard errno == EPERM || errno == EOPNOTSUPP else { return false }
    if access(targetPath, F_OK) == 0 {
      errno = EEXIST
      return false
    }
    return rename(path, targetPath) == 0
  }

  /// Removes the file. No effect after `commit`.
  package func discard() {
    guard descriptor >= 0 else { return }
    unlink(path)
    close(descriptor)
    descriptor = -1
  }

  /// Makes a folder's entries durable: a rename lasts only once its folder is synchronised.
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

  /// Creates a new file and locks it.
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
      // On a file system without locks, no process can take the file for abandoned either.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      // Before it was locked, another process may have removed it as abandoned.
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (descriptor, path) }
      close(descriptor)
    }
  }
}
