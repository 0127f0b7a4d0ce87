// A session that runs on a JACK server.

import Configuration
import Foundation
import Graph
import GraphRender
import JackBackend
import Logging
import UnitModel

/// Whether a JACK server may be started when none runs.
public enum ServerStart: String, CaseIterable, Sendable {
  /// No server is an error.
  case never
  /// JACK starts the server of `~/.jackdrc`.
  case `default`
  /// A private server on JACK's dummy driver runs as long as we do.
  case dummy
}

/// Why a session could not start or go on.
public enum SessionError: Error, CustomStringConvertible {
  case jack(JackError)
  case graph(GraphError)
  /// The configuration names outside ports that cannot be what it wants.
  case configuration(ConfigurationError)
  case noCycle
  case serverGone(reason: String)
  case failed(String)

  public var description: String {
    switch self {
    case .jack(let error): error.description
    case .graph(let error): error.description
    case .configuration(let error): error.description
    case .noCycle:
      "the JACK server ran no cycle for 10 seconds; look at its messages, or restart it"
    case .serverGone(let reason):
      "the JACK server has shut down (\(reason)); start it again, and then Auricle"
    case .failed(let reason): reason
    }
  }
}

/// Runs a session plan as a JACK client. Its methods are called by one control thread at a time.
public final class JackSession {
  let plan: SessionPlan
  let backend: JackBackend
  let log: Logger
  private let dummyServer: DummyServer?
  private var compiled: CompiledGraph?
  let connections: OutsideConnections
  var reported = SessionCounts()
  var lastCycles = 0
  var idleSeconds = 0
  var isIdle = false

  /// Opens the client, compiles the graph for the server and starts to render.
  /// - Parameter locksMemory: whether the memory of this process is brought in and kept, as `MemoryLock` has it.
  /// - Throws: `SessionError`; everything that was started has been ended then.
  /// - Thread: [control]
  public init(
    _ plan: SessionPlan, clientName: String? = nil, server: String? = nil,
    start: ServerStart = .never, locksMemory: Bool = false, log: Logger
  ) throws(SessionError) {
    self.plan = plan
    self.log = log
    let (client, dummyServer) = try Self.openClient(
      name: clientName ?? plan.clientName, server: server, start: start, log: log)
    self.dummyServer = dummyServer
    let backend = JackBackend(client: client)
    self.backend = backend
    let compiled = try wrap(SessionError.graph) { () throws(GraphError) in
      try plan.graph.compile(backend.compileOptions())
    }
    self.compiled = compiled
    connections = OutsideConnections(
      client: client, wishes: plan.connections(for: compiled.ports))
    // After the SoundFonts are loaded, before the thread is there that renders.
    if locksMemory { Self.lockMemory(log) }
    do throws(SessionError) {
      try wrap(SessionError.jack) { () throws(JackError) in try backend.start(compiled) }
      try waitForFirstCycle()
      connectOutside(isSettled: true)
      try examineOutside()
    } catch {
      // While the render thread runs, nothing that it uses may go.
      stop()
      throw error
    }
    log.debug("the render thread is \(backend.renderThread)")
    if client.name != client.requestedName {
      log.notice("the client name '\(client.requestedName)' was taken; this is '\(client.name)'")
    }
    for line in plan.warnings(atSampleRate: client.sampleRate) { log.warning("\(line)") }
    if !client.isRealtime {
      log.warning("the JACK server runs without realtime priority; start jackd with -R")
    }
  }

  /// "ready: CLIENT_NAME RATE Hz, PERIOD frames".
  public var readyLine: String {
    "ready: \(backend.client.name) \(backend.client.sampleRate) Hz, \(backend.client.period) frames"
  }

  /// Ends rendering, the client, and the private server if there is one.
  /// - Thread: [control]
  public func stop() {
    backend.stop()
    backend.client.close()
    dummyServer?.stop()
  }

  /// Makes the units anew for another sample rate while the client goes on with silence.
  func changeSampleRate(to rate: Int) throws(SessionError) {
    // No local reference: it would keep the units on loan to the old graph.
    guard compiled?.sampleRate != Double(rate) else { return }
    log.notice("the sample rate is \(rate) Hz now; the units start anew")
    for line in plan.warnings(atSampleRate: rate) { log.warning("\(line)") }
    let silence = Schedule.silence()
    guard backend.replace(with: silence) else { throw .noCycle }
    // The units are on loan to the old graph until it goes.
    compiled = nil
    let new = try wrap(SessionError.graph) { () throws(GraphError) in
      try plan.graph.compile(backend.compileOptions(sampleRate: rate))
    }
    compiled = new
    guard backend.replace(with: new.schedule) else { throw .noCycle }
    silence.deallocate()
  }

  private static func lockMemory(_ log: Logger) {
    let memory = MemoryLock.lock()
    // Too low a limit was warned of already, by its remedy.
    if case .touched = memory, RealtimeLimits.current.mayLockEnoughMemory {
      log.warning("\(memory)")
    } else {
      log.info("\(memory)")
    }
  }

  private func waitForFirstCycle() throws(SessionError) {
    let deadline = Date(timeIntervalSinceNow: 10)
    while backend.statistics.cycles == 0 {
      if backend.isServerGone { throw .jack(.serverGone) }
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
