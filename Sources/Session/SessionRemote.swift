// Remote controls of a session.

import SessionModel

/// A remote control of a running session, served on the thread that runs it.
package protocol SessionRemote: AnyObject, Sendable {
  /// Commands, to be executed in their order; nil if it sends none.
  var requests: SessionDoor<SessionRequest>? { get }
  /// Notifications that `serve` has work; nil if it never has any.
  var news: SessionDoor<Void>? { get }
  /// Counts of the remote control, a line each.
  var countLines: [String] { get }
  /// The endpoints at which it listens for OSC, as URLs.
  var places: [String] { get }

  /// Does the pending work.
  func serve(_ session: JackSession)
  /// Checks the session. Called twenty times a second.
  func look(at session: JackSession)
  /// Reports faults. Called once a second.
  func report(to session: JackSession)
  /// Reports the number of faults, when a signal ends the session.
  func reportEnd(to session: JackSession)
  /// Returns the reason why no unit may have an id; nil for a permitted id.
  func refusal(ofUnit id: String) -> String?
  /// Closes the remote control.
  /// - Thread: [control]
  func close()
}

extension SessionRemote {
  package var requests: SessionDoor<SessionRequest>? { nil }
  package var news: SessionDoor<Void>? { nil }
  package var countLines: [String] { [] }
  package var places: [String] { [] }

  package func serve(_ session: JackSession) {}
  package func look(at session: JackSession) {}
  package func report(to session: JackSession) {}
  package func reportEnd(to session: JackSession) {}
  package func refusal(ofUnit id: String) -> String? { nil }
  package func close() {}
}
