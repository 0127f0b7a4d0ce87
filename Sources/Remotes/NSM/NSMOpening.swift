// A project that is ready to play.

import Session
import SessionModel
import Synchronization

/// A session built for a project, handed to the task that runs it. Only this object has the plan.
package final class NSMOpening: @unchecked Sendable {
  package let project: NSMProject
  package let plan: SessionPlan
  package let recovery: SessionRecovery
  private let answered = Mutex(false)
  private let link: NSMLink

  init(_ project: NSMProject, _ plan: SessionPlan, _ recovery: SessionRecovery, _ link: NSMLink) {
    (self.project, self.plan, self.recovery, self.link) = (project, plan, recovery, link)
  }

  /// Whether the server has been answered, with success or an error.
  package var isAnswered: Bool { answered.withLock { $0 } }

  /// - Returns: whether it is the first answer.
  func answer(_ message: NSMClientMessage) -> Bool {
    let isFirst = answered.withLock { isAnswered in
      defer { isAnswered = true }
      return !isAnswered
    }
    if isFirst { link.send(message) }
    return isFirst
  }
}
