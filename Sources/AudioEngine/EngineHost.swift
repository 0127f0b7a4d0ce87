// Sessions that render an engine's graph.

import OfflineHost
import Session
import SessionModel
import Synchronization

/// A session over JACK or offline.
enum EngineHost: Sendable {
  case jack(ProgramSession)
  case offline(LentSession)

  var program: ProgramSession? {
    if case .jack(let session) = self { session } else { nil }
  }
}

/// An offline session, used by one thread at a time.
final class LentSession: @unchecked Sendable {
  private let session: OfflineSession
  private let isInUse = Mutex(())
  private let lastFrame: Atomic<Int64>

  init(session: OfflineSession) {
    self.session = session
    lastFrame = Atomic(session.frame)
  }

  /// The frame time at the last cycle's end.
  var frame: Int64 { lastFrame.load(ordering: .acquiring) }

  func render(_ frames: Int, input: [[Float]]) -> [[Float]] {
    isInUse.withLock { _ in
      defer { lastFrame.store(session.frame, ordering: .releasing) }
      return session.render(frames, input: input)
    }
  }

  func follow(_ structure: ProgramStructure) throws {
    try isInUse.withLock { _ in try session.follow(structure) }
  }
}
