// What renders an engine's graph.

import Session

/// A session over JACK, or one without a clock.
enum EngineHost: Sendable {
  case jack(ProgramSession)
  case offline(LentSession)

  var program: ProgramSession? {
    if case .jack(let session) = self { session } else { nil }
  }

  var offline: OfflineSession? {
    if case .offline(let lent) = self { lent.session } else { nil }
  }
}

/// A session that is used under its engine's lock alone.
struct LentSession: @unchecked Sendable {
  let session: OfflineSession
}
