// A session that others reach.

import Session

extension JackSession {
  /// Serves the session until a signal asks for its end, or it is done.
  ///
  /// - Parameters:
  ///   - socket: where commands to the session come from.
  ///   - osc: where those of the network come from.
  ///   - isDone: asked twenty times a second whether the session has come to its end.
  /// - Throws: `serverGone` when the server has shut down and the session is not to wait for
  ///   another, `graph` when the units cannot follow a change.
  /// - Thread: [control]
  public func run(
    until signals: SignalStream, commandsFrom socket: SessionSocket? = nil,
    osc: SessionOSC? = nil, isDone: () -> Bool = { false }
  ) async throws(SessionError) {
    let remotes: [(any SessionRemote)?] = [socket, osc]
    try await run(until: signals, remotes: remotes.compactMap(\.self), isDone: isDone)
  }
}
