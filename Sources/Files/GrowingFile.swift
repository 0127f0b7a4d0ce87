// Files that exist under their final name from the start.

import Glibc

/// A file being written, to be committed or discarded at the end.
package protocol WrittenFile: AnyObject {
  /// The descriptor for reading and writing; -1 once closed.
  var descriptor: Int32 { get }

  /// Makes the contents durable.
  func commit() throws(SystemError)

  /// Ends writing without that. No effect after `commit`.
  func discard()
}

extension TemporaryFile: WrittenFile {}

/// A new file that keeps its contents in any case, because parts of it are useful.
///
/// - Thread: [control], one thread at a time
package final class GrowingFile: WrittenFile {
  package private(set) var descriptor: Int32

  /// - Throws: the error of creating it: `EEXIST` if the name is taken.
  package init(path: String) throws(SystemError) {
    descriptor = try FileOpening.open(path, O_RDWR | O_CREAT | O_EXCL)
  }

  deinit { discard() }

  /// Writes at the current end.
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
