// Temporary files left by ended processes.

import Glibc

extension TemporaryFile {
  static let namePrefix = ".auricle-"
  static let nameSuffix = ".part"

  /// Removes a folder's temporary files that no process has locked. Files of running processes
  /// stay.
  package static func removeAbandoned(in folder: String) {
    guard let listing = opendir(folder) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(namePrefix), name.hasSuffix(nameSuffix) {
        removeIfAbandoned("\(folder)/\(name)")
      }
    }
  }

  private static func removeIfAbandoned(_ path: String) {
    guard let descriptor = try? FileOpening.open(path, O_RDWR | O_NOFOLLOW) else { return }
    defer { close(descriptor) }
    var status = stat()
    var named = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      // The process that writes it holds the lock.
      flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      // The name may belong to another file by now.
      lstat(path, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev
    else { return }
    unlink(path)
  }
}
