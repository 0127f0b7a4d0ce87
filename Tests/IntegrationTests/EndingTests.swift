// Endings where something does not answer: a server that is stopped.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct EndingTests {
  /// The server's process, to be stopped and resumed.
  private func process(of server: JackServer) throws -> pid_t {
    let servers = children(of: getpid(), running: "jackd")
    return try #require(servers.count == 1 ? servers[0] : nil)
  }

  @Test func aHangUpEndsItAsATerminationDoes() async throws {
    let server = try await JackServer.start()
    let watcher = try JackTestClient(server, "watcher")
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    #expect(try await auricle.end(with: SIGHUP) == .exited(0))
    #expect(watcher.ports(matching: "^filter:").isEmpty)
  }

  @Test func whatIsRunByNohupOutlivesAHangUp() async throws {
    let nohup = try #require(installedProgram("nohup"))
    let server = try await JackServer.start()
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let child = try ChildProcess(
      nohup, [try builtProduct("auricle").path, "run", file.path, "--server", server.name])
    _ = try await child.waitForLine(containing: "ready:")
    child.signal(SIGHUP)
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  /// `false`: waits until patience is at its end; `true`: asks again.
  @Test(arguments: [false, true])
  func aStoppedServerCannotKeepASessionFromEnding(isHurried: Bool) async throws {
    let server = try await JackServer.start()
    let jackd = try process(of: server)
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    kill(jackd, SIGSTOP)
    defer { kill(jackd, SIGCONT) }
    auricle.child.signal(SIGTERM)
    while isHurried && auricle.child.isRunning {
      auricle.child.signal(SIGTERM)
      try await Task.sleep(for: .milliseconds(20))
    }
    let status = try await auricle.child.wait()
    #expect(status == .exited(1))
    let said = isHurried ? "signalled again" : "after 3 seconds"
    #expect(auricle.child.standardError.contains(said), "\(auricle.child.transcript)")
  }

  @Test func aStartThatWaitsForAStoppedServerSaysSoAndCanBeEnded() async throws {
    let server = try await JackServer.start()
    let jackd = try process(of: server)
    kill(jackd, SIGSTOP)
    defer { kill(jackd, SIGCONT) }
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let child = try ChildProcess(
      builtProduct("auricle"), ["run", file.path, "--server", server.name])
    _ = try await child.waitForLine(containing: "is it stopped?", in: .standardError)
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(1))
  }

  @Test func aServerThatGoesOnIsWaitedFor() async throws {
    let server = try await JackServer.start()
    let jackd = try process(of: server)
    kill(jackd, SIGSTOP)
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let child = try ChildProcess(
      builtProduct("auricle"), ["run", file.path, "--server", server.name])
    _ = try await child.waitForLine(containing: "is it stopped?", in: .standardError)
    kill(jackd, SIGCONT)
    _ = try await child.waitForLine(containing: "ready:")
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  /// Whatever the start was doing: never that ports have run out, never a wait for a cycle that
  /// cannot come.
  @Test func aServerKilledWhileWeStartIsSaidToBeGone() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let server = try await JackServer.start()
    for round in 0..<12 {
      if round > 0 { try await server.restart() }
      let child = try ChildProcess(
        builtProduct("auricle"),
        ["run", file.path, "--server", server.name, "--no-reconnect"])
      try await Task.sleep(for: .milliseconds(10 * round))
      try await server.kill()
      #expect(try await child.wait() == .exited(1))
      let told = child.standardError
      #expect(
        ["no JACK server", "went away", "has shut down"].contains { told.contains($0) }, "\(told)")
    }
  }
}
