// The command under test: starting, ending and finding its processes.

import Foundation
import TestSupport
import Testing

/// A server that no test starts.
let absentServer = "auricle-test-none"

/// Runs the command to its end.
func auricle(
  _ arguments: [String], environment: [String: String?] = [:]
) async throws -> (status: ChildProcess.ExitStatus, child: ChildProcess) {
  let child = try ChildProcess(builtProduct("auricle"), arguments, environment: environment)
  return (try await child.wait(), child)
}

/// `auricle run` on a test's server, from its "ready" line on.
final class RunningAuricle: Sendable {
  let child: ChildProcess
  let readyLine: String
  /// The session's configuration.
  let file: URL
  private let directory: TemporaryDirectory

  init(
    _ configuration: String, on server: JackServer, arguments: [String] = [],
    environment: [String: String?] = [:]
  ) async throws {
    directory = try TemporaryDirectory()
    file = try directory.write(configuration, to: "session.toml")
    child = try ChildProcess(
      builtProduct("auricle"), ["run", file.path, "--server", server.name] + arguments,
      // Kept apart from the sockets and recoveries of a user's sessions.
      environment: [
        "XDG_DATA_HOME": directory.url.path, "XDG_RUNTIME_DIR": directory.url.path,
        "XDG_STATE_HOME": directory.url.path,
      ].merging(environment) { $1 })
    readyLine = try await child.waitForLine(containing: "ready:")
  }

  /// Sends a signal, by default SIGTERM, and waits for the end.
  func end(with signal: Int32 = SIGTERM) async throws -> ChildProcess.ExitStatus {
    child.signal(signal)
    return try await child.wait()
  }

  /// Sends SIGTERM, and expects status 0.
  func expectEnd(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let status = try await end()
    #expect(status == .exited(0), "\(child.transcript)", sourceLocation: sourceLocation)
  }
}
