// Whether a file was written since somebody looked.

import Glibc

/// What changes when a file is written, or another takes its name.
package struct FileStamp: Hashable, Sendable {
  private let device: dev_t
  private let node: ino_t
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if there is no such file.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    node = status.st_ino
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
