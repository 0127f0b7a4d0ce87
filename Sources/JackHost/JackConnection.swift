// A session's client on one JACK server.

import FoundationEssentials
import Glibc
import Graph
import GraphRender
import JackBackend
import Logging
import Session
import SessionModel
import UnitModel

/// A client of a server that renders the session's graph. The session outlives it.
///
/// Used by one control thread at a time.
package final class JackConnection: SessionHost {
  package let backend: JackBackend
  package let outside: OutsideConnections
  package let serverName: String
  /// The connections, remembered when servers and other clients end.
  let remembered: RememberedConnections
  let log: Logger
  var arrivals = PortArrivals()
  /// The private server of this client; nil if the server is not ours.
  let dummyServer: DummyServer?
  /// The compiled graph's description: the plan's units, and those that ring out.
  package private(set) var graph: Graph
  /// The compiled graph that is rendered; nil after `stop`, or if a new sample rate failed. No
  /// other object may keep it: the units are on loan to it.
  package private(set) var compiled: CompiledGraph?
  package var outsidePorts: [GraphReading.OutsidePort] = []
  /// The change that is under way.
  private var change: Change?
  private var isStopped = false
  /// The schedule that is rendered while the session is paused.
  private var silence: Schedule?

  /// A new graph, and the state to restore if it fails.
  private struct Change {
    let graph: Graph
    let compiled: CompiledGraph
    /// The former requests.
    let formerRequests: [OutsideConnection]
    /// The connections made for them, for `disconnect`.
    var formerConnections: Set<[String]> = []
  }

  /// Opens a client, compiles the graph for the server, and starts to render.
  ///
  /// - Parameters:
  ///   - metadataProgram: the path of the program that writes metadata; nil to write none.
  ///   - remembered: the connections at the server before.
  ///   - prepare: called after everything is compiled, before the render thread starts.
  /// - Throws: `jack`, `graph`, `noCycle`; everything that was started has been ended then.
  /// - Thread: [control]
  init(
    _ plan: SessionPlan, clientName: String, server: String?, start: ServerStart,
    secondCore: SecondCore, metadataProgram: String? = nil,
    remembering remembered: RememberedConnections, log: Logger, prepare: () -> Void = {}
  ) throws(SessionError) {
    (graph, self.remembered, self.log) = (plan.graph, remembered, log)
    let (client, dummyServer) = try Self.openClient(
      name: clientName, server: server, start: start, log: log)
    self.dummyServer = dummyServer
    serverName = dummyServer?.name ?? server ?? DummyServer.defaultName
    let backend = JackBackend(client: client, secondCore: secondCore)
    self.backend = backend
    let compiled = try wrap(SessionError.graph) { () throws(GraphError) in
      try plan.graph.compile(backend.compileOptions())
    }
    self.compiled = compiled
    outside = OutsideConnections(client: client, requests: plan.connections(for: compiled.ports))
    prepare()
    do throws(SessionError) {
      try wrap(SessionError.jack) { () throws(JackError) in try backend.start(compiled) }
      try waitForFirstCycle()
    } catch {
      // While the render thread runs, its memory must not be freed.
      stop()
      throw error
    }
    if let metadataProgram { backend.writeMetadata(by: metadataProgram) }
    label(compiled.ports, graph)
  }

  deinit { stop() }

  /// Logs the render thread, and the client name if it was changed.
  func describe() {
    log.debug("the render thread is \(backend.renderThread)")
    if client.name != client.requestedName {
      log.notice("the client name '\(client.requestedName)' was taken; this is '\(client.name)'")
    }
  }

  package func forwardNews(
    to send: @escaping @Sendable (HostNotice) -> Void
  ) -> Task<Void, Never>? {
    let own = client.name + ":"
    return Task { [notices = backend.notices] in
      for await notice in notices {
        if let news = HostNotice(notice, own: own) { send(news) }
      }
    }
  }

  package var client: JackClient { backend.client }

  package var clientName: String { client.name }
  package var serverSampleRate: Int { client.sampleRate }
  package var serverPeriod: Int { client.period }
  package var load: Float? { client.load }

  package var statistics: HostStatistics { HostStatistics(backend.statistics) }

  package var clock: @Sendable () -> SessionClock? {
    guard let sampleRate else { return { nil } }
    return { [weak backend] in
      guard let backend, !backend.isServerGone else { return nil }
      let statistics = backend.statistics
      return SessionClock(
        frame: Int64(statistics.frame), period: statistics.period, sampleRate: sampleRate,
        hostTimeOfFrameZero: backend.hostTimeOfFrameZero)
    }
  }

  package func endNotesSent() { backend.endNotesSent() }

  /// Ends rendering, the client, and the private server if any.
  /// - Thread: [control]
  package func stop() {
    if isStopped { return }
    isStopped = true
    backend.stop()
    client.close()
    dummyServer?.stop()
    // Release it: the units are on loan to it.
    (compiled, change) = (nil, nil)
    remembered.memory.forgetArrivals()
    silence?.deallocate()
    silence = nil
  }

  /// The sample rate of the units in hertz; nil after they could not be prepared for a new one.
  package var sampleRate: Double? { compiled?.sampleRate }

  /// Prepares the units again for another sample rate, while the client renders silence.
  ///
  /// - Throws: `graph`, `noCycle`.
  /// - Thread: [control]
  package func changeSampleRate(to rate: Int) throws(SessionError) {
    let wasPaused = silence != nil
    try setPaused(false)
    let silence = Schedule.silence()
    guard backend.replace(with: silence) else { throw .noCycle }
    // No local reference: the units are on loan to the old graph until it is released.
    compiled = nil
    graph.keepChannels()
    let new = try wrap(SessionError.graph) { () throws(GraphError) in
      try graph.compile(backend.compileOptions(sampleRate: rate))
    }
    compiled = new
    guard backend.replace(with: new.schedule) else { throw .noCycle }
    silence.deallocate()
    try setPaused(wasPaused)
  }

  package func begin(
    _ plan: SessionPlan, _ rendered: Graph, from startFrame: Int64?, connectsOutside: Bool
  ) throws(SessionError) {
    guard let current = compiled else { throw .noCycle }
    if silence != nil { throw .failed("the program has paused this session") }
    let passages = try wrap(SessionError.graph) { () throws(GraphError) in
      try rendered.compile(following: current)
    }
    guard let last = passages.last else { return }
    let ports = connectsOutside ? backend.portNames : []
    var change = Change(graph: rendered, compiled: last, formerRequests: outside.requests)
    do throws(JackError) {
      try backend.begin(passages, from: startFrame) {
        label(last.ports, rendered)
        change.formerConnections = outside.become(plan.connections(for: last.ports))
        if connectsOutside { connect(portsBeside: ports) }
      }
    } catch { throw .jack(takeBack(change, error)) }
    self.change = change
  }

  package func advance(waits: Bool) throws(SessionError) -> HostChange {
    guard let change else { return .done(frame: nil) }
    while true {
      let state: JackExchange.State
      do throws(JackError) { state = try backend.advance() } catch {
        self.change = nil
        throw .jack(takeBack(change, error))
      }
      if case .done(let frame) = state {
        outside.disconnect(change.formerConnections)
        (graph, compiled, self.change) = (change.graph, change.compiled, nil)
        return .done(frame: frame)
      }
      guard waits else { return .underWay }
      usleep(500)
    }
  }

  private func takeBack(_ change: Change, _ error: JackError) -> JackError {
    _ = outside.become(change.formerRequests)
    change.graph.closeOpenedInputs()
    return error
  }

  /// Renders silence in place of the graph, or the graph again.
  ///
  /// - Throws: `noCycle`.
  /// - Thread: [control]
  package func setPaused(_ isPaused: Bool) throws(SessionError) {
    guard isPaused != (silence != nil), let compiled else { return }
    if !isPaused { for node in graph.nodes { (node.unit as? any PausingUnit)?.endPause() } }
    let next = isPaused ? Schedule.silence() : compiled.schedule
    guard backend.replace(with: next) else { throw .noCycle }
    silence?.deallocate()
    silence = isPaused ? next : nil
  }

  private func waitForFirstCycle() throws(SessionError) {
    let deadline = Date(timeIntervalSinceNow: 10)
    while backend.statistics.cycles == 0 {
      if backend.isServerGone { throw .jack(JackError.serverGone) }
      guard Date() < deadline else { throw .noCycle }
      usleep(1000)
    }
  }

  private static func openClient(
    name: String, server: String?, start: ServerStart, log: Logger
  ) throws(SessionError) -> (JackClient, DummyServer?) {
    do throws(JackError) {
      return (
        try JackClient(name: name, server: server, mayStartServer: start == .default), nil
      )
    } catch {
      guard start == .dummy, case .noServer = error else { throw .jack(error) }
    }
    let named = server.map { " '\($0)'" } ?? ""
    log.notice("no JACK server\(named) runs; starting one without sound card, as long as this runs")
    let (dummy, client) = try wrap(SessionError.jack) { () throws(JackError) in
      try DummyServer.start(clientName: name, server: server)
    }
    if !dummy.isDefault {
      log.notice(
        """
        that server is '\(dummy.name)'; for other programs: JACK_DEFAULT_SERVER=\(dummy.name) jack_lsp
        """)
    }
    return (client, dummy)
  }
}
