// The session that the page shows: chosen, ended, and found again.

import Remotes
import SessionModel
import SessionTestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct SessionChoiceTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private static let state = "document.querySelector('#state').textContent"
  private static let lines = "document.querySelectorAll('.journal li').length"

  /// A session that starts later is offered. The address keeps the choice, also for a reload.
  @Test func aSessionIsChosenUntilItEnds() async throws {
    try await rig.onPage("journal") { page, session in
      let choices = "[...document.querySelector('#session').options].map(one => one.value).sort()"
      #expect(await rig.sees(page, session, choices, "[\"stage\"]"))
      let socket = try SessionSocket(name: "other", in: rig.test.folder)
      defer { socket.close() }
      let other = try await SteppedSession(
        rig.test.directory.write(
          "[[unit]]\nid = \"hum\"\ncomponent = \"tone\"\n", to: "other.toml"),
        socket: socket)
      func sees(_ expression: String, _ value: String) async -> Bool {
        await other.step(until: {
          await session.step(256)
          return (try? await page.evaluate(expression)) == value
        })
      }
      #expect(await sees(choices, "[\"other\",\"stage\"]"))
      _ = try await page.evaluate(
        """
        (document.querySelector('#session').value = 'other',
          document.querySelector('#session').dispatchEvent(new Event('change')))
        """)
      let shown = "[document.title, location.hash]"
      let chosen = "[\"other – Auricle\",\"#other/journal\"]"
      #expect(await sees(shown, chosen))
      try await other.ask(.set(path: "hum/frequency", value: .number(300)))
      #expect(await sees(Self.lines, "1"))
      _ = try await page.evaluate("(window.isOld = true, location.reload(), 0)")
      #expect(await sees("window.isOld === undefined && \(shown)", chosen))
      #expect(await sees(Self.lines, "1"))
      #expect(await other.end() == nil)
      socket.close()
      #expect(await rig.sees(page, session, shown, "[\"stage – Auricle\",\"#stage/journal\"]"))
      #expect(try await page.evaluate(Self.lines) == "0")
      #expect(try await page.evaluate(Self.state) == "\"The session “other” has ended.\"")
    }
  }

  /// The page says so, takes no input meanwhile, and shows what has changed.
  @Test func aLostConnectionIsMadeAgain() async throws {
    try await rig.onPage("journal") { page, session in
      _ = try await page.evaluate(
        """
        (() => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            window.socket = this;
            return send.call(this, text);
          };
          window.said = [];
          new MutationObserver(() => said.push([\(Self.state).slice(0, 23), document.body.inert]))
            .observe(document.querySelector('#state'), { childList: true });
        })()
        """)
      try await session.ask(.set(path: "lowpass/cutoff", value: .number(900)))
      #expect(await rig.sees(page, session, "\(Self.lines) === 1 && socket !== undefined", "true"))
      _ = try await page.evaluate("socket.close()")
      try await session.ask(.set(path: "lowpass/resonance", value: .number(6)))
      #expect(await rig.sees(page, session, Self.lines, "2"))
      #expect(try await page.evaluate("said[0]") == "[\"The connection is lost.\",true]")
      #expect(try await page.evaluate("[\(Self.state), document.body.inert]") == "[\"\",false]")
    }
  }
}
