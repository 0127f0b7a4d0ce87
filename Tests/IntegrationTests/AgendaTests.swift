// Values scheduled for later frames, and the end of the server.

import TestSupport
import Testing

@Suite(.serialized) struct AgendaTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  @Test func aServerThatGoesTakesItsFramesAlong() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Configurations.filter(), on: server)
    let frame = try #require(try rig.status()?.frame) + 600 * 48_000
    _ = try await rig.ctl("set", "lowpass/cutoff", "700", "--at", "\(frame)")
    #expect(try rig.status()?.agenda == 1)
    try await server.kill()
    _ = try await auricle.child.waitForLine(
      containing: "the server has gone: lowpass/cutoff to 700 on frame \(frame)",
      in: .standardError)
    #expect(try #require(try rig.status()).agenda == nil)
    #expect(
      try await rig.ctl("journal")
        == "0:  -  ctl  lowpass/cutoff to 700 on frame \(frame): refused, the server has gone\n")
    #expect(try await auricle.end() == .exited(0), "\(auricle.child.transcript)")
  }
}
