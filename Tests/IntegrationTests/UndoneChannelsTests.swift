// Units restored by undo have their former channels.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct UndoneChannelsTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  /// Starts a unit of two channels and a player of one, both into a recorder, and the player into
  /// another one.
  private func run(on server: JackServer) async throws -> RunningAuricle {
    let sound = rig.directory.file("sound.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 1)
    try writer.write([Signal.noise(frames: 4800, seed: 1)])
    try writer.finish()
    return try await rig.run(
      """
      [client]
      name = "live"
      [[unit]]
      id = "stereo"
      component = "filter"
      [[unit]]
      id = "mono"
      component = "player"
      file = "\(sound.path)"
      [[unit]]
      id = "take"
      component = "recorder"
      file = "\(rig.directory.file("take.wav").path)"
      [[unit]]
      id = "small"
      component = "recorder"
      file = "\(rig.directory.file("small.wav").path)"
      [[connect]]
      from = "mono"
      to = "small"
      [[connect]]
      from = "stereo"
      to = "take"
      [[connect]]
      from = "mono"
      to = "take"
      """, on: server)
  }

  @Test func aUnitComesBackWithItsChannels() async throws {
    let server = try await JackServer.start()
    let auricle = try await run(on: server)
    _ = try await rig.ctl("remove", "stereo")
    _ = try await rig.ctl("remove", "take")
    for _ in 0..<2 {
      _ = try await rig.ctl("undo")
      #expect(try await rig.ctl("list").contains("take "))
      _ = try await rig.ctl("undo")
      #expect(try await rig.ctl("list").contains("stereo "))
      _ = try await rig.ctl("redo", "2")
    }
    try await auricle.expectEnd()
  }

  /// Recreates units of which the history kept only the description.
  @Test func aRestoredUnitHasItsChannels() async throws {
    let server = try await JackServer.start()
    let auricle = try await run(on: server)
    let watcher = try JackTestClient(server, "watcher")
    let ports = watcher.ports(matching: "^live:small_out")
    // A recorder without a source has two.
    #expect(ports.count == 1)
    _ = try await rig.ctl("remove", "stereo")
    _ = try await rig.ctl("remove", "take")
    _ = try await rig.ctl("remove", "small")
    let others = 10
    for _ in 0..<others {
      _ = try await rig.ctl("add", "other", "filter")
      _ = try await rig.ctl("remove", "other")
    }
    _ = try await rig.ctl("undo", "\(2 * others + 1)")
    #expect(watcher.ports(matching: "^live:small_out") == ports)
    _ = try await rig.ctl("undo", "2")
    #expect(try await rig.ctl("list").contains("stereo "))
    try await auricle.expectEnd()
  }

  /// Undoes a removal after the server's return, with the former channels.
  @Test func unitsKeepTheirChannelsAtAnotherServer() async throws {
    let server = try await JackServer.start()
    let auricle = try await run(on: server)
    _ = try await rig.ctl("remove", "stereo")
    try await server.kill(SIGTERM)
    try await server.restart()
    _ = try await auricle.child.waitForLine(
      containing: "the JACK server is back", in: .standardError)
    _ = try await rig.ctl("undo")
    #expect(try await rig.ctl("list").contains("stereo "))
    try await auricle.expectEnd()
  }
}
