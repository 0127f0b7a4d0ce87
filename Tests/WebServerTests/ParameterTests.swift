// The controls of parameters in a browser.

import SessionModel
import SessionTestSupport
import Testing

/// Each test asks the session afterwards, whatever the page shows.
@Suite(.serialized, .chromium, .inTurn) struct ParameterTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private static let unit = "document.querySelector('[aria-labelledby=unit-lowpass]')"
  private static let slider = unit + ".querySelector('input[type=range]')"

  private func onPage(
    _ others: String = "", _ body: (BrowserPage) async throws -> Void
  ) async throws {
    try await rig.onPage("units", others) { page, session in
      let page = BrowserPage(page: page, session: session)
      #expect(await page.sees("\(Self.slider)?.getAttribute('aria-valuetext')", "\"800 Hz\""))
      try await body(page)
    }
  }

  @Test func aValueIsTypedWithOrWithoutItsUnit() async throws {
    try await onPage { page in
      for (text, value) in [("1.2k", Float(1200)), ("440 Hz", 440), ("90", 90)] {
        _ = try await page.page.evaluate("\(Self.slider).focus()")
        try await page.page.key("Enter", code: "Enter", number: 13)
        #expect(
          try await page.page.evaluate("document.activeElement.ariaLabel") == "\"Cutoff, typed\"")
        _ = try await page.page.evaluate("document.activeElement.value = '\(text)'")
        try await page.page.key("Enter", code: "Enter", number: 13)
        #expect(await page.hears("lowpass/cutoff") { $0 == value }, "\(text)")
        #expect(try await page.page.evaluate("document.activeElement === \(Self.slider)") == "true")
      }
      // A text that is no value changes nothing, and neither does one that is left by Escape.
      for (text, key, number) in [("loud", "Enter", 13), ("50", "Escape", 27)] {
        _ = try await page.page.evaluate("\(Self.unit).querySelector('.value').focus()")
        _ = try await page.page.evaluate("document.activeElement.value = '\(text)'")
        try await page.page.key(key, code: key, number: number)
        #expect(await page.sees("\(Self.unit).querySelector('.value').value", "\"90 Hz\""))
      }
      #expect(await page.sees("document.querySelector('#state').textContent !== ''", "true"))
      #expect(try await page.session.value("lowpass/cutoff") == 90)
    }
  }

  @Test(arguments: ["Delete", "double click"])
  func theValueOfANewUnitIsSet(by way: String) async throws {
    try await onPage { page in
      if way == "Delete" {
        _ = try await page.page.evaluate("\(Self.slider).focus()")
        try await page.page.key("Delete", code: "Delete", number: 46)
      } else {
        _ = try await page.page.evaluate("\(Self.slider).dispatchEvent(new MouseEvent('dblclick'))")
      }
      #expect(await page.hears("lowpass/cutoff") { $0 == 20_000 })
    }
  }

  /// A value from elsewhere is shown once the finger has gone.
  @Test func aHeldSliderStaysUnderTheFinger() async throws {
    try await onPage { page in
      let place = try await page.box(Self.slider)
      let position = Self.slider + ".value"
      try await page.page.drag([(place.x + place.width * 0.3, place.y + place.height / 2)]) {
        do {
          #expect(await page.hears("lowpass/cutoff") { $0 != 800 })
          let held = try await page.page.evaluate(position)
          // The slider's last move is long ago.
          _ = try await page.page.evaluate("(performance.now = () => 1e9, 0)")
          try await page.session.ask(.set(path: "lowpass/cutoff", value: .number(9000)))
          // News come in their order.
          try await page.session.ask(.set(path: "lowpass/resonance", value: .number(6)))
          let resonance = Self.unit + ".querySelectorAll('input[type=range]')[1]"
          #expect(
            await page.sees("\(resonance).getAttribute('aria-valuetext').startsWith('6')", "true"))
          let now = try await page.page.evaluate(position)
          #expect(now == held)
        } catch { Issue.record(error) }
      }
      #expect(await page.sees("\(Self.slider).getAttribute('aria-valuetext')", "\"9000 Hz\""))
      #expect(try await page.session.value("lowpass/cutoff") == 9000)
    }
  }

  @Test func aMappedControllerIsNamedBesideItsParameter() async throws {
    let others = """
      [[map]]
      parameter = "lowpass/cutoff"
      controller = 20
      """
    try await onPage(others) { page in
      let names =
        "[...\(Self.unit).querySelectorAll('.parameter label')].map(one => one.textContent)"
      #expect(await page.sees("\(names).slice(0, 2)", #"["Cutoff controller=20","Resonance"]"#))
    }
  }
}
