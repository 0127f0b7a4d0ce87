// A session that runs on a JACK server.

import Configuration
import Foundation
import Graph
public import GraphRender
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

/// Runs a session plan, as a JACK client or where time passes by the call.
///
/// Its methods are called by one control thread at a time.
///
/// The session outlives the server: where that ends, it waits for one of the same name, and goes on
/// there.
public final class JackSession {
  package internal(set) var plan: SessionPlan
  package let log: Logger
  let options: Options
  /// Nil while no server is there.
  var host: (any SessionHost)?
  let time: any SessionTime
  /// Whether the connection ended with its server.
  var hasLostServer = false
  /// What is connected outside, over the ends of servers and of other clients.
  var memory = ConnectionMemory()
  /// Whether a private server is started anew when it has gone.
  var startsDummyServer = false
  var reported = SessionCounts()
  /// The log level of messages of what units have done as they were asked to.
  package var newsLevel = Logger.Level.info
  var lastCycles = 0
  /// When the number of cycles was last seen to rise.
  var lastCycle: ContinuousClock.Instant
  var isIdle = false
  /// What the units last said of their latencies, nil where that was refused.
  var lastLatencies: [Int?] = []
  let late: LateWork
  let agenda = SessionAgenda()
  /// The ports of others that are connected where controls are told of parameters.
  var toldControls: Set<String> = []
  /// What waits for a control to be moved.
  var learning: Learning?
  var controllerMemory: ControllerMemory
  var played = PlayedGestures()
  let store: SessionStore
  let history: SessionHistory
  /// What the log has told of late.
  let notices: RecentNotices
  let meters = SessionMeters()
  let editor: SessionEditor
  /// What the host is changing.
  var exchange: SessionExchange?
  /// What is to be changed behind that.
  var waitingEdits: [SessionEdit] = []
  /// The JACK client's name at the last server.
  var lastClientName: String?
  /// Who follows parameters.
  var watches: [WeakWatch] = []
  /// Who wants to know what happens to the session, on the thread that runs it.
  var tellProgram: ((JackSession, ProgramSession.Change) -> Void)?
  /// Who wants to know of its units and connections once they have changed, on the same thread.
  var tellStructure: ((JackSession) -> Void)?
  /// What listens to the network while the session runs.
  weak var osc: SessionOSC?

  /// How a session becomes a client.
  public struct Options: Sendable {
    /// The client's name, nil for the configuration's.
    public var clientName: String?
    /// The server's name, nil for the default one.
    public var server: String?
    public var start: ServerStart
    /// Whether the memory of this process is brought in and kept, as `MemoryLock` has it.
    public var locksMemory: Bool
    /// Whether the session waits for another server when its server has gone; else that ends it.
    public var reconnects: Bool
    /// Whether the session follows its file when that is written.
    public var followsFile: Bool
    /// Whether a second thread renders.
    public var secondCore: SecondCore
    /// What keeps changes that are not saved, if something does.
    package var recovery: SessionRecovery?
    /// The folder that has all of the session, for one that is saved there alone.
    package var folder: SessionFolder?

    public init(
      clientName: String? = nil, server: String? = nil, start: ServerStart = .never,
      locksMemory: Bool = false, reconnects: Bool = true, followsFile: Bool = false,
      secondCore: SecondCore = .whereFaster
    ) {
      self.clientName = clientName
      self.server = server
      self.start = start
      self.locksMemory = locksMemory
      self.reconnects = reconnects
      self.followsFile = followsFile
      self.secondCore = secondCore
    }
  }

  /// Opens the client, compiles the graph for the server and starts to render.
  /// - Throws: `SessionError`; everything that was started has been ended then.
  /// - Thread: [control]
  public convenience init(
    _ plan: SessionPlan, _ options: Options = Options(), log: Logger
  ) throws(SessionError) {
    do throws(NameError) {
      _ = try ClientName(forJACK: options.clientName ?? plan.clientName)
    } catch {
      throw .failed(error.description)
    }
    let notices = RecentNotices()
    let log = notices.recording(log)
    let connection = try JackConnection(
      plan, clientName: options.clientName ?? plan.clientName, server: options.server,
      start: options.start, secondCore: options.secondCore, log: log
    ) {
      // After the units have loaded what they play, before the thread is there that renders.
      if options.locksMemory { Self.lockMemory(log) }
    }
    self.init(plan, options, on: connection, MachineTime(), notices, log)
    do throws(SessionError) {
      connectOutside(isSettled: true)
      try examineOutside()
    } catch {
      stop()
      throw error
    }
    describe(connection)
    if !connection.client.isRealtime {
      log.warning("the JACK server runs without realtime priority; start jackd with -R")
    }
  }

  /// A session that is rendered by the call.
  /// - Parameter time: passes as it is rendered.
  convenience init(
    _ plan: SessionPlan, _ options: Options = Options(), on host: OfflineHost, _ time: SteppedTime,
    log: Logger
  ) {
    let notices = RecentNotices()
    self.init(plan, options, on: host, time, notices, notices.recording(log))
  }

  private init(
    _ plan: SessionPlan, _ options: Options, on host: any SessionHost, _ time: any SessionTime,
    _ notices: RecentNotices, _ log: Logger
  ) {
    (self.plan, self.options, self.host, self.time) = (plan, options, host, time)
    (self.notices, self.log) = (notices, log)
    (late, history) = (LateWork(time: time), SessionHistory(time: time))
    lastCycle = time.now
    store = SessionStore(plan.origin, base: plan.base, in: options.folder)
    editor = SessionEditor(plan.units)
    controllerMemory = ControllerMemory(plan.origin.configuration, plan.units)
    if plan.isRecovered { history.didRecover() }
    history.journal.follow(clock)
  }

  /// What renders at a JACK server, while one is there.
  package var connection: JackConnection? { host as? JackConnection }

  /// What is worth telling of a connection that has been made.
  func describe(_ connection: JackConnection) {
    let client = connection.client
    lastClientName = client.name
    log.debug("the render thread is \(connection.backend.renderThread)")
    if client.name != client.requestedName {
      log.notice("the client name '\(client.requestedName)' was taken; this is '\(client.name)'")
    }
    for line in plan.warnings(atSampleRate: client.sampleRate) { log.warning("\(line)") }
  }

  /// "ready: CLIENT_NAME RATE Hz, PERIOD frames", "" while no server is there.
  public var readyLine: String {
    guard let client = connection?.client else { return "" }
    return "ready: \(client.name) \(client.sampleRate) Hz, \(client.period) frames"
  }

  /// Ends rendering, the client, and the private server if there is one.
  /// - Thread: [control]
  public func stop() {
    finishExchange()
    host?.stop()
    host = nil
    for node in plan.graph.nodes { (node.unit as? any Finishing)?.finish() }
    reportNews()
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
}
