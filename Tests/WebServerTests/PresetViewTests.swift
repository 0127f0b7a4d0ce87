// The presets of a unit in a browser.

import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct PresetViewTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private static let presets = "document.querySelector('[aria-labelledby=unit-keys] .presets')"
  private static let names =
    "[...\(presets).querySelectorAll('li:not(.heading)')].map(one => one.firstChild.textContent)"

  private func enter(_ element: String, _ page: BrowserPage) async throws {
    _ = try await page.page.evaluate("\(Self.presets).querySelector('\(element)').focus()")
    try await page.page.key("Enter", code: "Enter", number: 13)
  }

  /// Presets of the user stand beside the sounds of the SoundFont.
  @Test func presetsAreSearchedLoadedSavedAndDeleted() async throws {
    try SoundFontMaker.rig.write(to: rig.test.directory.file("b.sf2"))
    try await rig.onUnits(
      """
      [[unit]]
      id = "keys"
      component = "sampler"
      soundfont = "b.sf2"
      """
    ) { page in
      // Nothing is listed before somebody looks.
      #expect(try await page.page.evaluate(Self.names) == "[]")
      _ = try await page.page.evaluate("\(Self.presets).open = true")
      let all = #"["Sine","Left","Click","Long","Right","Kit"]"#
      #expect(await page.sees(Self.names, all))
      try await page.page.search("xyz", in: Self.presets)
      #expect(try await page.page.evaluate(Self.names) == "[\"None is called so.\"]")
      try await page.page.search("T i", in: Self.presets)
      #expect(try await page.page.evaluate(Self.names) == #"["Right","Kit"]"#)
      let headings = "[...\(Self.presets).querySelectorAll('.heading')].map(one => one.textContent)"
      #expect(try await page.page.evaluate(headings) == #"["Bank 1","Bank 128"]"#)
      try await page.page.search("128:0", in: Self.presets)
      #expect(try await page.page.evaluate(Self.names) == #"["Kit"]"#)
      #expect(try await page.page.evaluate(headings) == #"["Bank 128"]"#)
      try await page.page.search("long", in: Self.presets)
      #expect(try await page.page.evaluate(Self.names) == "[\"Long\"]")
      try await enter("li button", page)
      let current = Self.presets + ".querySelector('[aria-current=true]')?.textContent"
      #expect(await page.sees(current, "\"Long\""))
      guard case .units(let units) = try await page.session.ask(.list(path: nil)) else { return }
      #expect(units[0].preset == "Long")

      try await page.session.ask(.set(path: "keys/gain", value: .number(-7)))
      _ = try await page.page.evaluate(
        "\(Self.presets).querySelector('[type=text]').value = ' mine '")
      try await page.page.search("", in: Self.presets)
      try await enter(".row button", page)
      #expect(await page.sees(Self.names + ".includes('mine')", "true"))
      try await page.session.ask(.set(path: "keys/gain", value: .number(0)))
      try await page.page.search("mine", in: Self.presets)
      try await enter("li button", page)
      #expect(await page.hears("keys/gain") { $0 == -7 })
      // Only the user's own can be deleted.
      let deletes = "\(Self.presets).querySelectorAll('[aria-label^=Delete]').length"
      try await page.page.search("", in: Self.presets)
      #expect(await page.sees(deletes, "1"))
      // A line stays when another one is chosen, or a press on it would be lost.
      let delete = "\(Self.presets).querySelector('[aria-label=\"Delete the preset mine\"]')"
      _ = try await page.page.evaluate("(window.former = \(delete), 0)")
      _ = try await page.page.evaluate(
        "[...\(Self.presets).querySelectorAll('li button')].find(one => one.textContent === 'Left').click()"
      )
      #expect(await page.sees(current, "\"Left\""))
      #expect(try await page.page.evaluate("former === \(delete)") == "true")
      try await enter("[aria-label=\"Delete the preset mine\"]", page)
      #expect(await page.sees(Self.names, all))
      #expect(try await page.page.evaluate(deletes) == "0")
    }
  }
}
