// Running a session with its socket and OSC server.

import Session

extension JackSession {
  /// Serves the session until a signal asks for its end, or `isDone` returns true.
  ///
  /// - Parameters:
  ///   - socket: the source of local commands.
  ///   - osc: the source of commands from the network.
  ///   - isDone: returns whether the session has finished; called twenty times a second.
  /// - Throws: `serverGone` if the server has shut down and the session is not to wait for another;
  ///   `graph` if the units cannot follow a change.
  /// - Thread: [control]
  public func run(
    until signals: SignalStream, commandsFrom socket: SessionSocket? = nil,
    osc: SessionOSC? = nil, isDone: () -> Bool = { false }
  ) async throws(SessionError) {
    let remotes: [(any SessionRemote)?] = [socket, osc]
    try await run(until: signals, remotes: remotes.compactMap(\.self), isDone: isDone)
  }
}
