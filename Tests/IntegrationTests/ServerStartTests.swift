// Servers that the command starts, and ends with itself.

import Foundation
import TestSupport
import Testing

/// A server that only these tests start, one at a time.
private let dummyServer = "auricle-test-dummy"

@Suite(.serialized) struct ServerStartTests {
  private let slot: ServerSlot

  init() async throws { slot = try await ServerSlot.acquire() }

  private func start(
    _ directory: TemporaryDirectory, through launcher: [String] = [], arguments: [String] = [],
    environment: [String: String?] = [:]
  ) async throws -> (child: ChildProcess, server: pid_t) {
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let command =
      launcher + [
        try builtProduct("auricle").path, "run", file.path, "--server", dummyServer,
        "--start-server", "dummy",
      ] + arguments
    let child = try ChildProcess(
      URL(fileURLWithPath: command[0]), Array(command.dropFirst()), environment: environment)
    _ = try await child.waitForLine(containing: "ready: filter 48000 Hz, 1024 frames")
    let servers = children(of: child.processIdentifier, running: "jackd")
    return (child, try #require(servers.count == 1 ? servers[0] : nil))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func theDummyServerEndsWithIt(signal: Int32) async throws {
    let directory = try TemporaryDirectory()
    let (child, server) = try await start(directory)
    child.signal(signal)
    let status = try await child.wait()
    #expect(status == .exited(0), "\(child.transcript)")
    #expect(!isAlive(server))
  }

  /// A child could report to the service manager in the session's name.
  @Test func theDummyServerDoesNotGetTheSocketOfTheServiceManager() async throws {
    let directory = try TemporaryDirectory()
    let (child, server) = try await start(
      directory, environment: ["NOTIFY_SOCKET": "/nowhere", "MARK": "mark"])
    let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(server)/environ"))
    let text = String(decoding: environment, as: UTF8.self)
    #expect(text.contains("MARK=mark") && !text.contains("NOTIFY_SOCKET"), "\(text)")
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  @Test func theDummyServerEndsAlsoWhenItIsKilled() async throws {
    let directory = try TemporaryDirectory()
    let (child, server) = try await start(directory)
    child.signal(SIGKILL)
    #expect(try await child.wait() == .signalled(SIGKILL))
    #expect(await eventually { !isAlive(server) })
  }

  /// Interrupts all processes of the foreground, as Ctrl-C in a terminal does.
  @Test func anInterruptOfTheWholeGroupIsNoLossOfTheServer() async throws {
    let setsid = try #require(installedProgram("setsid"))
    let directory = try TemporaryDirectory()
    let (child, server) = try await start(directory, through: [setsid.path])
    #expect(kill(-child.processIdentifier, SIGINT) == 0)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(!isAlive(server))
  }

  @Test func theDummyServersEndIsSaidAndIsStatus1WhereNoneIsWaitedFor() async throws {
    let directory = try TemporaryDirectory()
    let (child, server) = try await start(directory, arguments: ["--no-reconnect"])
    #expect(kill(server, SIGKILL) == 0)
    #expect(try await child.wait() == .exited(1))
    #expect(child.standardError.contains("the JACK server has shut down"))
  }

  @Test func aDummyServerThatEndsIsRestarted() async throws {
    let directory = try TemporaryDirectory()
    let (child, server) = try await start(directory)
    #expect(kill(server, SIGKILL) == 0)
    _ = try await child.waitForLine(
      containing: "the JACK server is back; ready: filter 48000 Hz, 1024 frames",
      in: .standardError)
    let servers = children(of: child.processIdentifier, running: "jackd")
    #expect(servers.count == 1 && servers != [server])
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    #expect(servers.allSatisfy { !isAlive($0) })
  }

  /// Starts it under the default name, so that clients find it without a name.
  @Test func theDummyServerHasTheDefaultName() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let environment = ["JACK_DEFAULT_SERVER": dummyServer]
    let child = try ChildProcess(
      builtProduct("auricle"), ["run", file.path, "--start-server", "dummy"],
      environment: environment)
    _ = try await child.waitForLine(containing: "ready:")
    let (_, doctor) = try await auricle(["doctor"], environment: environment)
    #expect(doctor.standardOutput.contains("JACK server at 48000 Hz"), "\(doctor.transcript)")
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  @Test func aDummyServerOfAnotherNameIsReportedWithTheLineToType() async throws {
    let directory = try TemporaryDirectory()
    let (child, _) = try await start(directory)
    _ = try await child.waitForLine(
      containing: "JACK_DEFAULT_SERVER=\(dummyServer) jack_lsp", in: .standardError)
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  /// Survives JACK metadata damaged by killed processes, which ends clients of libjack with a bus
  /// error. Runs only if `/dev/shm` is ours: the damage would reach other clients of this user.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["AURICLE_OWN_SHM"] != nil))
  func damagedMetadataOfKilledProcessesDoesNotMatter() async throws {
    let directory = try TemporaryDirectory()
    let (killed, server) = try await start(directory)
    killed.signal(SIGSTOP)
    #expect(kill(server, SIGKILL) == 0)
    killed.signal(SIGKILL)
    #expect(try await killed.wait() == .signalled(SIGKILL))
    #expect(await eventually { !isAlive(server) })
    #expect(truncate("/dev/shm/jack_db-\(getuid())/__db.003", 0) == 0)

    let (child, _) = try await start(directory)
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }
}

@Suite struct UsersServerTests {
  /// Starts the server named in `~/.jackdrc`, through libjack.
  @Test func theUsersOwnServerIsStartedWhenAsked() async throws {
    let jackd = try #require(installedProgram("jackd"))
    // Reserves the name and the slot of a server.
    let place = try await JackServer.start()
    try await place.stop()
    let directory = try TemporaryDirectory()
    _ = try directory.write("\(jackd.path) -r -d dummy -r 44100 -p 512\n", to: ".jackdrc")
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let child = try ChildProcess(
      builtProduct("auricle"),
      ["run", file.path, "--server", place.name, "--start-server", "default"],
      environment: [
        "HOME": directory.url.path, "JACK_NO_AUDIO_RESERVATION": "1", "JACK_NO_START_SERVER": nil,
      ])
    let line: String
    do { line = try await child.waitForLine(containing: "ready:") } catch {
      // libjack's server outlives a session that did not reach it, and would keep the name.
      for process in processes(withArgument: "-n\(place.name)") { kill(process, SIGTERM) }
      throw error
    }
    #expect(line == "ready: filter 44100 Hz, 512 frames")
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }
}
