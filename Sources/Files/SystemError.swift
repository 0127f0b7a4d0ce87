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
    default: String(cString: strerror(number))
    }
  }

  /// The error for a pipe, a device or a socket in place of a file; not a number of the system's.
  package static let notRegular = SystemError(number: -1)

  package static var last: SystemError { SystemError(number: errno) }

  /// Whether the disk, or the user's quota, is full.
  package var isFullDisk: Bool { number == ENOSPC || number == EDQUOT }
}
