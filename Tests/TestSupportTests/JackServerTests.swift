// The rig's JACK server: start, crash, restart.
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct JackServerTests {
  @Test(arguments: [(44_100, 64), (48_000, 1_024), (96_000, 441)])
  func startsAtTheAskedRateAndPeriod(sampleRate: Int, period: Int) async throws {
    let server = try await JackServer.start(sampleRate: sampleRate, period: period)
    let client = try JackTestClient(server, "client")
    #expect(client.sampleRate == sampleRate)
    #expect(client.period == period)
    try await client.waitForCycles(3)
  }

  @Test func survivesAKillAndRestartsUnderTheSameName() async throws {
    let server = try await JackServer.start()
    do {
      let client = try JackTestClient(server, "client", audioInputs: 1)
      try await client.waitForCycles(2)
      try await server.kill()
      #expect(await eventually { client.shutdownReason != nil })
      await #expect(throws: RigError.self) { try await client.run(frames: 1_000) }
    }
    #expect(!server.isRunning)
    try await server.restart()
    let client = try JackTestClient(server, "client", audioInputs: 1)
    #expect(try await client.run(frames: 1_000).audio[0].count == 1_000)
  }

  @Test func killedServersDoNotFillJacksList() async throws {
    // JACK lists eight servers, including killed ones.
    for _ in 0..<9 {
      try await JackServer.start(period: 1_024).kill()
    }
    _ = try await JackServer.start()
  }

  @Test func leavesNothingBehind() async throws {
    var server: JackServer? = try await JackServer.start()
    let name = try #require(server?.name)
    try await server?.kill()
    server = nil
    let files = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
    #expect(!files.contains { $0.contains("_\(name)_") })
  }

  @Test func aChildFindsItByTheEnvironment() async throws {
    let server = try await JackServer.start()
    let list = try #require(installedProgram("jack_lsp"))
    let child = try ChildProcess(list, environment: server.environment)
    #expect(try await child.wait() == .exited(0))
    #expect(child.standardOutput.contains("system:playback_1"))
  }
}
