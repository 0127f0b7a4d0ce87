// Time limits for files that are not regular.

import Glibc

/// Limits of waiting for a file that is not regular: a pipe delivers whenever its writer writes.
package struct FileWait: Sendable {
  /// The current task's limits.
  @TaskLocal package static var current = FileWait()

  /// The longest wait for a file in total.
  package var limit: Duration
  /// The wait before a message is sent.
  package var patience: Duration
  /// The receiver of messages: the file waited for, or that waiting was given up.
  package var notify: @Sendable (String) -> Void
  /// Whether the file is no longer needed; called twenty times a second.
  package var isAbandoned: @Sendable () -> Bool

  package init(
    limit: Duration = .seconds(30), patience: Duration = .seconds(1),
    notify: @escaping @Sendable (String) -> Void = { _ in },
    isAbandoned: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.limit, self.patience) = (limit, patience)
    (self.notify, self.isAbandoned) = (notify, isAbandoned)
  }
}

/// The wait for one file.
struct FileWaiting {
  private static let slice = Duration.milliseconds(50)

  private let path: String
  private let wait: FileWait
  private var waited = Duration.zero
  private var hasNotified = false

  init(_ path: String, _ wait: FileWait = .current) { (self.path, self.wait) = (path, wait) }

  /// Restarts the limit, for a stream whose parts arrive at any time.
  mutating func renew() { waited = .zero }

  /// Waits for data or the end of the file.
  ///
  /// - Parameter reader: the descriptor to which the data is forwarded; -1 for none.
  /// - Throws: `ETIMEDOUT` after the limit, `ECANCELED` if the file is no longer needed, `EPIPE` if
  ///   the reader has closed its end.
  mutating func untilReadable(
    _ descriptor: Int32, for reader: Int32 = -1
  ) throws(SystemError) {
    let start = ContinuousClock.now - waited
    defer { waited = ContinuousClock.now - start }
    while true {
      let rest = start + wait.limit - ContinuousClock.now
      var polled = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reader, events: 0, revents: 0),
      ]
      let milliseconds = (min(max(.zero, rest), Self.slice) / .milliseconds(1)).rounded(.up)
      guard poll(&polled, 2, Int32(milliseconds)) >= 0 || errno == EINTR else { throw .last }
      if polled[1].revents != 0 { throw SystemError(number: EPIPE) }
      if polled[0].revents != 0 { return }
      if wait.isAbandoned() {
        wait.notify("\(path) is waited for no longer: whoever wanted it has gone")
        throw SystemError(number: ECANCELED)
      }
      if !hasNotified, ContinuousClock.now - start >= wait.patience {
        hasNotified = true
        wait.notify(
          "waiting for \(path), which is no regular file: nothing comes from it; given up after "
            + "\(wait.limit / .seconds(1)) s")
      }
      if rest <= .zero { throw SystemError(number: ETIMEDOUT) }
    }
  }
}
