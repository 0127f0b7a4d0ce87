// The only functions that open files.

import Glibc

/// The only way to open files and folders, for reading and writing, as `scripts/lint_files.py`
/// checks.
package enum FileOpening {
  /// Opens a file at once, without waiting for the other end of a pipe.
  ///
  /// - Parameters:
  ///   - flags: as for `open`; flags against blocking and inheritance by child processes are added.
  ///   - mode: permissions of a new file.
  /// - Thread: [any]
  package static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o666
  ) throws(SystemError) -> Int32 {
    while true {
      let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR else { throw .last }
    }
  }
}
