// auricle run

import ArgumentParser
import Configuration
import FoundationEssentials
import Glibc
import JackBackend
import JackHost
import Logging
import Platform
import Remotes
import Session
import SessionModel
import UnitModel

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a session as a JACK client until SIGINT or SIGTERM.",
    discussion: """
      SIGHUP makes it read the configuration's file again, SIGUSR1 save it. If SIGHUP means that the terminal has closed, \
      the session ends.
      """)

  @Argument(
    help: """
      The session's configuration: a TOML file, or the name of one in ~/.config/auricle or of an installed one. \
      Default: default.
      """, completion: .file(extensions: ["toml"]))
  var config: String?

  @Flag(help: "List the configurations that have a name, and end.")
  var list = false

  @OptionGroup var settings: SettingOptions

  @OptionGroup var client: ClientOptions

  @OptionGroup var osc: OSCOptions

  @Flag(
    inversion: .prefixedNo,
    help:
      "Apply changes of the configuration's file while running, or ignore them. Default: --watch.")
  var watch = true

  @Option(
    help: ArgumentHelp(
      """
      Interval for saving unsaved changes to the recovery folder, 1 to 86400; 0 turns it off.
      """, valueName: "seconds"))
  var autosave = 30

  @Flag(help: "Start with the unsaved changes of an earlier run.")
  var recover = false

  @Flag(help: "Delete the unsaved changes of earlier runs.")
  var discardRecovery = false

  @Flag(
    name: .customLong("nsm"), inversion: .prefixedNo,
    help:
      "Join the session manager named by NSM_URL in the environment, or ignore it. Default: --nsm.")
  var joinsManager = true

  @Flag(
    help:
      "Show the session in a browser: print the address of auricle web, started if it does not run."
  )
  var web = false

  @Flag(help: "Log more.")
  var verbose = false

  func validate() throws {
    guard (0...86_400).contains(autosave) else {
      throw ValidationError("--autosave takes 1 to 86400 seconds, or 0 for never")
    }
    if recover, discardRecovery {
      throw ValidationError("give either --recover or --discard-recovery")
    }
    if recover, !settings.set.isEmpty {
      throw ValidationError("give either --recover or --set: a recovery has its own values")
    }
  }

  func run() async throws {
    if list {
      let known = ConfigurationLocator(program: programFile).known
      let width = known.map(\.name.count).max() ?? 0
      for (name, file) in known {
        let title = configurationTitle(file.path) ?? file.relativePath
        let pad = String(repeating: " ", count: width - name.count)
        try StandardOutput.write("\(name)\(pad)  \(printable(title, 200))")
      }
      return
    }
    CommandLog.install(isVerbose: verbose)
    let log = Logger(label: "auricle")
    client.choosePipeWire(log)
    let web = web ? try WebCompanion() : nil
    defer { web?.end() }
    let signals = SignalStream(hasFile: true)
    if joinsManager, let url = SessionManager.url {
      if !settings.set.isEmpty {
        log.warning("--set is ignored: the session manager's project has its own values")
      }
      return try await reportingFailures { try await run(managedAt: url, until: signals, web, log) }
    }
    if config == nil { log.notice("taking 'default'; auricle run --list shows the others") }
    let recovery = SessionRecovery(intervalSeconds: autosave, log: log)
    let plan = try await SessionPlan.load(config, settings) {
      file, builder throws(ConfigurationError) in
      try await recovery.build(file, by: builder, recoveryChoice)
    }
    for remedy in RealtimeLimits.current.remedies { log.warning("\(remedy)") }
    try await reportingFailures {
      let network = try osc.listen(for: plan, log)
      defer { network?.close() }
      var options = client.options(followsFile: watch)
      options.recovery = recovery
      let session = try JackSession(plan, options, log: log)
      defer { session.stop() }
      let socket = SessionSocket.listening(as: session.clientName, log)
      defer { socket?.close() }
      try reportReady(session.readyLine, log)
      web?.start(socket?.name, log)
      do throws(SessionError) {
        try await session.run(until: signals, commandsFrom: socket, osc: network)
      } catch {
        await session.end()
        throw error
      }
      await session.end()
    }
  }

  var recoveryChoice: RecoveryOption { recover ? .take : discardRecovery ? .discard : .report }
}

extension SessionPlan {
  /// Builds the session of a configuration, given by path or name, or of the default one.
  static func load(
    _ name: String?, _ settings: SettingOptions,
    build: (URL, SessionBuilder) async throws(ConfigurationError) -> SessionPlan = {
      file, builder throws(ConfigurationError) in try await builder.build(contentsOf: file)
    }
  ) async throws -> SessionPlan {
    do {
      let url = try locate(name)
      let log = Logger(label: "auricle")
      var builder = try makeBuilder(log)
      builder.settings = try settings.read()
      let plan = try await build(url, builder)
      for line in plan.warnings { log.warning("\(line)") }
      return plan
    } catch let error as ConfigurationError {
      throw CommandFailure.badConfiguration(error)
    }
  }

  /// Returns the file of a configuration, given by path or name, or of the default one.
  static func locate(_ name: String?) throws(ConfigurationError) -> URL {
    try ConfigurationLocator(program: programFile).locate(name ?? "default")
  }

  /// Makes a builder with this program's components that logs the progress of loading.
  static func makeBuilder(
    _ log: Logger, notifying progress: @escaping LoadingProgress = { _, _ in }
  ) throws -> SessionBuilder {
    let report = LoadingReport { log.notice("\($0)") }
    return SessionBuilder(
      registry: try HostComponents.makeRegistry(),
      loadingProgress: {
        report.update($0, $1)
        progress($0, $1)
      })
  }
}
