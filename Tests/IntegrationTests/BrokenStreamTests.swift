// Standard streams that are closed or full, or have lost their reader.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct BrokenStreamTests {
  /// Runs the command with redirections, as a shell writes them.
  private func child(
    _ arguments: [String], _ redirections: String, environment: [String: String?] = [:]
  ) throws -> ChildProcess {
    try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "exec \"$0\" \"$@\" \(redirections)", builtProduct("auricle").path] + arguments,
      environment: environment)
  }

  @Test(arguments: [
    ["units"], ["units", "filter"], ["units", "--json"], ["--help"], ["help", "run"],
    ["run", "--help"], ["--version"], ["--generate-completion-script", "bash"], ["doctor"],
  ])
  func outputThatCannotBeWrittenIsSaidAndIsStatus1(arguments: [String]) async throws {
    let environment = ["JACK_DEFAULT_SERVER": absentServer]
    for output in [">/dev/full", ">&-"] {
      let child = try child(arguments, output, environment: environment)
      #expect(try await child.wait() == .exited(1))
      #expect(child.standardError.contains("standard output cannot be written"), "\(output)")
    }
    let silent = try child(arguments, ">&- 2>&- <&-", environment: environment)
    #expect(try await silent.wait() == .exited(1))
  }

  /// A reader such as `head` wants no more.
  @Test(arguments: ["--help", "units", "units --json", "pitches", "manual"])
  func aReaderThatHasGoneIsNoError(command: String) async throws {
    // The command starts once its reader has gone.
    let line = "{ sleep 0.3; \"$0\" \(command); } | true; exit ${PIPESTATUS[0]}"
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/bash"), ["-c", line, builtProduct("auricle").path])
    #expect(try await child.wait() == .exited(0))
    #expect(child.standardError == "")
  }

  @Test(arguments: ["2>/dev/full", "2>&-", "2>&- <&-", "2>\"$FIFO\""])
  func aBrokenLogNeverStopsTheSound(redirection: String) async throws {
    let server = try await JackServer.start()
    let watcher = try JackTestClient(server, "watcher")
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "late:audio_in_*")),
      to: "session.toml")
    // The reader lets writing begin, and is closed once the session is ready.
    let fifo = try directory.makePipe("log")
    let reader = open(fifo.path, O_RDONLY | O_NONBLOCK)
    let child = try child(
      ["run", file.path, "--server", server.name, "--verbose"], redirection,
      environment: ["FIFO": fifo.path])
    _ = try await child.waitForLine(containing: "ready:")
    close(reader)
    // The log reports each of these.
    for _ in 0..<3 {
      let late = try JackTestClient(server, "late", audioInputs: 2)
      #expect(
        await eventually {
          watcher.connections(of: "filter:lowpass_out_1") == ["late:audio_in_1"]
        })
      withExtendedLifetime(late) {}
    }
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  /// A socket with the descriptor of standard error would receive the log.
  @Test func closedStandardStreamsBecomeDevNull() async throws {
    let server = try await JackServer.start()
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let child = try child(["run", file.path, "--server", server.name], "2>&- <&-")
    _ = try await child.waitForLine(containing: "ready:")
    for descriptor in [0, 2] {
      let path = "/proc/\(child.processIdentifier)/fd/\(descriptor)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
    }
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  /// A terminal held up with Ctrl-S, or a waiting pager.
  @Test func aLogThatNobodyReadsHoldsNobodyUp() async throws {
    let server = try await JackServer.start()
    let watcher = try JackTestClient(server, "watcher")
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "late:audio_in_*")),
      to: "session.toml")
    let fifo = try directory.makePipe("log")
    let reader = open(fifo.path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    // Filled to capacity.
    let writer = open(fifo.path, O_WRONLY | O_NONBLOCK)
    let block = [UInt8](repeating: 10, count: 4096)
    while write(writer, block, block.count) > 0 {}
    close(writer)
    let child = try child(
      ["run", file.path, "--server", server.name, "--verbose"], "2>\"$FIFO\"",
      environment: ["FIFO": fifo.path])
    _ = try await child.waitForLine(containing: "ready:")
    let late = try JackTestClient(server, "late", audioInputs: 2)
    #expect(
      await eventually { watcher.connections(of: "filter:lowpass_out_1") == ["late:audio_in_1"] })
    withExtendedLifetime(late) {}
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  @Test(arguments: [8, 12, 16, 17, 24, 40])
  func tooFewFilesAreSaidAtOnce(limit: Int) async throws {
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "ulimit -n \(limit); exec \"$0\" doctor", builtProduct("auricle").path])
    #expect(try await child.wait() == .exited(1))
    #expect(child.standardError.contains("ulimit -n"), "\(child.transcript)")
  }
}
