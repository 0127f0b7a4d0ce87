// `auricle ctl --as`: the name of a client.

import Remotes
import SessionTestSupport
import TestSupport
import Testing

@Suite struct ClientNameTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  /// Runs `body` with a session that `auricle ctl` finds.
  private func withSession(_ body: () async throws -> Void) async throws {
    let socket = try SessionSocket(name: "named", in: rig.folder)
    defer { socket.close() }
    let file = try rig.directory.write(Configurations.filter(), to: "session.toml")
    let session = try await SteppedSession(file, socket: socket)
    try await body()
    #expect(await session.end() == nil)
  }

  @Test func theJournalHasTheNameThatIsGiven() async throws {
    try await withSession {
      _ = try await rig.ctl("set", "lowpass/cutoff", "300", "--as", "Anna")
      _ = try await rig.ctl("bypass", "lowpass", "on", "--as", "Ben")
      _ = try await rig.ctl("bypass", "lowpass", "off")
      #expect(
        try await rig.ctl("journal") == """
          0:  -  ctl (Anna)  lowpass/cutoff from 900 to 300
          1:  -  ctl (Ben)   lowpass: bypass on
          2:  -  ctl         lowpass: bypass off

          """)
    }
  }

  /// Refused also by commands that report the name nowhere.
  @Test(arguments: [
    ["set", "lowpass/cutoff", "300"], ["get", "lowpass/cutoff"], ["list"], ["status"],
    ["watch", "lowpass"], ["journal"],
  ])
  func aNameWithALineBreakIsRefused(command: [String]) async throws {
    try await withSession {
      let child = try rig.start(command + ["--as", "a\nb"])
      #expect(try await child.wait() == .exited(1), "\(child.transcript)")
      #expect(child.standardOutput.isEmpty)
      #expect(child.standardError.contains("cannot be a client's name"), "\(child.transcript)")
      #expect(try await rig.ctl("get", "lowpass/cutoff") == "900\n")
    }
  }

  @Test func commandsTogetherHaveOneName() async throws {
    #expect(
      try await rig.refusal("together", "set", "a/b", "1", "--as", "Anna", status: 2)
        .contains("--as and --json come before the commands"))
  }
}
