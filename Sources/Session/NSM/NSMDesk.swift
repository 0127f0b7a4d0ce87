// Between a session that runs and its session manager.

import Configuration
import Graph
import Synchronization

/// Takes a session manager's wishes to a session, and tells it how the session is: one for each
/// time that a session runs.
package final class NSMDesk: Sendable {
  private struct Told {
    var isDirty: Bool?
    var label: String?
  }

  let requests: AsyncStream<SessionRequest>
  private let newRequest: AsyncStream<SessionRequest>.Continuation
  private let link: NSMLink
  private let told = Mutex(Told())

  init(_ link: NSMLink) {
    self.link = link
    (requests, newRequest) = AsyncStream<SessionRequest>.makeStream()
  }

  /// Has the session saved, and the server told when it is.
  /// - Thread: [any]
  func save() {
    newRequest.yield(
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
        }, tell: { _ in }, whenGone: { _ in }, author: ChangeAuthor(.nsm)))
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

extension JackSession {
  /// What tells this session from others in a list of clients that are all called Auricle: the name
  /// that somebody has given it, or what its units are.
  var label: String {
    let name = store.origin.configuration.clientName?.value
    if let name, name != SessionConfiguration.defaultClientName { return name }
    return plan.graph.nodes.map(\.id).joined(separator: ", ")
  }

  /// Checks what can be known of another session before this one ends for it.
  ///
  /// - Parameter name: that of the other one's client.
  /// - Throws: `graph`, `configuration`.
  /// - Thread: [control]
  package func check(_ next: SessionPlan, as name: String) throws(SessionError) {
    try wrap(SessionError.graph) { () throws(GraphError) in try next.graph.check() }
    guard let ports = connection?.client.ports else { return }
    let mistakes = next.wishes.compactMap { mistake(in: $0, ports, own: name + ":") }
    guard let first = mistakes.first else { return }
    throw .configuration(ConfigurationError(first, others: Array(mistakes.dropFirst())))
  }
}
