// The page in a browser.

import Foundation
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

/// Each test asks the session afterwards, whatever the page shows.
@Suite(.serialized, .chromium, .inTurn) struct BrowserTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private func onPage(
    _ body: (Chromium.Page, SteppedSession) async throws -> Void
  ) async throws {
    try await rig.onPage("units", "", body)
  }

  private func sees(
    _ page: Chromium.Page, _ session: SteppedSession, _ expression: String, _ value: String
  ) async -> Bool {
    await rig.sees(page, session, expression, value)
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
      let place = try await BrowserPage(page: page, session: session).box(slider)
      // Longer than values without a gesture are joined for.
      var last: Float = 800
      try await page.drag(
        stride(from: 0.2, through: 0.5, by: 0.1).map {
          (place.x + place.width * $0, place.y + place.height / 2)
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

  /// Learns a controller, while other requests go on, and removes it.
  @Test func aControllerIsLearned() async throws {
    let others = """
      [[map]]
      parameter = "lowpass/resonance"
      controller = 20
      """
    try await rig.onPage("units", others) { page, session in
      let unit = "document.querySelector('[aria-labelledby=unit-lowpass]')"
      let learn = unit + ".querySelector('[aria-label=\"Learn a controller for lowpass\"]')"
      let lines =
        "[...\(unit).querySelectorAll('.controllers li')].map(one => one.innerText).join()"
      #expect(await sees(page, session, learn + " != null", "true"))
      _ = try await page.evaluate("\(unit).querySelector('.controllers').open = true")
      #expect(await sees(page, session, lines + ".includes('controller=20')", "true"))
      _ = try await page.evaluate(learn + ".click()")
      #expect(
        await sees(
          page, session, unit + ".querySelector('.controllers [role=status]').textContent",
          "\"Move a controller for Cutoff within 30 s.\""))
      _ = try await page.evaluate("document.querySelector('#save').click()")
      #expect(
        await sees(
          page, session, "document.querySelector('#state').textContent.startsWith('Saved')", "true")
      )
      // The session may begin to wait after the first moves.
      var move = UInt8(0)
      let isLearned = await session.step(until: {
        move ^= 127
        session.send(
          [TimedMIDI(frame: Int(session.frame) + 40, bytes: [0xB0, 74, move])],
          to: "control_midi_in")
        return (try? await page.evaluate(lines + ".includes('controller=74')")) == "true"
      })
      #expect(isLearned)
      session.send(
        [TimedMIDI(frame: Int(session.frame) + 40, bytes: [0xB0, 74, 0])], to: "control_midi_in")
      #expect(await session.step(until: { await cutoff(session) < 20 }))
      _ = try await page.evaluate(
        unit + ".querySelector('[aria-label=\"Remove the controllers of Cutoff\"]').click()")
      #expect(await sees(page, session, lines + ".includes('controller=74')", "false"))
      guard case .mappings(let mappings) = try await session.ask(.mappings) else { return }
      #expect(mappings.map(\.path) == ["lowpass/resonance"])
    }
  }

  /// Names, titles and tags are searched. A unit without a name gets a free one.
  @Test func whatIsAddedIsSearchedAndNamed() async throws {
    try await onPage { page, session in
      let adder = "document.querySelector('.adder')"
      let found = "[...\(adder).querySelectorAll('li')].map(one => one.textContent)"
      _ = try await page.evaluate("\(adder).open = true")
      #expect(await sees(page, session, found + ".length > 10", "true"))
      try await page.search("comp RESS", in: adder)
      #expect(try await page.evaluate(found) == "[\"Compressor (compressor)\"]")
      try await page.search("no such thing", in: adder)
      #expect(try await page.evaluate(found) == "[\"None is called so.\"]")
      try await page.search("compressor", in: adder)
      for (name, id) in [("", "compressor"), ("", "compressor-2"), ("glue", "glue")] {
        _ = try await page.evaluate("\(adder).querySelector('[type=text]').value = '\(name)'")
        _ = try await page.evaluate("\(adder).querySelector('li button').click()")
        // The page must know it before it chooses the next name.
        #expect(
          await sees(page, session, "document.querySelector('[data-box=\(id)]') !== null", "true"))
      }
    }
  }

  @Test func connectionsAndUnitsChange() async throws {
    try await onPage { page, session in
      let rows = "document.querySelectorAll('.graph tbody tr').length"
      #expect(await sees(page, session, rows, "1"))
      let disconnect = "document.querySelector('[aria-label=\"Disconnect keys:1 from lowpass:1\"]')"
      _ = try await page.evaluate(disconnect + ".click()")
      #expect(await sees(page, session, rows, "0"))
      let adder = "document.querySelector('.adder')"
      _ = try await page.evaluate("\(adder).open = true")
      let delay =
        "[...\(adder).querySelectorAll('li button')].find(one => /delay/.test(one.textContent))"
      #expect(await sees(page, session, "\(delay) !== undefined", "true"))
      _ = try await page.evaluate("\(delay).click()")
      #expect(await sees(page, session, "document.querySelectorAll('section').length", "4"))
      guard case .units(let units) = try await session.ask(.list(path: nil)) else { return }
      #expect(units.map(\.id) == ["keys", "lowpass", "delay"])
      #expect(try await session.undo().count == 1)
      #expect(await sees(page, session, "document.querySelectorAll('section').length", "3"))
    }
  }
}
