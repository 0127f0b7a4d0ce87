// The state of a server, on its event loop.

import ControlSocket
import NIOCore

/// The state that the connections of a server share. Used on the event loop only.
final class ServerState {
  let limits: WebLimits
  let folder: ControlFolder
  var gate: RequestGate
  /// The number of open connections.
  var connectionCount = 0
  /// The number of open WebSockets.
  var browserCount = 0
  /// The number of WebSockets so far.
  var browserNumber = 0
  /// The bridges of open WebSockets.
  var bridges: [ObjectIdentifier: Bridge] = [:]
  let sessions: RunningSessions
  /// The access of connections that are becoming WebSockets.
  var upgrades: [ObjectIdentifier: Access] = [:]

  init(_ gate: RequestGate, limits: WebLimits, folder: ControlFolder) {
    (self.gate, self.limits, self.folder) = (gate, limits, folder)
    sessions = RunningSessions(folder)
    sessions.changed = { [weak self] in
      for bridge in self?.bridges.values ?? [:].values { bridge.reportSessions() }
    }
  }
}
