// By whom others reach a session.

import SessionModel

/// A way by which others reach a session while it runs, on the thread that runs it.
package protocol SessionRemote: AnyObject, Sendable {
  /// Commands, to be carried out in their order; nil where none come so.
  var requests: SessionDoor<SessionRequest>? { get }
  /// That there is something to serve; nil where there never is.
  var news: SessionDoor<Void>? { get }
  /// What it counted, a line each.
  var countLines: [String] { get }

  /// Does what there is to do.
  func serve(_ session: JackSession)
  /// Looks at the session. Called twenty times a second.
  func look(at session: JackSession)
  /// Says what went wrong. Called once a second.
  func report(to session: JackSession)
  /// Says how much went wrong: a signal ends the session.
  func reportEnd(to session: JackSession)
  /// Why no unit may have an id; nil for one that may be.
  func refusal(ofUnit id: String) -> String?
  /// Ends it.
  /// - Thread: [control]
  func close()
}

extension SessionRemote {
  package var requests: SessionDoor<SessionRequest>? { nil }
  package var news: SessionDoor<Void>? { nil }
  package var countLines: [String] { [] }

  package func serve(_ session: JackSession) {}
  package func look(at session: JackSession) {}
  package func report(to session: JackSession) {}
  package func reportEnd(to session: JackSession) {}
  package func refusal(ofUnit id: String) -> String? { nil }
  package func close() {}
}
