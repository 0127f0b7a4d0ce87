// A session that runs.

public import Configuration
import Foundation
import Graph
public import GraphRender
import Logging
import SessionModel
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
  /// What the JACK server refuses: a `JackError`.
  case jack(any Error)
  case graph(GraphError)
  /// The configuration names outside ports that cannot be what it wants.
  case configuration(ConfigurationError)
  case noCycle
  case serverGone(reason: String)
  case failed(String)

  public var description: String {
    switch self {
    case .jack(let error): "\(error)"
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
  package let options: Options
  /// Nil while no server is there.
  package internal(set) var host: (any SessionHost)?
  /// Where another host comes from; nil where there is no other.
  let server: (any SessionServer)?
  let time: any SessionTime
  /// Whether the connection ended with its server.
  var hasLostServer = false
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
  package let store: SessionStore
  package let history: SessionHistory
  /// What the log has told of late.
  let notices: RecentNotices
  let meters = SessionMeters()
  package let editor: SessionEditor
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
  /// By whom others reach the session while it runs.
  var remotes: [any SessionRemote] = []

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

  /// Is what a host renders already.
  ///
  /// - Parameters:
  ///   - server: where another host comes from when that has gone; nil where there is no other.
  ///   - time: passes as frames do.
  ///   - notices: keeps what the log tells.
  package init(
    _ plan: SessionPlan, _ options: Options = Options(), on host: any SessionHost,
    from server: (any SessionServer)? = nil, _ time: any SessionTime, _ notices: RecentNotices,
    log: Logger
  ) {
    (self.plan, self.options, self.host, self.time) = (plan, options, host, time)
    (self.server, self.notices, self.log) = (server, notices, log)
    (late, history) = (LateWork(time: time), SessionHistory(time: time))
    lastCycle = time.now
    store = SessionStore(plan.origin, base: plan.base, in: options.folder)
    editor = SessionEditor(plan.units)
    controllerMemory = ControllerMemory(plan.origin.configuration, plan.units)
    if plan.isRecovered { history.didRecover() }
    history.journal.follow(clock)
  }

  /// Notes that a host renders the session.
  package func didJoin(_ host: any SessionHost) {
    lastClientName = host.clientName
    for line in plan.warnings(atSampleRate: host.serverSampleRate) { log.warning("\(line)") }
  }

  /// "ready: CLIENT_NAME RATE Hz, PERIOD frames", "" while no server is there.
  public var readyLine: String {
    guard let host else { return "" }
    return "ready: \(host.clientName) \(host.serverSampleRate) Hz, \(host.serverPeriod) frames"
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
}
