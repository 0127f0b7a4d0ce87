// Endings while a server is stopped and does not answer.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct EndingTests {
  /// The server's process, to be stopped and resumed.
  private func process(of server: JackServer) throws -> pid_t {
    let servers = children(of: getpid(), running: "jackd")
    return try #require(servers.count == 1 ? servers[0] : nil)
  }

  /// Stops a server, and waits until all of its threads have stopped, which takes a moment.
  private func stop(_ server: JackServer) async throws -> pid_t {
    let jackd = try process(of: server)
    kill(jackd, SIGSTOP)
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(jackd)/task")
    let isStopped = try await eventually {
      try threads.allSatisfy { thread in
        let stat = try String(
          contentsOfFile: "/proc/\(jackd)/task/\(thread)/stat", encoding: .utf8)
        return stat.contains(") T ")
      }
    }
    #expect(isStopped)
    return jackd
  }

  @Test func aTerminalThatGoesEndsItAsATerminationDoes() async throws {
    let script = try #require(installedProgram("script"))
    let server = try await JackServer.start()
    let watcher = try JackTestClient(server, "watcher")
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let log = directory.file("log")
    let auricle = try builtProduct("auricle").path
    // The shell leads the terminal's session, like an interactive one.
    let terminal = try ChildProcess(
      script,
      [
        "-qec",
        "'\(auricle)' run '\(file.path)' --server \(server.name) --verbose >'\(log.path)' 2>&1; true",
        "/dev/null",
      ], environment: ["XDG_RUNTIME_DIR": directory.url.path])
    let isReady = await eventually {
      (try? String(contentsOf: log, encoding: .utf8))?.contains("ready:") == true
    }
    try #require(isReady)
    terminal.signal(SIGKILL)
    #expect(await eventually { watcher.ports(matching: "^filter:").isEmpty })
    let told = try String(contentsOf: log, encoding: .utf8)
    #expect(told.contains("signal \(SIGHUP): ending"), "\(told)")
    _ = try await terminal.wait()
  }

  @Test func aHangUpHasTheFileReadAgain() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      Configurations.filter(), on: server, arguments: ["--no-watch", "--verbose"])
    // Nothing has changed yet.
    auricle.child.signal(SIGHUP)
    _ = try await auricle.child.waitForLine(containing: "reading the file", in: .standardError)
    let edited = Configurations.filter().replacing("cutoff = 900.0", with: "cutoff = 500.0")
    try Data(edited.utf8).write(to: auricle.file)
    auricle.child.signal(SIGHUP)
    _ = try await auricle.child.waitForLine(containing: "changed: lowpass", in: .standardError)
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "500\n")
    try Data(edited.replacing("cutoff", with: "cutof").utf8).write(to: auricle.file)
    auricle.child.signal(SIGHUP)
    _ = try await auricle.child.waitForLine(
      containing: "did you mean 'cutoff'?", in: .standardError)
    try await auricle.expectEnd()
  }

  @Test func aSignalHasTheSessionSaved() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(Configurations.filter(), on: server)
    _ = try await rig.ctl("set", "lowpass/cutoff", "500")
    auricle.child.signal(SIGUSR1)
    _ = try await auricle.child.waitForLine(containing: "SIGUSR1: saved", in: .standardError)
    #expect(try String(contentsOf: auricle.file, encoding: .utf8).contains("cutoff = 500"))
    // What cannot be written is reported, and the session plays on.
    try FileManager.default.removeItem(at: auricle.file)
    try FileManager.default.createDirectory(at: auricle.file, withIntermediateDirectories: false)
    auricle.child.signal(SIGUSR1)
    _ = try await auricle.child.waitForLine(containing: "SIGUSR1: not saved", in: .standardError)
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "500\n")
    try await auricle.expectEnd()
  }

  @Test func aSessionUnderNohupOutlivesAHangUp() async throws {
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

  /// `false`: waits until patience is at its end; `true`: signals again.
  @Test(arguments: [false, true])
  func aStoppedServerCannotKeepASessionFromEnding(isHurried: Bool) async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    let jackd = try await stop(server)
    defer { kill(jackd, SIGCONT) }
    auricle.child.signal(SIGTERM)
    while isHurried && auricle.child.isRunning {
      auricle.child.signal(SIGTERM)
      try await Task.sleep(for: .milliseconds(20))
    }
    let status = try await auricle.child.wait()
    #expect(status == .exited(1))
    let said = isHurried ? "signalled again" : "still at work after"
    #expect(auricle.child.standardError.contains(said), "\(auricle.child.transcript)")
  }

  @Test func aStartThatWaitsForAStoppedServerSaysSoAndCanBeEnded() async throws {
    let server = try await JackServer.start()
    let jackd = try await stop(server)
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
    let jackd = try await stop(server)
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

  /// Reports the server's end at any stage of the start, never a lack of ports, and never waits for
  /// a cycle that cannot come.
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
