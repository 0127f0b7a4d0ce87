// The connection between a running session and its session manager.

import Configuration
import Session
import SessionModel
import Synchronization

/// Passes a session manager's requests to a session, and reports the session's state to it. Each
/// run of a session has its own bridge.
package final class NSMBridge: SessionRemote {
  private struct ReportedState {
    var isDirty: Bool?
    var label: String?
  }

  package let requests: SessionDoor<SessionRequest>? = SessionDoor()
  private let link: NSMLink
  private let reported = Mutex(ReportedState())

  init(_ link: NSMLink) { self.link = link }

  /// Saves the session, and replies to the server once it is saved.
  /// - Thread: [any]
  func save() {
    requests?.post(
      SessionRequest(
        command: .save(file: nil),
        answer: { [self] result in
          switch result {
          case .success(.saved(let reading)):
            // Sent first: after the reply the server may switch to another project.
            send(isDirty: false)
            link.send(.reply(.save, "saved \(printable(reading.file, 1000))"))
          case .success: link.send(.reply(.save, "saved"))
          case .failure(let error): link.send(.error(.save, NSMFailure(.general, "\(error)")))
          }
        }, author: ChangeAuthor(.nsm)))
  }

  package func look(at session: JackSession) {
    send(isDirty: session.isDirty)
    send(label: session.label)
  }

  /// Reports whether there are unsaved changes, if that differs from the last report.
  /// - Thread: [any]
  func send(isDirty: Bool) {
    reported.withLock { reported in
      if reported.isDirty != isDirty { link.send(.isDirty(isDirty)) }
      reported.isDirty = isDirty
    }
  }

  /// Reports the session's label, if it differs from the last one.
  /// - Thread: [any]
  func send(label: String) {
    reported.withLock { reported in
      if reported.label != label { link.send(.label(label)) }
      reported.label = label
    }
  }
}
