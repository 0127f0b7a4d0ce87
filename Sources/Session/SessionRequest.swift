// A command on its way.

import SessionModel

/// A command and who waits for what becomes of it.
package struct SessionRequest: Sendable {
  let command: SessionCommand
  /// Called once, on any thread.
  let answer: @Sendable (Result<SessionAnswer, SessionCommandError>) -> Void
  /// Called for each change that is watched, on any thread.
  let tell: @Sendable (ParameterReading) -> Void
  /// Has something done once nobody wants to hear of changes any more, or of others: a watch ends
  /// the one before.
  let whenGone: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  /// Has something done if whoever asks goes before the answer.
  let whenAbandoned: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  /// Whose it is.
  let author: ChangeAuthor
  /// Whether the log may have a line of each that is refused.
  let isLogged: Bool

  package init(
    command: SessionCommand,
    answer: @escaping @Sendable (Result<SessionAnswer, SessionCommandError>) -> Void,
    tell: @escaping @Sendable (ParameterReading) -> Void = { _ in },
    whenGone: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void = { _ in },
    whenAbandoned: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void = { _ in },
    author: ChangeAuthor = ChangeAuthor(.ctl), isLogged: Bool = true
  ) {
    (self.command, self.answer, self.tell) = (command, answer, tell)
    (self.whenGone, self.whenAbandoned) = (whenGone, whenAbandoned)
    (self.author, self.isLogged) = (author, isLogged)
  }
}
