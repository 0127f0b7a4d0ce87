// Time effects in a running session.

import MediaFiles
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite struct TimeEffectSessionTests {
  private static let frames = 40_000
  private let directory: TemporaryDirectory
  private let noise = (1...2).map { Signal.noise(frames: frames, seed: $0, amplitude: 0.5) }

  init() throws { directory = try TemporaryDirectory() }

  /// Starts a session of a noise player, and a time effect fed by it.
  private func run(_ effect: String) async throws -> SteppedSession {
    let writer = try AudioFileWriter(
      url: directory.file("sound.wav"), sampleRate: 48_000, channelCount: 2)
    try writer.write(noise)
    try writer.finish()
    return try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "backing"
        component = "player"
        file = "sound.wav"
        [[unit]]
        id = "speed"
        component = "\(effect)"
        [[unit]]
        id = "other"
        component = "filter"
        [[connect]]
        from = "backing"
        to = "speed"
        """, to: "session.toml"))
  }

  /// Plays the noise to its end.
  ///
  /// - Returns: the frames of each channel, from the first to the last one above `level`.
  private func play(_ session: SteppedSession, above level: Float = 0) async throws -> [[Float]] {
    let start = Int(session.frame)
    try await session.ask(.set(path: "backing/state", value: .string("Playing")))
    repeat { await session.step(4_800) } while try await session.value("backing/state") != 0
    // The effect plays the rest of the player's output, and is silent then.
    await session.step(48_000)
    return try ["speed_out_1", "speed_out_2"].map { port in
      let sound = session.audio(port)[start...]
      let first = try #require(sound.firstIndex { abs($0) > level })
      return Array(sound[first...sound.lastIndex { abs($0) > level }!])
    }
  }

  @Test func soundIsPlayedAtTheSetRate() async throws {
    let session = try await run("varispeed")
    let asItIs = try await play(session)
    for channel in 0..<2 { #expect(firstDifference(asItIs[channel], noise[channel]) == nil) }
    try await session.ask(.set(path: "speed/rate", value: .number(0.5)))
    for sound in try await play(session) {
      // Including the interpolation's frames at both ends.
      #expect((0..<256).contains(sound.count - 2 * Self.frames), "\(sound.count)")
    }
    #expect(await session.end() == nil)
  }

  @Test func stretchedSoundHasTheLengthOfItsRate() async throws {
    let session = try await run("time-pitch")
    try await session.ask(.set(path: "speed/rate", value: .number(0.5)))
    for sound in try await play(session, above: 0.01) {
      // Within half a window at both ends.
      #expect(abs(sound.count - 2 * Self.frames) < 8_000, "\(sound.count)")
    }
    #expect(await session.end() == nil)
  }

  @Test(arguments: ["varispeed", "time-pitch"])
  func liveInputIsRefusedAndNothingChanges(effect: String) async throws {
    let session = try await run(effect)
    let live = await session.refusal(.connect(from: "system:capture_1", to: "speed"))
    #expect(live.contains("the time effect 'speed' may need more input than it puts out, or less"))
    #expect(live.contains("'speed' would get live input, which cannot give more frames than have"))
    let shared = await session.refusal(.connect(from: "backing", to: "other"))
    #expect(shared.contains("'backing' feeds it and 'other' as well"))
    #expect(try await play(session)[0].count > Self.frames / 2)
    #expect(await session.end() == nil)
  }
}
