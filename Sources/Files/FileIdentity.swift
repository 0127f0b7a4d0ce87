// Which file a path leads to, and what room its disk has.

import Glibc

/// A file itself, whatever names and links lead to it.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let node: ino_t

  /// nil if there is no such file.
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
  /// The bytes that a folder's disk has left for this user; nil where the system does not say.
  package static func free(in folder: String) -> Int? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    let bytes = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
    return bytes.overflow ? .max : Int(clamping: bytes.partialValue)
  }
}
