// A running session.

public import Configuration
import Graph
public import GraphRender
import Logging
import SessionModel
import UnitModel
import UnitRender

/// JACK server to start if none is running.
public enum ServerStart: String, CaseIterable, Sendable {
  /// None; a missing server is an error.
  case never
  /// The server of `~/.jackdrc`, started by JACK.
  case `default`
  /// A private server on JACK's dummy driver. It runs as long as the session.
  case dummy
}

/// Reason why a session could not start or continue.
public enum SessionError: Error, CustomStringConvertible {
  /// Error of the JACK server: a `JackError`.
  case jack(any Error)
  case graph(GraphError)
  /// The configuration names outside ports that cannot be used as requested.
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

/// Runs a session plan, as a JACK client or on a host whose time advances by calls.
///
/// One control thread at a time calls its methods.
///
/// The session outlives the server: if that ends, the session waits for one of the same name and
/// resumes there.
public final class JackSession {
  package internal(set) var plan: SessionPlan
  package let log: Logger
  package let options: Options
  /// Renderer of the session; nil while no server is running.
  package internal(set) var host: (any SessionHost)?
  /// Source of another host; nil if there is no other.
  let server: (any SessionServer)?
  let time: any SessionTime
  /// Whether the connection ended because of its server.
  var hasLostServer = false
  var reported = SessionCounts()
  /// Log level of messages about actions that units have completed as requested.
  package var newsLevel = Logger.Level.info
  var lastCycles = 0
  /// Time at which the number of cycles was last seen to rise.
  var lastCycle: ContinuousClock.Instant
  var isIdle = false
  /// Latencies last reported by the units; nil for one that could not be read.
  var lastLatencies: [Int?] = []
  let late: LateWork
  let agenda = SessionAgenda()
  let pendingReleases = PendingReleases()
  /// Outside ports connected to the port that sends parameter values to controls.
  var connectedControls: Set<String> = []
  /// Parameter that waits for a control to be moved; nil for none.
  var learning: Learning?
  var controllerMemory: ControllerMemory
  var played = PlayedGestures()
  package let store: SessionStore
  package let history: SessionHistory
  /// Latest messages of the log.
  let notices: RecentNotices
  let meters = SessionMeters()
  let midi = UnitTaps<MIDITap>()
  let spectra = SessionSpectra()
  package let editor: SessionEditor
  /// Change that the host is making; nil for none.
  var exchange: SessionExchange?
  /// Edits waiting for the end of that change.
  var waitingEdits: [SessionEdit] = []
  /// Name of the JACK client at the last server.
  var lastClientName: String?
  /// Watches of parameters.
  var watches: [WeakWatch] = []
  /// Called with events of the session, on the thread that runs it.
  var notifyProgram: ((JackSession, ProgramSession.Change) -> Void)?
  /// Called after units and connections have changed, on the same thread.
  var notifyOfStructure: ((JackSession) -> Void)?
  /// Remote controls of the session while it runs.
  var remotes: [any SessionRemote] = []

  /// Options of a session as a client.
  public struct Options: Sendable {
    /// Name of the client; nil for the configuration's.
    public var clientName: String?
    /// Name of the server; nil for the default one.
    public var server: String?
    public var start: ServerStart
    /// Whether the memory of this process is loaded and locked, as `MemoryLock` describes.
    public var locksMemory: Bool
    /// Whether the session waits for another server when its server has gone; otherwise it ends.
    public var reconnects: Bool
    /// Whether the session follows its file when that is written.
    public var followsFile: Bool
    /// Use of a second thread for rendering.
    public var secondCore: SecondCore
    /// Keeper of unsaved changes; nil if they are not kept.
    package var recovery: SessionRecovery?
    /// Path of the program that writes JACK's metadata; nil to write none.
    package var metadataProgram: String?
    /// Folder with all of the session, which is saved only there; nil for a session without one.
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

  /// Creates a session that a host already renders.
  ///
  /// - Parameters:
  ///   - server: the source of another host when that has gone; nil if there is no other.
  ///   - time: the time that passes with the frames.
  ///   - notices: keeps the messages of the log.
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

  /// Notes the client name of a host that renders the session, and logs warnings for its sample
  /// rate.
  package func didJoin(_ host: any SessionHost) {
    lastClientName = host.clientName
    for line in plan.warnings(atSampleRate: host.serverSampleRate) { log.warning("\(line)") }
  }

  /// "ready: CLIENT_NAME RATE Hz, PERIOD frames"; "" while no server is running.
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
