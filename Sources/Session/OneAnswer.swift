// An answer that is given once.

import SessionModel
import Synchronization

/// Answers once, from any thread. If nobody answers, the answer is the error that the session ends.
final class OneAnswer<Value: Sendable>: Sendable {
  typealias Body = @Sendable (Result<Value, any Error>) -> Void

  private let body: Mutex<Body?>

  init(_ body: @escaping Body) { self.body = Mutex(body) }

  deinit { give(.failure(SessionCommandError("the session ends"))) }

  var isGiven: Bool { body.withLock { $0 == nil } }

  func give(_ result: Result<Value, any Error>) { body.withLock { $0.take() }?(result) }
}
