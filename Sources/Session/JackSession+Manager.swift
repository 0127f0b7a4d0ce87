// Requests of a session manager to a session.

import Configuration
import Graph
import SessionModel

extension JackSession {
  /// Whether the session differs from its file: by commands, or by settings of its own.
  package var isDirty: Bool { history.isDirty || store.hasOwnSettings }

  /// Ports, clients and files that the session waits for; nil for none.
  var missing: [String]? {
    let missing = host?.missing ?? ["the JACK server"]
    return missing.isEmpty ? nil : missing
  }

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
