// Reports that a session is ready.

import Logging
import Platform

/// Prints a session's ready line, and sends it to the service manager if one waits for it.
///
/// - Throws: an error of standard output. A reader that closes the log early must not end the
///   sound: it is ignored.
/// - Thread: [control]
func reportReady(_ line: String, _ log: Logger) throws(CommandFailure) {
  try StandardOutput.write(line)
  guard let manager = ServiceNotification.current else { return }
  if !manager.ready(status: harmless(line, isOneLine: true)) {
    log.warning("the service manager at NOTIFY_SOCKET does not learn that the session is ready")
  }
}
