// Between a session that runs and its session manager.

import Configuration
import Session
import SessionModel
import Synchronization

/// Takes a session manager's wishes to a session, and tells it how the session is: one for each
/// time that a session runs.
package final class NSMBridge: SessionRemote {
  private struct ReportedState {
    var isDirty: Bool?
    var label: String?
  }

  package let requests: SessionDoor<SessionRequest>? = SessionDoor()
  private let link: NSMLink
  private let told = Mutex(ReportedState())

  init(_ link: NSMLink) { self.link = link }

  /// Has the session saved, and the server told when it is.
  /// - Thread: [any]
  func save() {
    requests?.post(
      SessionRequest(
        command: .save(file: nil),
        answer: { [self] result in
          switch result {
          case .success(.saved(let reading)):
            // Before the server goes on to another project.
            tell(isDirty: false)
            link.send(.reply(.save, "saved \(printable(reading.file, 1000))"))
          case .success: link.send(.reply(.save, "saved"))
          case .failure(let error): link.send(.error(.save, NSMFailure(.general, "\(error)")))
          }
        }, author: ChangeAuthor(.nsm)))
  }

  package func look(at session: JackSession) {
    tell(isDirty: session.isDirty)
    tell(label: session.label)
  }

  /// Tells whether there is something to be saved, unless that was told last.
  /// - Thread: [any]
  func tell(isDirty: Bool) {
    told.withLock { told in
      if told.isDirty != isDirty { link.send(.isDirty(isDirty)) }
      told.isDirty = isDirty
    }
  }

  /// Tells what the session is, unless that was told last.
  /// - Thread: [any]
  func tell(label: String) {
    told.withLock { told in
      if told.label != label { link.send(.label(label)) }
      told.label = label
    }
  }
}
