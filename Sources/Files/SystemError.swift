// Errors of system calls.

import Glibc

/// An error of a system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  package var description: String {
    switch number {
    case Self.notRegular.number: "it is no regular file"
    case ETIMEDOUT:
      "nothing came from it in time; accepted: a regular file on a disk that answers, or a pipe that "
        + "is written to"
    case ECANCELED: "nobody waits for it any more"
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "its permissions do not allow that"
    case EISDIR: "it is a folder"
    case ENOTDIR: "a part of its path is no folder"
    case ENOSPC: "the disk is full"
    case EDQUOT: "your share of the disk is full"
    case EROFS: "the disk cannot be written to"
    case EIO: "the disk has a fault"
    case EMFILE, ENFILE: "too many files are open"
    case ENAMETOOLONG: "its name is too long"
    default: String(cString: strerror(number))
    }
  }

  /// The error for a pipe, a device or a socket in place of a file; not a number of the system's.
  package static let notRegular = SystemError(number: -1)

  package static var last: SystemError { SystemError(number: errno) }

  /// Whether the disk, or the user's quota, is full.
  package var isFullDisk: Bool { number == ENOSPC || number == EDQUOT }
}
