// The lights of a keyboard in a browser: what others play.

import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct KeyLightTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private static let keyboard = "document.querySelector('[aria-labelledby=unit-keys] .keyboard')"
  private static let lights = "[...\(keyboard)?.querySelectorAll('.down')].map(one => one.title)"

  private func play(_ session: SteppedSession, _ bytes: [UInt8]...) async throws {
    for bytes in bytes {
      try await session.ask(.midi(unit: "keys", bytes: bytes.map { Int($0) }, frame: nil))
    }
  }

  /// Opens the keyboard, and plays until it follows.
  private func begin(_ page: Chromium.Page, _ session: SteppedSession) async throws {
    try #require(await rig.sees(page, session, "\(Self.keyboard) !== null", "true"))
    _ = try await page.evaluate("\(Self.keyboard).open = true")
    let isFollowed = await session.step(until: {
      try? await play(session, [0x90, 60, 100])
      return (try? await page.evaluate(Self.lights)) == "[\"C 4\"]"
    })
    try #require(isFollowed)
    try await play(session, [0x80, 60, 0])
    try #require(await rig.sees(page, session, Self.lights, "[]"))
  }

  /// A key is lit as long as any channel holds it. It is named, also beyond the keys that are
  /// shown.
  @Test func keysThatOthersHoldAreLit() async throws {
    try await rig.onPage("units") { page, session in
      try await begin(page, session)
      func shows(_ keys: String) async -> Bool { await rig.sees(page, session, Self.lights, keys) }
      try await play(session, [0x90, 60, 100], [0x95, 60, 100], [0x90, 64, 100], [0x90, 100, 1])
      #expect(await shows("[\"C 4\",\"E 4\"]"))
      let names = Self.keyboard + ".querySelector('p').textContent"
      #expect(try await page.evaluate(names) == "\"Held: C 4, E 4, E 7\"")
      try await play(session, [0x80, 60, 0], [0x90, 64, 0])
      #expect(await shows("[\"C 4\"]"))
      try await play(session, [0x85, 60, 0], [0x80, 100, 0])
      #expect(await shows("[]"))
      #expect(try await page.evaluate(names) == "\"No key is held.\"")
      // Each message that ends the notes of a channel, and of no other.
      for number in [120, 123, 127] as [UInt8] {
        try await play(session, [0x91, 60, 9], [0x91, 62, 9], [0x92, 64, 9])
        #expect(await shows("[\"C 4\",\"D 4\",\"E 4\"]"))
        try await play(session, [0xB1, number, 0])
        #expect(await shows("[\"E 4\"]"))
        try await play(session, [0x82, 64, 0])
        #expect(await shows("[]"))
      }
      // The page's own keys are lit with them.
      try await play(session, [0x90, 48, 9])
      #expect(await shows("[\"C 3\"]"))
      _ = try await page.evaluate("document.querySelector('.keys').focus()")
      try await page.key("d", code: "KeyD", number: 68, isDown: true)
      #expect(await shows("[\"C 3\",\"E 3\"]"))
      try await page.key("d", code: "KeyD", number: 68, isDown: false)
      #expect(await shows("[\"C 3\"]"))
    }
  }

  /// Only an open keyboard follows, beside the monitor of Health.
  @Test func lightsAndTheMonitorFollowAtOnce() async throws {
    try await rig.onPage("units") { page, session in
      // What the page asks for, as it is sent.
      _ = try await page.evaluate(
        """
        (() => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            const { request } = JSON.parse(text);
            if (request?.midi) window.watched = request.midi;
            return send.call(this, text);
          };
        })()
        """)
      func asksFor(_ units: String) async -> Bool {
        await rig.sees(page, session, "window.watched", units)
      }
      try await begin(page, session)
      #expect(await asksFor("[\"keys\"]"))
      try await play(session, [0x90, 60, 100])
      #expect(await rig.sees(page, session, Self.lights, "[\"C 4\"]"))
      // Another page's keyboard is not seen; a key that is held there is forgotten.
      _ = try await page.evaluate("document.querySelector('#tab-health').click()")
      #expect(await asksFor("[\"*\"]"))
      #expect(try await page.evaluate(Self.lights) == "[]")
      _ = try await page.evaluate("document.querySelector('#tab-units').click()")
      #expect(await asksFor("[\"keys\"]"))
      try await begin(page, session)
      _ = try await page.evaluate("\(Self.keyboard).open = false")
      #expect(await asksFor("[]"))
    }
  }
}
