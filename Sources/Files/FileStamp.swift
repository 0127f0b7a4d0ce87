// Detection of changed files.

import Glibc

/// Properties that differ after a file is written or replaced.
package struct FileStamp: Hashable, Sendable {
  private let identity: FileIdentity
  private let size: Int
  /// Time of the last write, in seconds since 1970.
  let seconds: Int
  private let nanoseconds: Int
  package let isRegular: Bool

  /// Reads the stamp of a file; nil if there is none at `path`.
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
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}
