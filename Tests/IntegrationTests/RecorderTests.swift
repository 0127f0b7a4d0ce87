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
    #expect(try await auricle.end() == .exited(0))
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
}
