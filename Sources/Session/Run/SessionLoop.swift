// A running session takes what comes, one after the other.

import Graph
import SessionModel
import UnitModel

/// Runs a session: whatever changes it while it runs, comes by here.
final class SessionLoop {
  let session: JackSession
  let sources: SessionSources
  /// Brings what the host tells, while one is there.
  var hostNews: Task<Void, Never>?
  /// Whether the host is going to look at ports that have come.
  var isSettling = false
  var waiting = ServerWait()
  /// Whether the host is going to be asked how far it is.
  private var asksHost = false
  /// What is watched.
  private var graph: Graph
  private var chords: ChordWatch
  private var busNames: BusNameWatch?

  /// - Parameter signals: those that the process gets.
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
    watchBusNames(tellsNow: true)
    session.editor.door.open { [send = sources.send] in send(.errand($0)) }
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

  /// - Parameter isDone: asked twenty times a second whether the session has come to its end.
  /// - Throws: `serverGone`, `graph`, as `JackSession.run`.
  func run(isDone: () -> Bool) async throws(SessionError) {
    if session.host == nil { sources.send(.reconnect) }
    session.tellLatencies()
    for await _ in sources.wakes {
      for event in sources.take() {
        if case .signal(.end(let number)) = event { return end(number) }
        try carryOut(event)
        if case .look = event, isDone() { return session.reportCounts() }
        followExchange()
        followGraph()
      }
    }
  }

  /// - Throws: `serverGone`, `graph`.
  private func carryOut(_ event: SessionEvent) throws(SessionError) {
    switch event {
    case .host(let news): try take(news)
    case .reconnect: try reconnect()
    case .settle: settle()
    case .tick: tick()
    case .look: look()
    case .busName(let unit, let bus, let name):
      session.log.info("\(unit): output \(bus + 1) is \(name)")
    case .request(let request): session.carryOut(request)
    case .errand(.edit(let edit)): session.carryOut(edit)
    case .errand(.program(let work)): work(session)
    case .exchange:
      asksHost = false
      session.advance()
    case .remote(let place): session.remotes[place].serve(session)
    case .signal(.readAgain): session.readFileAgain()
    case .signal(.end): break
    }
  }

  /// Once a second.
  private func tick() {
    session.reportCounts()
    for remote in session.remotes { remote.report(to: session) }
    session.watchCycles()
    session.tellLatencies()
    session.followFile()
    session.keepChanges()
    session.history.letRest(of: session.editor, session.store, session.late)
    session.host?.tick()
  }

  /// Twenty times a second: what the render side cannot tell by itself.
  private func look() {
    for node in session.plan.graph.nodes { node.unit.notifyMovedParameters() }
    session.followLatencies()
    session.endRinging()
    session.host?.look()
    session.meters.look(at: session.host?.compiled, now: session.time.now)
    session.listen()
    session.carryOutSetOff()
    session.carryOutAgenda()
    session.history.journal.settle()
    for line in chords.news() { session.log.info("\(line)") }
    for remote in session.remotes { remote.look(at: session) }
  }

  /// Asks the host soon how far it is, and begins what has to wait for that.
  private func followExchange() {
    session.carryOutWaitingEdits()
    if session.exchange == nil || asksHost { return }
    asksHost = true
    sources.later(.exchange, after: .microseconds(500))
  }

  /// Watches the graph that is there by now.
  private func followGraph() {
    if graph === session.plan.graph { return }
    graph = session.plan.graph
    session.tellLatencies()
    chords = ChordWatch(graph)
    watchBusNames(tellsNow: false)
  }

  private func watchBusNames(tellsNow: Bool) {
    // What is watched no longer goes first.
    busNames = nil
    busNames = BusNameWatch(
      graph.nodes.map { ($0.id, $0.unit) }, tellsNow: tellsNow
    ) { [send = sources.send] in send(.busName(unit: $0, bus: $1, name: $2)) }
  }

  private func end(_ signal: Int32) {
    session.log.info("signal \(signal): ending")
    session.reportCounts()
    for remote in session.remotes { remote.reportEnd(to: session) }
  }
}
