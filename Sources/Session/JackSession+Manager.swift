// What a session manager asks of a session.

import Configuration
import Graph
import SessionModel

extension JackSession {
  /// Whether commands have changed the session since it was saved or started.
  package var isDirty: Bool { history.isDirty }

  /// What tells this session from others in a list of clients that are all called Auricle: the name
  /// that somebody has given it, or what its units are.
  package var label: String {
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
    let mistakes = host?.mistakes(in: next.wishes, asClient: name) ?? []
    guard let first = mistakes.first else { return }
    throw .configuration(ConfigurationError(first, others: Array(mistakes.dropFirst())))
  }
}
