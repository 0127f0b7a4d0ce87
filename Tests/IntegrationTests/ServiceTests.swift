// The command as a service: messages to its service manager.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct ServiceTests {
  @Test func theServiceManagerLearnsOfTheBeginningAndTheEnd() async throws {
    let server = try await JackServer.start()
    let directory = try TemporaryDirectory()
    let manager = try NotifySocket(directory.file("notify").path)
    let auricle = try await RunningAuricle(
      Configurations.filter(), on: server, environment: ["NOTIFY_SOCKET": manager.address])
    var message: String?
    // The message follows the line.
    let arrived = await eventually {
      message = manager.take()
      return message != nil
    }
    #expect(arrived)
    #expect(message == "READY=1\nSTATUS=\(auricle.readyLine)")
    #expect(manager.take() == nil)
    try await auricle.expectEnd()
    #expect(manager.take() == "STOPPING=1")
    #expect(manager.take() == nil)
  }

  @Test func aCommandThatEndsByItselfIsReportedToo() async throws {
    let server = try await JackServer.start()
    let directory = try TemporaryDirectory()
    let manager = try NotifySocket("@\(directory.url.lastPathComponent)")
    let (status, child) = try await Self.record(directory, server, manager.address)
    #expect(status == .exited(0), "\(child.transcript)")
    let line = child.standardOutput.split(separator: "\n").first ?? ""
    #expect(manager.take() == "READY=1\nSTATUS=\(line)")
    #expect(manager.take() == "STOPPING=1")
    #expect(manager.take() == nil)
  }

  @Test func aServiceManagerThatIsGoneEndsNothing() async throws {
    let server = try await JackServer.start()
    let directory = try TemporaryDirectory()
    let (status, child) = try await Self.record(
      directory, server, directory.file("notify").path)
    #expect(status == .exited(0), "\(child.transcript)")
    #expect(child.standardError.contains("NOTIFY_SOCKET does not learn"), "\(child.transcript)")
  }

  /// Records a fifth of a second.
  private static func record(
    _ directory: TemporaryDirectory, _ server: JackServer, _ manager: String
  ) async throws -> (status: ChildProcess.ExitStatus, child: ChildProcess) {
    try await auricle(
      [
        "record", directory.file("take.wav").path, "--seconds", "0.2", "--server", server.name,
      ],
      environment: ["NOTIFY_SOCKET": manager, "XDG_RUNTIME_DIR": directory.url.path])
  }
}
