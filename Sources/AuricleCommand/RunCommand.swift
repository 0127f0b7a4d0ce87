// auricle run

import ArgumentParser
import Configuration
import Foundation
import JackBackend
import Logging
import Session
import UnitModel

extension ServerStart: ExpressibleByArgument {}

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a session as a JACK client until SIGINT, SIGTERM or SIGHUP.")

  @Argument(help: "The session's configuration (TOML). Default: config/default.toml.")
  var config: String?

  @Option(help: "The JACK client's name, in place of the configuration's.")
  var clientName: String?

  @Option(help: "The JACK server's name.")
  var server: String?

  @Option(
    help: "Whether to start a JACK server when none runs: never, default (~/.jackdrc) or dummy.")
  var startServer: ServerStart = .never

  @Flag(help: "Say more of what happens.")
  var verbose = false

  func validate() throws {
    // JACK's names have 63 bytes; a colon ends a client's name, a slash ends a file's.
    guard let clientName else { return }
    let isFine =
      (1...63).contains(clientName.utf8.count)
      && !clientName.unicodeScalars.contains { $0.value < 32 || $0 == ":" || $0 == "/" }
    guard isFine else {
      throw ValidationError("--client-name takes up to 63 bytes without ':' and '/'")
    }
  }

  func run() async throws {
    CommandLog.install(isVerbose: verbose)
    let signals = SignalStream()
    let plan = try await SessionPlan.load(config)
    let log = Logger(label: "auricle")
    for remedy in RealtimeLimits.current.remedies { log.warning("\(remedy)") }
    do {
      let session = try JackSession(
        plan, clientName: clientName, server: server, start: startServer, locksMemory: true,
        log: log)
      defer { session.stop() }
      // The sound is not for whoever has read enough of the log.
      try StandardOutput.write(session.readyLine, mayLoseReader: true)
      try await session.run(until: signals)
    } catch SessionError.configuration(let error) {
      throw CommandFailure.badConfiguration(error)
    } catch let error as SessionError {
      throw CommandFailure.failed(error)
    }
  }
}

extension SessionPlan {
  /// Builds the session of a configuration file, or of the default one.
  static func load(_ path: String?) async throws -> SessionPlan {
    let url = path.map { URL(fileURLWithPath: $0) } ?? DefaultConfiguration.find()
    guard let url else {
      throw CommandFailure(
        message: "there is no \(DefaultConfiguration.relativePath) here; name a configuration",
        status: 2)
    }
    do {
      let log = Logger(label: "auricle")
      let report = LoadingReport { log.notice("\($0)") }
      let builder = SessionBuilder(
        registry: try HostComponents.makeRegistry(),
        loadingProgress: { report.tell($0, $1) })
      return try await builder.build(contentsOf: url)
    } catch let error as ConfigurationError {
      throw CommandFailure.badConfiguration(error)
    }
  }
}

/// Where the default session is.
enum DefaultConfiguration {
  static let relativePath = "config/default.toml"

  /// The file below the working directory, or installed beside the command's `bin`.
  static func find() -> URL? {
    var candidates = [URL(fileURLWithPath: relativePath)]
    if let program = Bundle.main.executableURL {
      let prefix = program.resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent()
      candidates.append(prefix.appendingPathComponent("share/auricle/config/default.toml"))
    }
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
