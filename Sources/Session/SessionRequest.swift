// A command sent to a session.

import Configuration
import Logging
import SessionModel

/// A command, with the callbacks of its client.
package struct SessionRequest: Sendable {
  let command: SessionCommand
  /// Called once, on any thread.
  let answer: @Sendable (Result<SessionAnswer, SessionCommandError>) -> Void
  /// Called for each notice of a watch, on any thread.
  let notify: @Sendable (SessionNotice) -> Void
  /// Registers a body to be called once the client wants no more changes, or others: a watch ends
  /// the former one.
  let whenGone: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  /// Registers a body to be called if the client goes before the answer.
  let whenAbandoned: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  /// The keys, pedals and parameters that the client holds; nil for a client that cannot go.
  let held: ClientHold?
  /// Author of the command.
  let author: ChangeAuthor
  /// Whether each refusal may be logged.
  let isLogged: Bool

  package init(
    command: SessionCommand,
    answer: @escaping @Sendable (Result<SessionAnswer, SessionCommandError>) -> Void,
    notify: @escaping @Sendable (SessionNotice) -> Void = { _ in },
    whenGone: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void = { _ in },
    whenAbandoned: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void = { _ in },
    held: ClientHold? = nil, author: ChangeAuthor = ChangeAuthor(.ctl), isLogged: Bool = true
  ) {
    (self.command, self.answer, self.notify) = (command, answer, notify)
    (self.whenGone, self.whenAbandoned, self.held) = (whenGone, whenAbandoned, held)
    (self.author, self.isLogged) = (author, isLogged)
  }
}

extension SessionRequest {
  /// Saves the session, as SIGUSR1 asks for, and logs the result.
  static func save(log: Logger) -> SessionRequest {
    SessionRequest(
      command: .save(file: nil),
      answer: {
        switch $0 {
        case .success(.saved(let reading)):
          log.notice("SIGUSR1: saved \(printable(reading.file, 1000))")
        case .success: log.notice("SIGUSR1: saved")
        case .failure(let error): log.error("SIGUSR1: not saved: \(error)")
        }
      }, author: ChangeAuthor(.program), isLogged: false)
  }
}
