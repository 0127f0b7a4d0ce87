// Playback and recording in a running session.

import Configuration
import MediaFiles
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct RecordingSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func recorded(_ name: String) throws -> [[Float]] {
    try AudioFileReader(contentsOf: directory.file(name)).read()
  }

  /// Sets a value.
  ///
  /// - Returns: the frame on which it is set.
  private func set(
    _ path: String, _ value: SettingValue, in session: SteppedSession
  ) async throws -> Int {
    let answer = try await session.ask(.set(path: path, value: value, reportsFrame: true))
    guard case .frame(let frame) = answer else { throw Missing() }
    return Int(frame)
  }

  private struct Missing: Error {}

  /// Starts a session with a player of stereo noise and further configuration.
  private func run(_ noise: [[Float]], _ others: String) async throws -> SteppedSession {
    let writer = try AudioFileWriter(
      url: directory.file("sound.wav"), sampleRate: 48_000, channelCount: 2)
    try writer.write(noise)
    try writer.finish()
    let player = "[[unit]]\nid = \"backing\"\ncomponent = \"player\"\nfile = \"sound.wav\"\n"
    return try await SteppedSession(try directory.write(player + others, to: "session.toml"))
  }

  @Test func playedSoundIsRecordedToTheBit() async throws {
    let noise = (1...2).map { Signal.noise(frames: 60_000, seed: $0, amplitude: 0.5) }
    let session = try await run(
      noise,
      """
      [[unit]]
      id = "take"
      component = "recorder"
      file = "take.wav"
      parameters = { recording = true }
      [[connect]]
      from = "backing"
      to = "take"
      """)
    let start = try await set("backing/state", .string("Playing"), in: session)
    await session.step(72_000)
    #expect(try await session.value("backing/state") == 0)
    let end = try await set("take/recording", .boolean(false), in: session)
    _ = try await set("take/recording", .boolean(true), in: session)
    await session.step(4_800)
    #expect(await session.end() == nil)
    let take = try recorded("take.wav")
    #expect(take[0].count == end)
    for channel in 0..<2 {
      let expected =
        Signal.silence(frames: start) + noise[channel]
        + Signal.silence(frames: end - start - 60_000)
      #expect(firstDifference(take[channel], expected) == nil)
    }
    // The second take was still running when the session ended.
    let second = try recorded("take-2.wav")
    #expect(second[0].count >= 4_800)
    #expect(second[0].allSatisfy { $0 == 0 })
  }

  /// A recorder after each source, started and ended together.
  @Test func stemsBeginAndEndOnOneFrame() async throws {
    let stem = { (name: String) in
      """
      [[unit]]
      id = "\(name)"
      component = "recorder"
      file = "\(name).wav"
      [[connect]]
      from = "backing"
      to = "\(name)"

      """
    }
    let noise = Signal.noise(frames: 60_000, seed: 1)
    let session = try await run([noise, noise], stem("drums") + stem("bass"))
    let start = try await set("backing/state", .string("Playing"), in: session)
    var frames: [Int] = []
    for value in [true, false] {
      let answer = try await session.ask(
        .together(
          ["drums", "bass"].map { .set(path: "\($0)/recording", value: .boolean(value)) }))
      guard case .frame(let frame) = answer else { throw Missing() }
      frames.append(Int(frame) - start)
      await session.step(9_600)
    }
    #expect(await session.end() == nil)
    for name in ["drums.wav", "bass.wav"] {
      #expect(firstDifference(try recorded(name)[0], Array(noise[frames[0]..<frames[1]])) == nil)
    }
  }
}
