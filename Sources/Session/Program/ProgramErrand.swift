// What a program has done on the thread that runs its session.

import SessionModel
import Synchronization

/// Something to be done with a session; who waits for it hears of it once.
final class ProgramErrand: Sendable {
  typealias Answer = @Sendable (Result<Void, any Error>) -> Void
  typealias Work = @Sendable (JackSession, @escaping Answer) -> Void

  private let work: Work
  private let answer: Mutex<Answer?>

  init(_ work: @escaping Work, _ answer: @escaping Answer) {
    self.work = work
    self.answer = Mutex(answer)
  }

  /// One that nobody has carried out was refused.
  deinit { finish(.failure(SessionCommandError("the session ends"))) }

  func carryOut(in session: JackSession) { work(session) { [self] in finish($0) } }

  private func finish(_ result: Result<Void, any Error>) {
    answer.withLock { $0.take() }?(result)
  }
}

extension SessionEditor {
  /// Has something done on the thread that runs the session.
  ///
  /// - Throws: what `work` answers; also that the session ends.
  func run(_ work: @escaping ProgramErrand.Work) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      send(ProgramErrand(work) { done.resume(with: $0) })
    }
  }
}
