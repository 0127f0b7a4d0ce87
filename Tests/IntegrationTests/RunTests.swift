// `auricle run` on a live server: from "ready" to its end.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct RunTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func itIsReadyAndEndsWhenAsked(signal: Int32) async throws {
    let server = try await JackServer.start(sampleRate: 44_100, period: 128)
    let watcher = try JackTestClient(server, "watcher")
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    #expect(auricle.child.standardOutput == "ready: filter 44100 Hz, 128 frames\n")
    let ports = ["in_1", "in_2", "out_1", "out_2"].map { "filter:lowpass_\($0)" }
    #expect(watcher.ports(matching: "^filter:").sorted() == ports)
    #expect(try await auricle.end(with: signal) == .exited(0))
    #expect(watcher.ports(matching: "^filter:").isEmpty)
    #expect(auricle.child.standardOutput == auricle.readyLine + "\n")
  }

  /// With more heaps each loading thread would keep the most memory that it ever had.
  @Test func allThreadsShareOneHeap() async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    let file = "/proc/\(auricle.child.processIdentifier)/maps"
    let ranges = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      $0.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
    }
    // glibc gives each arena but the first 64 MB of addresses, a part of which is not yet used.
    let size: UInt = 64 << 20
    let arenas = zip(ranges, ranges.dropFirst()).filter { used, rest in
      used[0].isMultiple(of: size) && used[1] == rest[0] && rest[1] == used[0] + size
    }
    #expect(arenas.isEmpty)
    #expect(try await auricle.end() == .exited(0))
  }

  @Test func theServerOfTheEnvironmentIsTheDefault() async throws {
    let server = try await JackServer.start()
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let child = try ChildProcess(
      builtProduct("auricle"), ["run", file.path], environment: server.environment)
    _ = try await child.waitForLine(containing: "ready: filter")
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  @Test func theClientNameOfTheCommandLineGoesFirst() async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(
      Configurations.filter(), on: server, arguments: ["--client-name", "Zoë's filter"])
    #expect(auricle.readyLine == "ready: Zoë's filter 48000 Hz, 256 frames")
    try await auricle.expectEnd()
  }

  @Test func aTakenNameIsMadeUniqueAndSaid() async throws {
    let server = try await JackServer.start()
    let watcher = try JackTestClient(server, "filter")
    let auricle = try await RunningAuricle(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "system:playback_*")),
      on: server)
    #expect(auricle.readyLine == "ready: filter-01 48000 Hz, 256 frames")
    _ = try await auricle.child.waitForLine(
      containing: "'filter' was taken; this is 'filter-01'", in: .standardError)
    let outputs = watcher.ports(matching: "^filter-01:lowpass_out")
    #expect(outputs == ["filter-01:lowpass_out_1", "filter-01:lowpass_out_2"])
    for (index, output) in outputs.enumerated() {
      #expect(watcher.connections(of: output) == ["system:playback_\(index + 1)"])
    }
    try await auricle.expectEnd()
  }

  @Test func outsidePortsAreConnectedWhenTheyAppear() async throws {
    let server = try await JackServer.start()
    let watcher = try JackTestClient(server, "watcher")
    let auricle = try await RunningAuricle(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "late:audio_in_*")
          + Configurations.connection(from: "source:*", to: "lowpass")), on: server)
    let outputs = (1...2).map { "filter:lowpass_out_\($0)" }
    for output in outputs { #expect(watcher.connections(of: output).isEmpty) }
    _ = try await auricle.child.waitForLine(containing: "late:audio_in_*", in: .standardError)

    func isConnected() -> Bool {
      outputs.enumerated().allSatisfy {
        watcher.connections(of: $1) == ["late:audio_in_\($0 + 1)"]
      }
    }
    // A client that leaves and returns is connected again.
    for _ in 0..<3 {
      let late = try JackTestClient(server, "late", audioInputs: 2)
      #expect(await eventually { isConnected() })
      withExtendedLifetime(late) {}
    }
    let source = try JackTestClient(server, "source", audioOutputs: 1)
    #expect(
      await eventually {
        watcher.connections(of: "source:audio_out_1").count == 2
          || watcher.connections(of: "source:audio_out_1") == ["filter:lowpass_in_1"]
      })
    withExtendedLifetime(source) {}
    try await auricle.expectEnd()
  }

  @Test func portsThatAUserDisconnectedStayDisconnected() async throws {
    let server = try await JackServer.start()
    let watcher = try JackTestClient(server, "watcher")
    let auricle = try await RunningAuricle(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "system:playback_*")
          + Configurations.connection(from: "lowpass", to: "late:audio_in_*")), on: server)
    try await watcher.disconnect("filter:lowpass_out_1", from: "system:playback_1")
    // The notification of new ports could make the connection again.
    let late = try JackTestClient(server, "late", audioInputs: 2)
    #expect(
      await eventually { watcher.connections(of: "filter:lowpass_out_2").count == 2 })
    #expect(watcher.connections(of: "filter:lowpass_out_1") == ["late:audio_in_1"])
    withExtendedLifetime(late) {}
    try await auricle.expectEnd()
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func theServersEndIsSaidAndIsStatus1WhereNoneIsWaitedFor(signal: Int32) async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "system:playback_*")),
      on: server, arguments: ["--no-reconnect"])
    try await server.kill(signal)
    #expect(try await auricle.child.wait() == .exited(1))
    #expect(
      auricle.child.standardError.contains("the JACK server has shut down"),
      "\(auricle.child.transcript)")
  }

  @Test func doctorLooksAtTheServer() async throws {
    let server = try await JackServer.start(sampleRate: 44_100, period: 64)
    let (status, child) = try await auricle(["doctor", "--server", server.name])
    let lacks = child.standardOutput.contains("lacking")
    #expect(status == .exited(lacks ? 1 : 0))
    #expect(child.standardOutput.contains("JACK server at 44100 Hz, 64 frames"))
    let (without, other) = try await auricle(["doctor", "--server", absentServer])
    #expect(without == .exited(1))
    #expect(other.standardOutput.contains("--start-server dummy"))
  }
}
