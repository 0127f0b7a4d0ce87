// Somebody waits, and hears once.

import SessionModel
import Synchronization

/// Answers once, from any thread; whoever waits hears that the session ends where nobody answers.
final class OneAnswer<Value: Sendable>: Sendable {
  typealias Body = @Sendable (Result<Value, any Error>) -> Void

  private let body: Mutex<Body?>

  init(_ body: @escaping Body) { self.body = Mutex(body) }

  deinit { give(.failure(SessionCommandError("the session ends"))) }

  var isGiven: Bool { body.withLock { $0 == nil } }

  func give(_ result: Result<Value, any Error>) { body.withLock { $0.take() }?(result) }
}
