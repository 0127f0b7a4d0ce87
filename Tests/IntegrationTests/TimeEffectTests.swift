// Time effects in a session that runs.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct TimeEffectTests {
  private static let frames = 40_000
  private let rig: ControlRig
  private let noise = (1...2).map { Signal.noise(frames: frames, seed: $0, amplitude: 0.5) }

  init() throws { rig = try ControlRig() }

  /// A player of noise behind a time effect, recorded.
  private func configuration(_ effect: String = "varispeed") throws -> String {
    let sound = rig.directory.file("sound.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 2)
    try writer.write(noise)
    try writer.finish()
    return """
      [client]
      name = "live"
      [[unit]]
      id = "backing"
      component = "player"
      file = "\(sound.path)"
      [[unit]]
      id = "speed"
      component = "\(effect)"
      [[unit]]
      id = "take"
      component = "recorder"
      file = "\(rig.directory.file("take.wav").path)"
      parameters = { recording = true }
      [[connect]]
      from = "backing"
      to = "speed"
      [[connect]]
      from = "speed"
      to = "take"
      """
  }

  private func play() async throws {
    #expect(try await rig.ctl("set", "backing/state", "Playing") == "")
    var state = ""
    while state != "Stopped\n" { state = try await rig.ctl("get", "backing/state") }
  }

  @Test func whatIsPlayedComesAtTheRateThatIsSet() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(try configuration(), on: server)
    try await play()
    #expect(try await rig.ctl("set", "speed/rate", "0.5") == "")
    try await play()
    try await auricle.expectEnd()
    let take = try AudioFileReader(contentsOf: rig.directory.file("take.wav")).read()
    let start = try #require(take[0].firstIndex { $0 != 0 })
    let end = try #require(take[0].lastIndex { $0 != 0 })
    for channel in 0..<2 {
      let sound = Array(take[channel][start..<start + Self.frames])
      #expect(firstDifference(sound, noise[channel]) == nil)
    }
    let rest = take[0][(start + Self.frames)...]
    let second = try #require(rest.firstIndex { $0 != 0 })
    // The session may end before the last of it has passed the effect.
    #expect(abs(end - second - 2 * Self.frames) < 1_000)
  }

  @Test func whatIsStretchedLastsAsLongAsTheRateSays() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(try configuration("time-pitch"), on: server)
    #expect(try await rig.ctl("set", "speed/rate", "0.5") == "")
    try await play()
    // What the player has made is heard later, and the effect is silent then.
    let stopped = try #require(Double(try await rig.ctl("get", "take/time").dropLast()))
    var time = stopped
    while time < stopped + 0.7 {
      time = try #require(Double(try await rig.ctl("get", "take/time").dropLast()))
    }
    try await auricle.expectEnd()
    let take = try AudioFileReader(contentsOf: rig.directory.file("take.wav")).read()
    for channel in take {
      let start = try #require(onset(of: channel, above: 0.01))
      let end = try #require(channel.lastIndex { abs($0) > 0.01 })
      // Within half of a window at both ends.
      #expect(abs(end - start - 2 * Self.frames) < 8_000)
    }
  }

  @Test(arguments: ["varispeed", "time-pitch"])
  func liveInputIsRefusedAndNothingChanges(effect: String) async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(try configuration(effect), on: server)
    let live = try await rig.refusal("connect", "system:capture_1", "speed")
    #expect(live.contains("the time effect 'speed' may need more input than it puts out, or less"))
    #expect(live.contains("'speed' would get live input, which cannot give more frames than have"))
    let shared = try await rig.refusal("connect", "backing", "take")
    #expect(shared.contains("'backing' feeds it and 'take' as well"))
    try await play()
    try await auricle.expectEnd()
    let take = try AudioFileReader(contentsOf: rig.directory.file("take.wav")).read()
    #expect(take[0].contains { $0 != 0 })
  }
}
