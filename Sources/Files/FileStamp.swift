// Whether a file was written since somebody looked.

import Glibc

/// What changes when a file is written, or another takes its name.
package struct FileStamp: Hashable, Sendable {
  private let identity: FileIdentity
  private let size: Int
  /// When it was written, in seconds since 1970.
  let seconds: Int
  private let nanoseconds: Int

  /// Nil if there is no such file.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
