// A project that is ready to be played.

import Session
import SessionModel
import Synchronization

/// A session made of a project, on its way to the task that runs it; nobody else has the plan.
package final class NSMOpening: @unchecked Sendable {
  package let project: NSMProject
  package let plan: SessionPlan
  package let recovery: SessionRecovery
  private let answered = Mutex(false)
  private let link: NSMLink

  init(_ project: NSMProject, _ plan: SessionPlan, _ recovery: SessionRecovery, _ link: NSMLink) {
    (self.project, self.plan, self.recovery, self.link) = (project, plan, recovery, link)
  }

  /// Whether it has come to its end, well or not.
  package var isAnswered: Bool { answered.withLock { $0 } }

  /// - Returns: whether nobody has answered before.
  func answer(_ message: NSMClientMessage) -> Bool {
    let isFirst = answered.withLock { isAnswered in
      defer { isAnswered = true }
      return !isAnswered
    }
    if isFirst { link.send(message) }
    return isFirst
  }
}
