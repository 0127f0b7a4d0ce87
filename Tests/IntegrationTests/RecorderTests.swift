// Playing and recording in a session that runs.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct RecorderTests {
  private let rig: ControlRig
  private let noise = (1...2).map { Signal.noise(frames: 60_000, seed: $0, amplitude: 0.5) }

  init() throws { rig = try ControlRig() }

  /// A player of noise that goes through a recorder.
  private func run(on server: JackServer) async throws -> RunningAuricle {
    let sound = rig.directory.file("sound.wav")
    if !FileManager.default.fileExists(atPath: sound.path) {
      let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 2)
      try writer.write(noise)
      try writer.finish()
    }
    return try await rig.run(
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
  }

  private func recorded(_ name: String) throws -> [[Float]] {
    try AudioFileReader(contentsOf: rig.directory.file(name)).read()
  }

  @Test func whatIsPlayedIsRecordedToTheBit() async throws {
    let server = try await JackServer.start()
    let auricle = try await run(on: server)
    #expect(try await rig.ctl("set", "backing/state", "Playing") == "")
    var state = ""
    while state != "Stopped\n" { state = try await rig.ctl("get", "backing/state") }
    #expect(try await rig.ctl("set", "take/recording", "false") == "")
    #expect(try await rig.ctl("set", "take/recording", "true") == "")
    try await auricle.expectEnd()
    let take = try recorded("take.wav")
    let start = try #require(take[0].firstIndex { $0 != 0 })
    for channel in 0..<2 {
      let sound = Array(take[channel][start..<start + 60_000])
      #expect(firstDifference(sound, noise[channel]) == nil)
      #expect(take[channel][(start + 60_000)...].allSatisfy { $0 == 0 })
    }
    // The second take was not over when the session ended.
    #expect(try recorded("take-2.wav")[0].allSatisfy { $0 == 0 })
  }

  @Test func aTakeIsThereAfterAKill() async throws {
    let server = try await JackServer.start()
    let auricle = try await run(on: server)
    #expect(try await rig.ctl("set", "backing/loop", "true") == "")
    #expect(try await rig.ctl("set", "backing/state", "Playing") == "")
    let isThere = await eventually {
      (try? recorded("take.wav").first?.count ?? 0) ?? 0 >= 96_000
    }
    #expect(isThere)
    #expect(try await auricle.end(with: SIGKILL) == .signalled(SIGKILL))
    let take = try recorded("take.wav")
    #expect(take[0].count >= 96_000)
    let start = try #require(take[0].firstIndex { $0 != 0 })
    let length = min(60_000, take[0].count - start)
    #expect(
      firstDifference(Array(take[0][start..<start + length]), Array(noise[0][..<length])) == nil)
  }

  /// Where the tests may mount a small disk.
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

  /// A recorder behind each source, begun and ended together.
  @Test func stemsBeginAndEndOnOneFrame() async throws {
    let server = try await JackServer.start()
    let player = try JackTestClient(server, "player", audioOutputs: 1)
    player.script.audio = [Signal.noise(frames: 480_000, seed: 1)]
    let stem = { (name: String) in
      """
      [[unit]]
      id = "\(name)"
      component = "recorder"
      file = "\(self.rig.directory.file(name + ".wav").path)"
      [[connect]]
      from = "player:audio_out_1"
      to = "\(name)"

      """
    }
    let auricle = try await rig.run(
      "[client]\nname = \"live\"\n" + stem("drums") + stem("bass"), on: server)
    _ = try await JackTestClient.run([player], frames: 240_000) {
      for value in ["true", "false"] {
        #expect(
          try await rig.ctl(
            "together", "set", "drums/recording", value, ",", "set", "bass/recording", value)
            == "")
        try await Task.sleep(for: .milliseconds(300))
      }
    }
    try await auricle.expectEnd()
    let (drums, bass) = (try recorded("drums.wav"), try recorded("bass.wav"))
    #expect(drums[0].count > 1000)
    #expect(drums == bass)
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
