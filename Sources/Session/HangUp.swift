// Meaning of a hang-up signal.

import Glibc
import SessionModel

/// Distinguishes the two causes of SIGHUP: the terminal has gone, or a user wants the session to
/// read its file again.
struct HangUp: Sendable {
  /// Whether the process had a terminal at its start; a service has none.
  private let hadTerminal = Self.hasTerminal

  /// Whether the terminal that the process was started from has gone. The signal can arrive just
  /// before the terminal ends, so this waits for it.
  ///
  /// - Thread: [control]; takes 0.1 s if there was a terminal.
  func isOfTerminal() -> Bool {
    guard hadTerminal else { return false }
    usleep(100_000)
    return !Self.hasTerminal
  }

  /// Whether the process has a terminal that may signal it.
  private static var hasTerminal: Bool {
    let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
