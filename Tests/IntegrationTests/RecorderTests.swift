// Takes of a session on a live server.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct RecorderTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  private func recorded(_ name: String) throws -> [[Float]] {
    try AudioFileReader(contentsOf: rig.directory.file(name)).read()
  }

  @Test func aTakeSurvivesAKill() async throws {
    let server = try await JackServer.start()
    let noise = Signal.noise(frames: 60_000, seed: 1, amplitude: 0.5)
    let sound = rig.directory.file("sound.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 2)
    try writer.write([noise, noise])
    try writer.finish()
    let auricle = try await rig.run(
      """
      [client]
      name = "live"
      [[unit]]
      id = "backing"
      component = "player"
      file = "\(sound.path)"
      [[unit]]
      id = "take"
      component = "recorder"
      file = "\(rig.directory.file("take.wav").path)"
      parameters = { recording = true }
      [[connect]]
      from = "backing"
      to = "take"
      """, on: server)
    #expect(try await rig.ctl("set", "backing/loop", "true") == "")
    #expect(try await rig.ctl("set", "backing/state", "Playing") == "")
    let isThere = await eventually {
      (try? recorded("take.wav").first?.count ?? 0) ?? 0 >= 96_000
    }
    #expect(isThere)
    #expect(try await auricle.end(with: SIGKILL) == .signalled(SIGKILL))
    let take = try recorded("take.wav")
    #expect(take[0].count >= 96_000)
    // Silence precedes the sound, and replaces cycles that a busy machine skipped.
    let played = take[0].filter { $0 != 0 }.prefix(noise.count)
    #expect(played.count > 20_000)
    #expect(firstDifference(Array(played), Array(noise.prefix(played.count))) == nil)
  }

  /// Runs if the tests may mount a small disk.
  @Test(.enabled(if: geteuid() == 0))
  func aFullDiskIsReadOffInParametersAndStatus() async throws {
    let server = try await JackServer.start()
    let disk = rig.directory.file("disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0 else { return }
    defer { umount2(disk, Int32(MNT_DETACH)) }
    let auricle = try await rig.run(
      """
      [client]
      name = "live"
      [[unit]]
      id = "take"
      component = "recorder"
      file = "\(disk)/take.wav"
      parameters = { recording = true }
      """, on: server)
    _ = try await auricle.child.waitForLine(containing: "no space left for", in: .standardError)
    for parameter in ["recording", "running"] {
      var value = ""
      while value != "Off\n" { value = try await rig.ctl("get", "take/\(parameter)") }
    }
    #expect(try await rig.ctl("status").contains("takes that ended early"))
    #expect(try await auricle.end() == .exited(0))
  }

  @Test func theCommandRecordsToTheFrame() async throws {
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
    let player = try JackTestClient(server, "player", audioOutputs: 2)
    player.script.audio = (1...2).map { Signal.noise(frames: 480_000, seed: $0) }
    let file = rig.directory.file("take.flac")
    let child = try ChildProcess(
      builtProduct("auricle"),
      [
        "record", file.path, "--server", server.name, "--from", "player:audio_out_*", "--seconds",
        "0.75", "--format", "16",
      ], environment: ["XDG_RUNTIME_DIR": rig.directory.url.path])
    let takes = try await JackTestClient.run([player], frames: 480_000) {
      let status = try await child.wait()
      #expect(status == .exited(0), "\(child.transcript)")
    }
    #expect(takes[0].isComplete)
    let take = try AudioFileReader(contentsOf: file).read()
    #expect(take.count == 2 && take[0].count == 36_000)
    let start = try #require(
      (0..<400_000).first { frame in
        (0..<8).allSatisfy { abs(player.script.audio[0][frame + $0] - take[0][$0]) < 1e-4 }
      })
    for channel in 0..<2 {
      #expect(
        zip(take[channel], player.script.audio[channel][start...]).allSatisfy {
          abs($0 - $1) <= 1.0 / 32_768
        })
      #expect(take[channel].allSatisfy { ($0 * 32_768).rounded() == $0 * 32_768 })
    }
  }
}
