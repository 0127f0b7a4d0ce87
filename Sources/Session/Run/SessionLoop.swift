// Event loop of a running session.

import Graph
import SessionModel
import UnitModel

/// Runs a session. All events that change it while it runs are handled here, one after the other.
final class SessionLoop {
  let session: JackSession
  let sources: SessionSources
  /// Forwards notices of the host, while there is one.
  var hostNews: Task<Void, Never>?
  /// Whether the handling of new ports is scheduled.
  var isSettling = false
  var waiting = ServerWait()
  /// Whether a query of the host's progress is scheduled.
  private var asksHost = false
  /// Graph that is watched.
  private var graph: Graph
  private var chords: ChordWatch
  private var busNames: BusNameWatch?

  /// - Parameter signals: the signals that the process receives.
  init(_ session: JackSession, until signals: SignalStream?) {
    self.session = session
    sources = SessionSources(session.time)
    graph = session.plan.graph
    chords = ChordWatch(graph)
    followNews()
    sources.forward(signals?.requests)
    sources.every(.seconds(1), .tick)
    sources.every(.milliseconds(50), .look)
    for (place, remote) in session.remotes.enumerated() {
      remote.requests?.open { [send = sources.send] in send(.request($0)) }
      remote.news?.open { [send = sources.send] in send(.remote(place)) }
    }
    watchBusNames(reportsNow: true)
    session.editor.door.open { [send = sources.send] in send(.task($0)) }
  }

  func close() {
    session.editor.door.close()
    for remote in session.remotes {
      remote.requests?.close()
      remote.news?.close()
    }
    session.waitingEdits = []
    hostNews?.cancel()
    sources.close()
    session.remotes = []
  }

  /// - Parameter isDone: called twenty times a second; returns whether the session has come to its
  ///   end.
  /// - Throws: `serverGone`, `graph`, as `JackSession.run`.
  func run(isDone: () -> Bool) async throws(SessionError) {
    if session.host == nil { sources.send(.reconnect) }
    session.updatePresentationLatencies()
    for await _ in sources.wakes {
      for event in sources.take() {
        if case .signal(.end(let number)) = event { return end(number) }
        try execute(event)
        if case .look = event, isDone() { return session.reportCounts() }
        followExchange()
        followGraph()
      }
    }
  }

  /// - Throws: `serverGone`, `graph`.
  private func execute(_ event: SessionEvent) throws(SessionError) {
    switch event {
    case .host(let news): try take(news)
    case .reconnect: try reconnect()
    case .settle: settle()
    case .tick: tick()
    case .look: look()
    case .busName(let unit, let bus, let name):
      session.log.info("\(unit): output \(bus + 1) is \(name)")
    case .request(let request): session.execute(request)
    case .task(.edit(let edit)): session.execute(edit)
    case .task(.program(let work)): work(session)
    case .exchange:
      asksHost = false
      session.advance()
    case .remote(let place): session.remotes[place].serve(session)
    case .signal(.readAgain): session.readFileAgain()
    case .signal(.save): session.execute(.save(log: session.log))
    case .signal(.end): break
    }
  }

  /// Called once a second.
  private func tick() {
    session.reportCounts()
    for remote in session.remotes { remote.report(to: session) }
    session.watchCycles()
    session.updatePresentationLatencies()
    session.followFile()
    session.keepChanges()
    session.history.letRest(of: session.editor, session.store, session.late)
    session.host?.tick()
  }

  /// Called twenty times a second. Reads state that the render side cannot report itself.
  private func look() {
    for node in session.plan.graph.nodes { node.unit.notifyMovedParameters() }
    session.followLatencies()
    session.endRinging()
    session.host?.look()
    session.reportMeters()
    session.reportMIDI()
    session.reportSpectra()
    session.reportTopics()
    session.listen()
    session.executeSetOff()
    session.executeAgenda()
    session.pendingReleases.send(to: session.plan.units)
    session.history.journal.settle()
    for line in chords.news() { session.log.info("\(line)") }
    for remote in session.remotes { remote.look(at: session) }
  }

  /// Schedules a query of the host's progress, and begins the edits that wait for it.
  private func followExchange() {
    session.executeWaitingEdits()
    if session.exchange == nil || asksHost { return }
    asksHost = true
    sources.later(.exchange, after: .microseconds(500))
  }

  /// Watches the current graph.
  private func followGraph() {
    if graph === session.plan.graph { return }
    graph = session.plan.graph
    session.updatePresentationLatencies()
    chords = ChordWatch(graph)
    watchBusNames(reportsNow: false)
  }

  private func watchBusNames(reportsNow: Bool) {
    // The former watch ends first.
    busNames = nil
    busNames = BusNameWatch(
      graph.nodes.map { ($0.id, $0.unit) }, reportsNow: reportsNow
    ) { [send = sources.send] in send(.busName(unit: $0, bus: $1, name: $2)) }
  }

  private func end(_ signal: Int32) {
    session.log.info("signal \(signal): ending")
    session.reportCounts()
    for remote in session.remotes { remote.reportEnd(to: session) }
  }
}
