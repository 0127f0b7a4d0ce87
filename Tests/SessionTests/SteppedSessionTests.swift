// A session whose time is stepped does what one on a server does.

import SessionTestSupport
import TestSupport
import Testing

@testable import Session

@Suite struct SteppedSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [16, 256, 2048])
  func aValueAndAnEdgeTakeEffectOnTheirFrame(period: Int) async throws {
    let file = try directory.write(
      """
      [[unit]]
      id = "tone"
      component = "tone"
      parameters = { waveform = "Square" }
      [[unit]]
      id = "pass"
      component = "filter"
      bypass = true
      """, to: "session.toml")
    let session = try await SteppedSession(file, period: period)
    session.send([TimedMIDI(frame: 0, bytes: [0x90, 60, 127])], to: "tone_midi_in")
    await session.step(4_800)
    let frame = session.frame + 30_001
    #expect(
      try await session.ask(.together([.connect(from: "tone", to: "pass")], frame: frame))
        == .frame(frame))
    await session.step(4_800)
    let audio = session.audio("pass_out_1")
    let first = try #require(audio.firstIndex { $0 != 0 })
    #expect(first == Int(frame))
    #expect(await session.end() == nil)
  }
}
