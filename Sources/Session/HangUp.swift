// What a hang-up means.

import Foundation
import SessionModel

/// Tells a terminal that has gone from somebody who asks a session to read its file again: SIGHUP
/// is the word for both.
struct HangUp: Sendable {
  /// Whether there was a terminal in the first place; a service has none.
  private let hadTerminal = Self.hasTerminal

  /// Whether the terminal has gone that the process was started from. The signal may come just
  /// before the end of the terminal: that is waited for.
  ///
  /// - Thread: [control]; takes a tenth of a second where there was a terminal.
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
