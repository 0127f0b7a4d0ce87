// The one place where files are opened.

import Glibc

/// Opens files and folders, for reading and for writing. Nothing else does, which
/// `scripts/lint_files.py` checks.
package enum FileOpening {
  /// Opens a file at once: a pipe that has no other end yet keeps nobody waiting.
  ///
  /// - Parameters:
  ///   - flags: as for `open`; those that it never waits and that no child process has it are
  ///     added.
  ///   - mode: that of a file that is made.
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
