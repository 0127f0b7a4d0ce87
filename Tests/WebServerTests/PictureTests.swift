// The pictures of tones, delays and reverbs in a browser.

import SessionModel
import SessionTestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct PictureTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private static func words(_ unit: String) -> String {
    "document.querySelector('[aria-labelledby=unit-\(unit)] .plot + .kind')?.textContent"
  }

  /// The heights of a curve's points from −1 at the bottom to 1, or of bars from 0.
  private static func heights(_ unit: String, from bottom: Int) -> String {
    """
    (() => {
      const plot = document.querySelector('[aria-labelledby=unit-\(unit)] .plot');
      const { height } = plot.viewBox.baseVal;
      const heights = plot.querySelector('.curve').getAttribute('d').match(/[\\d.]+(?=[LM]|$)/g)
        .map((y) => 1 - (y - 8) / (height - 28));
      return heights.map((share) => Math.round(10 * (\(bottom) + (1 - \(bottom)) * share)) / 10);
    })()
    """
  }

  @Test func picturesFollowTheParameters() async throws {
    try await rig.onPage(
      "units",
      units: """
        [[unit]]
        id = "hum"
        component = "tone"
        [[unit]]
        id = "echo"
        component = "delay"
        [[unit]]
        id = "hall"
        component = "reverb"
        """
    ) { page, session in
      func set(_ path: String, _ value: Double) async throws {
        try await session.ask(.set(path: path, value: .number(value)))
      }
      #expect(await rig.sees(page, session, Self.words("hum"), "\"440.00 Hz\""))
      try await set("hum/key", 57)
      try await set("hum/tuning", 432)
      #expect(await rig.sees(page, session, Self.words("hum"), "\"216.00 Hz\""))
      try await set("hum/pitch", 1)
      #expect(await rig.sees(page, session, Self.words("hum"), "\"1000.00 Hz\""))
      // A quarter and three quarters of the first period, and a quarter of the second.
      try await set("hum/amplitude", 0.6)
      let quarters = "[50, 150, 250].map((index) => \(Self.heights("hum", from: -1))[index])"
      for (wave, values) in [
        (0.0, "[0.6,-0.6,0.6]"), (1, "[0.6,-0.6,0.6]"), (2, "[0.3,-0.3,0.3]"),
        (3, "[0.6,-0.6,0.6]"),
      ] {
        try await set("hum/waveform", wave)
        #expect(await rig.sees(page, session, quarters, values))
      }
      let echoes = "\"The last echo above −60 dB is after 4.50 s.\""
      #expect(await rig.sees(page, session, Self.words("echo"), echoes))
      // The input and the first echo at −6 dB of 60.
      let bars = Self.heights("echo", from: 0)
      #expect(
        await rig.sees(page, session, bars, "[0.9,0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1]"))
      for (feedback, words) in [
        (-100.0, "The echoes last longer than 8 s."),
        (0, "The last echo above −60 dB is after 0.50 s."),
      ] {
        try await set("echo/feedback", feedback)
        #expect(await rig.sees(page, session, Self.words("echo"), "\"\(words)\""))
      }
      // Neither the shortest delay nor silence hangs the page.
      try await set("echo/delay", 0)
      try await set("echo/mix", 0)
      let silence = "\"The last echo above −60 dB is after 0.00 s.\""
      #expect(await rig.sees(page, session, Self.words("echo"), silence))
      try await set("hall/decay", 2)
      let decay = "\"The lowest frequencies fall by 60 dB in 2.00 s, the highest in 1.43 s.\""
      #expect(await rig.sees(page, session, Self.words("hall"), decay))
    }
  }
}
