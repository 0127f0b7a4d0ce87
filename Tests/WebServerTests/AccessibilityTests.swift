// The page by the rules of the web's accessibility guidelines.

import Foundation
import SessionModel
import SessionTestSupport
import Testing

/// `axe-core`, which a package of PyPI has as a file.
private enum Axe {
  static let packages = PythonPackages(
    ["axe-playwright-python==0.1.8"], in: "axe-playwright-python-0.1.8")

  static let script = packages.folder.appendingPathComponent("axe_playwright_python/axe.min.js")

  /// Begins a check of what is shown. `axeFound` has what is wrong, each with its element.
  static let check = """
    window.axeFound = null;
    axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"],
      preload: false,
    }).then(({ violations, passes }) => {
      axeFound = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ""}`));
      if (passes.length === 0) axeFound.push("nothing was checked");
    }, (error) => { axeFound = [error.message]; });
    """
}

@Suite(
  .serialized, .chromium, .inTurn,
  .enabled("axe-core is not installed, and PyPI cannot be reached") {
    await Axe.packages.areThere { FileManager.default.fileExists(atPath: Axe.script.path) }
  })
struct AccessibilityTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private static let units = """
    [[unit]]
    id = "keys"
    component = "sampler"
    soundfont = "a.sf2"
    [[unit]]
    id = "lowpass"
    component = "filter"
    [[unit]]
    id = "eq"
    component = "eq"
    bands = 2
    [[unit]]
    id = "comp"
    component = "compressor"
    [[unit]]
    id = "desk"
    component = "mixer"
    [[unit]]
    id = "room"
    component = "environment"
    [[unit]]
    id = "hum"
    component = "tone"
    [[unit]]
    id = "track"
    component = "player"
    channels = 2
    [[unit]]
    id = "take"
    component = "recorder"
    file = "take.wav"
    [[unit]]
    id = "up"
    component = "midi"
    midi = [{ stage = "transpose", semitones = 12 }]
    [[connect]]
    from = "keys"
    to = "lowpass"
    [[connect]]
    from = "lowpass"
    to = "eq"
    [[connect]]
    from = "eq"
    to = "comp"
    [[connect]]
    from = "comp"
    to = "desk:1"
    [[connect]]
    from = "hum"
    to = "room:1"
    [[map]]
    parameter = "lowpass/resonance"
    controller = 20
    [[scene]]
    name = "dark"
    parameters = { lowpass.cutoff = 300 }

    """

  /// In both themes, with all lists open and a change chosen.
  @Test(arguments: ["patchbay", "units", "stage", "journal", "health"])
  func thePageKeepsTheGuidelines(_ name: String) async throws {
    let axe = try String(contentsOf: Axe.script, encoding: .utf8)
    try await rig.onPage(name, units: Self.units) { page, session in
      try await session.ask(.set(path: "lowpass/cutoff", value: .number(900)), as: "Ada")
      try await session.ask(.bypass(unit: "eq", isOn: true), as: "Ada")
      if name == "journal" {
        let item = "document.querySelector('.journal li')"
        #expect(await rig.sees(page, session, "\(item) !== null", "true"))
        _ = try await page.evaluate("\(item).click()")
      }
      try await page.run("for (const one of document.querySelectorAll('details')) one.open = true")
      try await page.run(axe)
      for theme in ["dark", "light"] {
        try await page.emulate(
          ["prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"])
        await session.step(4_800)
        try await page.run(Axe.check)
        #expect(await rig.sees(page, session, "axeFound !== null", "true"))
        try await expectNothing(of: page, theme)
      }
    }
  }

  @Test func theFormForACodeKeepsTheGuidelines() async throws {
    let axe = try String(contentsOf: Axe.script, encoding: .utf8)
    let test = try TestServer {
      $0.address = "0.0.0.0"
      $0.hosts = ["localhost"]
    }
    defer { rig.close() }
    let page = try await rig.open(at: test.address)
    #expect(await page.sees("document.querySelector('form') && document.readyState === 'complete'"))
    _ = try await page.evaluate("document.querySelector('form button').click()")
    #expect(await page.sees("document.getElementById('state').textContent !== ''"))
    try await page.run(axe)
    for theme in ["dark", "light"] {
      try await page.emulate(["prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"])
      try await page.run(Axe.check)
      #expect(await page.sees("axeFound !== null"))
      try await expectNothing(of: page, theme)
    }
  }

  private func expectNothing(of page: Chromium.Page, _ theme: String) async throws {
    let found = try JSONDecoder().decode(
      [String].self, from: Data(try await page.evaluate("axeFound").utf8))
    #expect(found.isEmpty, "\(theme): \(found.joined(separator: "\n"))")
  }
}
