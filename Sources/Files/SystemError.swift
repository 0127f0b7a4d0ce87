// What the system said about a file.

import Glibc

/// An error of a system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  package var description: String { String(cString: strerror(number)) }

  package static var last: SystemError { SystemError(number: errno) }

  /// Whether the disk, or the user's share of it, is full.
  package var isFullDisk: Bool { number == ENOSPC || number == EDQUOT }
}
