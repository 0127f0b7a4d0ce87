// Requests of a session manager to a session.

import Configuration
import Graph
import SessionModel

extension JackSession {
  /// Whether commands have changed the session since it was saved or started.
  package var isDirty: Bool { history.isDirty }

  /// Name of this session in a list of clients called Auricle: the client name given by the user,
  /// or the ids of its units.
  package var label: String {
    let name = store.origin.configuration.clientName?.value
    if let name, name != SessionConfiguration.defaultClientName { return name }
    return plan.graph.nodes.map(\.id).joined(separator: ", ")
  }

  /// Checks another session, as far as possible, before this one ends for it.
  ///
  /// - Parameter name: the client name of the other session.
  /// - Throws: `graph`, `configuration`.
  /// - Thread: [control]
  package func check(_ next: SessionPlan, as name: String) throws(SessionError) {
    try wrap(SessionError.graph) { () throws(GraphError) in try next.graph.check() }
    if let host, let error = ConfigurationError(host.mistakes(in: next.requests, asClient: name)) {
      throw .configuration(error)
    }
  }
}
