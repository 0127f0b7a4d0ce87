// A session that outlives its server.

import SessionModel

/// How a session waits for a server.
struct ServerWait {
  private var attempts = 0

  /// How long until the next attempt. After a minute nobody is waiting in front of the
  /// loudspeakers.
  var milliseconds: Int { attempts < 240 ? 250 : 500 }

  mutating func count() { attempts += 1 }
}

extension JackSession {
  /// The server has gone: what belongs to it goes too.
  ///
  /// - Throws: `serverGone`, when the session is not to wait for another server.
  func leave(_ reason: String) throws(SessionError) {
    reportCounts()
    defer { tellProgram?(self, .serverGone) }
    guard options.reconnects else { throw .serverGone(reason: reason) }
    log.warning("the JACK server has shut down (\(reason)); waiting for it to come back")
    pause()
    hasLostServer = true
  }

  /// Ends the client, so that another one can have its name; `run` then joins the server again.
  ///
  /// - Thread: [control]
  package func pause() {
    finishExchange()
    host?.stop()
    // What is undone meanwhile, and what was connected outside, needs them as they are.
    if host != nil { plan.graph.keepChannels() }
    host = nil
    refuseAgenda()
    history.journal.follow(nil)
    forgetRinging()
    // What units counted goes on; what the server counted begins at 0.
    reported = SessionCounts(units: plan.graph.nodes.map { ($0.id, $0.unit) })
  }

  /// Goes on at a server, if there is one: with the units as they are, and all that was connected.
  ///
  /// - Returns: false while there is none.
  /// - Throws: `graph`, when the units cannot play at its sample rate.
  func reconnect(_ waiting: inout ServerWait) throws(SessionError) -> Bool {
    waiting.count()
    guard let host = try server?.reopen(plan) else { return false }
    self.host = host
    history.journal.follow(clock)
    (lastCycles, lastCycle, isIdle) = (0, time.now, false)
    for node in plan.graph.nodes { node.unit.isRenderingOffline = false }
    didJoin(host)
    toldControls = []
    tellNewControls()
    log.notice("\(hasLostServer ? "the JACK server is back" : "the session goes on"); \(readyLine)")
    hasLostServer = false
    tellProgram?(self, .serverBack(sampleRate: host.serverSampleRate))
    return true
  }
}
