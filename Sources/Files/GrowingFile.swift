// Files that are there from their beginning on.

import Glibc

/// What something is written to, which is made last or let go in the end.
package protocol WrittenFile: AnyObject {
  /// For reading and writing; -1 once it is closed.
  var descriptor: Int32 { get }

  /// Makes the contents last.
  func commit() throws(SystemError)

  /// Ends it without that; nothing after `commit`.
  func discard()
}

extension TemporaryFile: WrittenFile {}

/// A new file that keeps what is written to it, however that ends: it is worth having in parts.
///
/// - Thread: [control], one thread at a time
package final class GrowingFile: WrittenFile {
  package private(set) var descriptor: Int32

  /// - Throws: what keeps it from being made: `EEXIST` where there is something of that name.
  package init(path: String) throws(SystemError) {
    descriptor = try FileOpening.open(path, O_RDWR | O_CREAT | O_EXCL)
  }

  deinit { discard() }

  /// Writes at its end.
  package func append(_ text: String) throws(SystemError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0 && errno != EINTR {
        throw .last
      }
    }
  }

  package func commit() throws(SystemError) {
    defer { discard() }
    guard fsync(descriptor) == 0 else { throw .last }
  }

  package func discard() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
