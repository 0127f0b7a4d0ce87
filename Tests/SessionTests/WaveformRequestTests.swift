// Waveforms, as a session tells them.

import MediaFiles
import SessionModel
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@Suite struct WaveformRequestTests {
  @Test func aPlayersWaveformIsToldAndOtherUnitsHaveNone() async throws {
    let directory = try TemporaryDirectory()
    let writer = try AudioFileWriter(
      url: directory.file("a.wav"), sampleRate: 48_000, channelCount: 1)
    try writer.write([[0.5, 0, -1]])
    try writer.finish()
    let session = try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "song"
        component = "player"
        file = "a.wav"
        [[unit]]
        id = "empty"
        component = "player"
        channels = 1
        [[unit]]
        id = "tone"
        component = "tone"
        """, to: "session.toml"))
    let answer = try await session.ask(.waveform(unit: "song"))
    #expect(answer == .waveform(Waveform(seconds: 3 / 48_000, peaks: [0.5, 0, 1])))
    #expect(try await session.ask(.waveform(unit: "empty")) == .waveform(nil))
    #expect(
      await session.refusal(.waveform(unit: "tone"))
        == "'tone' has no waveform; accepted: song, empty")
    #expect(await session.end() == nil)
  }
}
