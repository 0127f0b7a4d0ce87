// Commands have the same effect on a server as on a session whose time is stepped.

import ControlSocket
import Foundation
import SessionTestSupport
import TestSupport
import Testing

@Suite(.serialized) struct SeededChangeTests {
  private struct LiveSession: AskedSession {
    let client: ControlClient

    func answers(_ lines: [[UInt8]]) throws -> [[UInt8]] {
      try client.send(Array(lines.joined(separator: [10])))
      return try lines.map { _ in try client.nextLine(isPatient: true) }
    }

    func wait() async throws { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func commandsActAsWithoutAServer() async throws {
    let rig = try ControlRig()
    let file = try SeededChanges.write(to: rig.directory)
    let server = try await JackServer.start()
    let folder = rig.directory.url.path
    let auricle = try ChildProcess(
      builtProduct("auricle"), ["run", file.path, "--server", server.name],
      environment: rig.environment.merging([
        "XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder,
      ]) { $1 })
    _ = try await auricle.waitForLine(containing: "ready:")
    try await SeededChanges.checkBeginning(
      LiveSession(client: try rig.connect()), rig.directory.url)
    auricle.signal(SIGTERM)
    #expect(try await auricle.wait() == .exited(0), "\(auricle.transcript)")
  }
}
