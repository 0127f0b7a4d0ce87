// A session that outlives its server.

import SessionModel

/// Intervals between attempts to reach a server.
struct ServerWait {
  private var attempts = 0

  /// Time until the next attempt. It is longer after a minute, when nobody is waiting in front of
  /// the loudspeakers any more.
  var milliseconds: Int { attempts < 240 ? 250 : 500 }

  mutating func count() { attempts += 1 }
}

extension JackSession {
  /// Releases everything of a server that has gone.
  ///
  /// - Throws: `serverGone` if the session is not to wait for another server.
  func leave(_ reason: String) throws(SessionError) {
    reportCounts()
    defer { notifyProgram?(self, .serverGone) }
    guard options.reconnects else { throw .serverGone(reason: reason) }
    log.warning("the JACK server has shut down (\(reason)); waiting for it to come back")
    pause()
    hasLostServer = true
  }

  /// Ends the client, so that another client can take its name. `run` then joins the server again.
  ///
  /// - Thread: [control]
  package func pause() {
    finishExchange()
    host?.stop()
    // Undo in the meantime and connections outside need the current channels.
    if host != nil { plan.graph.keepChannels() }
    host = nil
    refuseAgenda()
    pendingReleases.removeAll()
    history.journal.follow(nil)
    forgetRinging()
    // Counts of units continue; counts of the server begin at 0.
    reported = SessionCounts(units: plan.graph.nodes.map { ($0.id, $0.unit) })
  }

  /// Resumes at a server, if one is running, with the current units and all connections.
  ///
  /// - Returns: false while none is running.
  /// - Throws: `graph` if the units cannot play at its sample rate.
  func reconnect(_ waiting: inout ServerWait) throws(SessionError) -> Bool {
    waiting.count()
    guard let host = try server?.reopen(plan) else { return false }
    self.host = host
    history.journal.follow(clock)
    (lastCycles, lastCycle, isIdle) = (0, time.now, false)
    for node in plan.graph.nodes { node.unit.isRenderingOffline = false }
    didJoin(host)
    connectedControls = []
    sendToNewControls()
    log.notice("\(hasLostServer ? "the JACK server is back" : "the session goes on"); \(readyLine)")
    hasLostServer = false
    notifyProgram?(self, .serverBack(sampleRate: host.serverSampleRate))
    return true
  }
}
