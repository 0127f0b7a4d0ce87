// Identities of files, and free disk space.

import Glibc

/// A file's identity, independent of names and links.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let node: ino_t

  /// Finds the file that a path leads to; nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = status.st_dev
    node = status.st_ino
  }
}

package enum DiskSpace {
  /// Returns the free space of a folder's disk for this user, in bytes; nil if the system does not
  /// say.
  package static func free(in folder: String) -> Int? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    let bytes = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
    return bytes.overflow ? .max : Int(clamping: bytes.partialValue)
  }
}
