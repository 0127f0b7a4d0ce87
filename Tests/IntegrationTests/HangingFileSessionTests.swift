// A file that hangs while a playing session reads it.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct HangingFileSessionTests {
  private let rig: ControlRig
  private let file: URL
  private let pipe: String

  init() throws {
    rig = try ControlRig()
    file = try rig.directory.write(Configurations.filter(), to: "live.toml")
    pipe = try rig.directory.makePipe("pipe.wav").path
  }

  /// Starts a command that makes the session wait for a file.
  private func ask(_ session: ChildProcess) async throws -> ChildProcess {
    let asking = try rig.start(["add", "tune", "player", "file=\(pipe)"])
    _ = try await session.waitForLine(
      containing: "waiting for \(pipe), which is no regular file", in: .standardError)
    return asking
  }

  @Test func changesMadeWhileAFileHangsOutliveAKill() async throws {
    let server = try await JackServer.start()
    let killed = try await rig.run(file, on: server)
    let asking = try await ask(killed)
    _ = try await rig.ctl("set", "lowpass/cutoff", "1234")
    // Before the wait for the file ends.
    #expect(
      await eventually(within: .seconds(15)) { rig.recovery?.contains("cutoff = 1234") == true },
      "\(killed.transcript)")
    killed.signal(SIGKILL)
    #expect(try await killed.wait() == .signalled(SIGKILL))
    #expect(try await asking.wait() == .exited(1))
    try await server.kill()
    try await server.restart()
    let again = try await rig.run(file, "--recover", on: server)
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "1234\n")
    again.signal(SIGTERM)
    #expect(try await again.wait() == .exited(0), "\(again.transcript)")
  }

  @Test func noFileIsAwaitedForAClientThatHasLeft() async throws {
    let server = try await JackServer.start()
    let session = try await rig.run(file, on: server)
    let asking = try await ask(session)
    asking.signal(SIGKILL)
    _ = try await session.waitForLine(
      containing: "\(pipe) is waited for no longer: whoever wanted it has gone", in: .standardError)
    _ = try await asking.wait()
    #expect(try await rig.ctl("save").contains("live.toml"))
    session.signal(SIGTERM)
    #expect(try await session.wait() == .exited(0), "\(session.transcript)")
  }
}
