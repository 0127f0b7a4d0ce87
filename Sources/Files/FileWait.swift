// How long a file may keep those waiting who read it.

import Glibc

/// The patience with what is no regular file: a pipe has what somebody writes, whenever that is.
package struct FileWait: Sendable {
  /// That of what runs now.
  @TaskLocal package static var current = FileWait()

  /// How long a file is waited for in all.
  package var limit: Duration
  /// How long it is waited for before that is told.
  package var patience: Duration
  /// Takes a line: what is waited for, or that it is not any more.
  package var tell: @Sendable (String) -> Void
  /// Whether nobody wants the file any more; asked twenty times a second.
  package var isAbandoned: @Sendable () -> Bool

  package init(
    limit: Duration = .seconds(30), patience: Duration = .seconds(1),
    tell: @escaping @Sendable (String) -> Void = { _ in },
    isAbandoned: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.limit, self.patience) = (limit, patience)
    (self.tell, self.isAbandoned) = (tell, isAbandoned)
  }
}

/// The waiting for one file.
struct FileWaiting {
  private static let slice = Duration.milliseconds(50)

  private let path: String
  private let wait: FileWait
  private var waited = Duration.zero
  private var hasTold = false

  init(_ path: String, _ wait: FileWait = .current) { (self.path, self.wait) = (path, wait) }

  /// Begins anew, for a stream whose parts come when they come.
  mutating func renew() { waited = .zero }

  /// Waits until there is something to read, or the end.
  ///
  /// - Parameter reader: where all is passed on to; -1 for nowhere.
  /// - Throws: `ETIMEDOUT` when the time is up, `ECANCELED` when nobody wants it any more, `EPIPE`
  ///   when the reader has gone.
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
        wait.tell("\(path) is waited for no longer: whoever wanted it has gone")
        throw SystemError(number: ECANCELED)
      }
      if !hasTold, ContinuousClock.now - start >= wait.patience {
        hasTold = true
        wait.tell(
          "waiting for \(path), which is no regular file: nothing comes from it; given up after "
            + "\(wait.limit / .seconds(1)) s")
      }
      if rest <= .zero { throw SystemError(number: ETIMEDOUT) }
    }
  }
}
