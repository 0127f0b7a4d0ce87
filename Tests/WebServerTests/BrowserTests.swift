// The page in a browser, with a session behind it.

import ControlSocket
import Foundation
import Remotes
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@testable import WebServer

/// Each test asks the session afterwards, whatever the page shows.
@Suite(
  .serialized, .enabled(if: Chromium.program != nil, "apt install chromium, to try the page"))
struct BrowserTests {
  private let test: TestServer
  private let chromium: Chromium

  init() throws {
    test = try TestServer()
    chromium = try Chromium()
  }

  /// A sampler with an endless sound, and a filter.
  private func run(_ socket: SessionSocket) async throws -> SteppedSession {
    try SoundFontMaker.endless().write(to: test.directory.file("a.sf2"))
    return try await SteppedSession(
      test.directory.write(
        """
        [[unit]]
        id = "keys"
        component = "sampler"
        soundfont = "a.sf2"
        [[unit]]
        id = "lowpass"
        component = "filter"
        parameters = { cutoff = 800 }
        [[connect]]
        from = "keys"
        to = "lowpass"
        """, to: "session.toml"), socket: socket)
  }

  /// Opens the page on a session, and ends both afterwards.
  private func onPage(
    _ body: (Chromium.Page, SteppedSession) async throws -> Void
  ) async throws {
    defer { chromium.close() }
    let socket = try SessionSocket(name: "stage", in: test.folder)
    defer { socket.close() }
    let session = try await run(socket)
    let page = try await chromium.open(test.server.link())
    #expect(await sees(page, session, "document.querySelectorAll('section').length", "3"))
    try await body(page, session)
    #expect(page.faults == [])
    #expect(await session.end() == nil)
  }

  /// Steps the session until an expression of the page has a value.
  private func sees(
    _ page: Chromium.Page, _ session: SteppedSession, _ expression: String, _ value: String
  ) async -> Bool {
    await session.step(until: { (try? await page.evaluate(expression)) == value })
  }

  private let slider = "document.querySelector('[aria-labelledby=unit-lowpass] input[type=range]')"

  private func cutoff(_ session: SteppedSession) async -> Float {
    (try? await session.value("lowpass/cutoff")) ?? 0
  }

  @Test func aValueMovesBothWays() async throws {
    try await onPage { page, session in
      let text = slider + ".getAttribute('aria-valuetext')"
      #expect(await sees(page, session, text, "\"800 Hz\""))
      try await session.ask(.set(path: "lowpass/cutoff", value: .number(1_000)))
      #expect(await sees(page, session, text, "\"1000 Hz\""))
      _ = try await page.evaluate(slider + ".focus()")
      try await page.key("End", code: "End", number: 35)
      #expect(await session.step(until: { await cutoff(session) == 20_000 }))
      #expect(try await session.journal().last?.client == "browser 1")
    }
  }

  /// The slider stays under the finger, and its way is one step of undo.
  @Test func aDragIsOneStep() async throws {
    try await onPage { page, session in
      let box = try await page.evaluate(
        "(({ x, y, width, height }) => [x, y, width, height])(\(slider).getBoundingClientRect())")
      let place = try JSONDecoder().decode([Double].self, from: Data(box.utf8))
      // Longer than values without a gesture are joined for.
      var last: Float = 800
      try await page.drag(
        stride(from: 0.2, through: 0.5, by: 0.1).map {
          (place[0] + place[2] * $0, place[1] + place[3] / 2)
        },
        wait: {
          #expect(await session.step(until: { await cutoff(session) != last }))
          last = await cutoff(session)
          await session.step(96_000)
        })
      #expect(try await session.undo().count == 1)
      #expect(await cutoff(session) == 800)
      await #expect(throws: (any Error).self) { _ = try await session.undo() }
    }
  }

  /// A note of the page's keyboard ends with the page.
  @Test func theKeyboardPlays() async throws {
    try await onPage { page, session in
      func hasVoices(_ count: Int) async -> Bool {
        await session.step(until: {
          guard case .status(let status)? = try? await session.askAtOnce(.status) else {
            return false
          }
          return status.unitStatus?.first?.voices == count
        })
      }
      let details = "document.querySelector('[aria-labelledby=unit-keys] .keyboard')"
      #expect(await sees(page, session, details + " !== null", "true"))
      _ = try await page.evaluate(details + ".open = true")
      _ = try await page.evaluate("document.querySelector('.keys').focus()")
      try await page.key("a", code: "KeyA", number: 65, isDown: true)
      try await page.key("d", code: "KeyD", number: 68, isDown: true)
      #expect(await hasVoices(2))
      try await page.key("d", code: "KeyD", number: 68, isDown: false)
      #expect(await hasVoices(1))
      try await page.close()
      #expect(await hasVoices(0))
    }
  }

  @Test func connectionsAndUnitsChange() async throws {
    try await onPage { page, session in
      let rows = "document.querySelectorAll('.graph tbody tr').length"
      #expect(await sees(page, session, rows, "1"))
      let disconnect = "document.querySelector('[data-connection=\"keys:1 lowpass:1\"]')"
      _ = try await page.evaluate(disconnect + ".click()")
      #expect(await sees(page, session, rows, "0"))
      let group = "document.querySelector('[role=group][aria-label=\"Add a unit\"]')"
      _ = try await page.evaluate("\(group).querySelector('select').value = 'delay'")
      _ = try await page.evaluate("\(group).querySelector('button').click()")
      #expect(await sees(page, session, "document.querySelectorAll('section').length", "4"))
      guard case .units(let units) = try await session.ask(.list(path: nil)) else { return }
      #expect(units.map(\.id) == ["keys", "lowpass", "delay"])
      #expect(try await session.undo().count == 1)
      #expect(await sees(page, session, "document.querySelectorAll('section').length", "3"))
    }
  }
}
