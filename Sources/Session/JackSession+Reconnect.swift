// A session that outlives its server, and the connections that are made again.

import JackBackend

/// How a session waits for a server.
struct ServerWait {
  private var attempts = 0
  /// What went wrong and was told.
  var told: String?

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
    startsDummyServer = connection?.dummyServer != nil
    host?.stop()
    // What is undone meanwhile, and what was connected outside, needs them as they are.
    if host != nil { plan.graph.keepChannels() }
    host = nil
    refuseAgenda()
    history.journal.follow(nil)
    forgetRinging()
    memory.forgetArrivals()
    // What units counted goes on; what the server counted begins at 0.
    reported = SessionCounts(units: plan.graph.nodes.map { ($0.id, $0.unit) })
  }

  /// Goes on at a server, if there is one: with the units as they are, and all that was connected.
  ///
  /// - Returns: false while there is none.
  /// - Throws: `graph`, when the units cannot play at its sample rate.
  func reconnect(_ waiting: inout ServerWait) throws(SessionError) -> Bool {
    waiting.count()
    let connection: JackConnection
    do throws(SessionError) {
      connection = try JackConnection(
        plan, clientName: options.clientName ?? plan.clientName, server: options.server,
        // A server that its user has ended is not started by us, but for one that runs for us.
        start: startsDummyServer ? .dummy : .never, secondCore: options.secondCore, log: log)
    } catch .jack(.noServer) {
      return false
    } catch .graph(let error) {
      throw .graph(error)
    } catch {
      if waiting.told != "\(error)" { log.warning("\(error); trying again") }
      waiting.told = "\(error)"
      return false
    }
    host = connection
    history.journal.follow(clock)
    (lastCycles, lastCycle, isIdle) = (0, time.now, false)
    for node in plan.graph.nodes { node.unit.isRenderingOffline = false }
    describe(connection)
    // Other clients come back too, and may have one of their ports so far.
    connectOutside(isSettled: false)
    restore(with: Set(connection.client.ports.map(\.name)))
    remember(mayForget: false)
    toldControls = []
    tellNewControls()
    log.notice("\(hasLostServer ? "the JACK server is back" : "the session goes on"); \(readyLine)")
    hasLostServer = false
    tellProgram?(self, .serverBack(sampleRate: connection.client.sampleRate))
    return true
  }

  /// Connects again what was connected, also by others, with ports that are there.
  func restore(with ports: Set<String>) { restore(memory.links(with: ports)) }

  /// Connects again what was connected by others with clients that have come back and did not
  /// connect themselves.
  func restoreReturned() {
    guard let outside = connection?.outside else { return }
    restore(memory.dueLinks(at: time.now, isConnected: outside.isConnectedByOthers))
  }

  func restore(_ links: [PortLink]) {
    guard let connection else { return }
    for link in links {
      do throws(JackError) {
        guard let (source, destination) = try connection.backend.restore(link) else { continue }
        log.info("connected \(source) to \(destination) again")
      } catch {
        memory.noteRefusal(of: link, at: time.now)
      }
    }
  }

  /// Looks at what is connected.
  func remember(mayForget: Bool) {
    // Of a server that is just ending, connections are gone before the news of its end comes.
    guard let connection, !connection.backend.isServerGone else { return }
    let ours = connection.backend.portNames
    let count = memory.links.count
    memory.look(at: connection.backend.links, mayForget: mayForget, isOurs: ours.contains) {
      connection.client.hasPort($0)
    }
    if memory.links.count > count {
      log.debug("connections that are remembered: \(memory.links.count)")
    }
  }
}
