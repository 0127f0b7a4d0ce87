// The server of a running session, and the ports of others that come and go there.

import JackBackend

/// What has come since the outside connections were last looked at.
struct PortArrivals {
  /// Ports that came, by their full names.
  var ports: Set<String> = []
  /// Whether they are going to be looked at.
  var isAnnounced = false
  /// Whether some were looked at, and others that belong to them may follow.
  var isUnsettled = false
}

extension SessionLoop {
  /// - Throws: `serverGone`, `graph`.
  func take(_ notice: JackNotice) throws(SessionError) {
    switch notice {
    case .portRegistered(let port):
      // Our own ports came before the first connection.
      guard let connection = session.connection,
        !port.hasPrefix(connection.client.name + ":")
      else { return }
      connection.outside.forget(port: port)
      arrivals.ports.insert(port)
      announce()
    case .connected: announce()
    case .shutdown(let reason):
      // The client before may tell it more than once.
      guard session.host != nil else { return }
      notices?.cancel()
      try session.leave(reason)
      arrivals = PortArrivals()
      waiting = ServerWait()
      sources.later(.reconnect, after: .milliseconds(waiting.milliseconds))
    default: try session.handle(notice)
    }
  }

  /// A client's ports come one after the other, and so do connections: they are looked at together.
  private func announce() {
    if !arrivals.isAnnounced { sources.later(.settle, after: .milliseconds(5)) }
    arrivals.isAnnounced = true
  }

  /// Looks at what has come.
  func settle() {
    let ports = arrivals.ports
    arrivals = PortArrivals(isUnsettled: arrivals.isUnsettled || !ports.isEmpty)
    if !ports.isEmpty { session.connectOutside(isSettled: false) }
    session.memory.note(arrived: ports, at: session.time.now)
    session.remember(mayForget: false)
    session.tellNewControls()
  }

  /// Connects what waited for the last ports of a client, once no more have come.
  func connectLateArrivals() {
    guard arrivals.isUnsettled, !arrivals.isAnnounced else { return }
    arrivals.isUnsettled = false
    session.connectOutside(isSettled: true)
  }

  /// - Throws: `graph`, when the units cannot play at the server's sample rate.
  func reconnect() throws(SessionError) {
    guard try session.reconnect(&waiting) else {
      return sources.later(.reconnect, after: .milliseconds(waiting.milliseconds))
    }
    arrivals.isUnsettled = true
    notices = sources.following(session.connection?.backend.notices) { .notice($0) }
  }
}
