// Recovery of a session that was killed on a live server.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct RecoveryTests {
  private let rig: ControlRig
  private let file: URL

  init() throws {
    rig = try ControlRig()
    file = try rig.directory.write(Configurations.filter(), to: "live.toml")
  }

  @Test func changesOfAKilledSessionAreOfferedAndRecovered() async throws {
    let server = try await JackServer.start()
    let before = try Data(contentsOf: file)
    let killed = try await rig.run(file, on: server)
    _ = try await rig.ctl("set", "lowpass/cutoff", "1234")
    #expect(
      await eventually { rig.recovery?.contains("cutoff = 1234") == true }, "\(killed.transcript)")
    killed.signal(SIGKILL)
    #expect(try await killed.wait() == .signalled(SIGKILL))
    // As after a power cut: jackd has nothing of the session either.
    try await server.kill()
    try await server.restart()
    #expect(try Data(contentsOf: file) == before)

    let again = try await rig.run(file, "--recover", on: server)
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "1234\n")
    #expect(try await rig.ctl("status").contains("live.toml, changed since it was saved\n"))
    _ = try await rig.ctl("save")
    #expect(rig.recovery == nil)
    // An orderly end keeps later changes.
    _ = try await rig.ctl("set", "lowpass/resonance", "-3")
    again.signal(SIGTERM)
    #expect(try await again.wait() == .exited(0), "\(again.transcript)")
    _ = try await again.waitForLine(
      containing: "what was not saved of \(file.path) is kept in", in: .standardError)
    #expect(rig.recovery?.contains("resonance = -3") == true)

    // The next run uses the file unchanged, and leaves the choice to the user.
    let told = try await rig.run(file, on: server)
    _ = try await told.waitForLine(
      containing: "there is a recovery of \(file.path) from", in: .standardError)
    #expect(try await rig.ctl("list", "lowpass").contains("lowpass/cutoff     1234 Hz"))
    #expect(try await rig.ctl("get", "lowpass/resonance") != "-3.00\n")
    told.signal(SIGTERM)
    #expect(try await told.wait() == .exited(0), "\(told.transcript)")
    #expect(!told.standardError.contains("is kept in"))
  }

  @Test func unsavedChangesOutliveTheServerToo() async throws {
    let server = try await JackServer.start()
    let child = try await rig.run(file, "--no-reconnect", on: server)
    _ = try await rig.ctl("set", "lowpass/cutoff", "1234")
    try await server.kill()
    #expect(try await child.wait() == .exited(1))
    #expect(rig.recovery?.contains("cutoff = 1234") == true, "\(child.transcript)")
  }

  @Test func impossibleOptionsAreRefused() async throws {
    for seconds in [-1, 86_401] {
      let (status, child) = try await auricle(["run", "--autosave=\(seconds)"])
      #expect(status == .exited(2) && child.standardError.contains("1 to 86400 seconds"))
    }
    for (others, expected) in [
      (["--discard-recovery"], "--discard-recovery"),
      (["--set", "a/b=1"], "--set: a recovery has"),
    ] {
      let (status, child) = try await auricle(["run", "--recover"] + others)
      #expect(
        status == .exited(2)
          && child.standardError.contains("give either --recover or \(expected)"))
    }
  }
}
