// The curves of units in a browser, and their points.

import Foundation
import SessionModel
import SessionTestSupport
import Testing

/// Each test asks the session afterwards, whatever the page shows.
@Suite(.serialized, .chromium, .inTurn) struct CurveTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private func onPage(_ body: (BrowserPage) async throws -> Void) async throws {
    try await rig.onUnits(
      """
      [[unit]]
      id = "tone"
      component = "tone"
      parameters = { frequency = 1000, amplitude = 1 }
      [[unit]]
      id = "lowpass"
      component = "filter"
      parameters = { cutoff = 800 }
      [[unit]]
      id = "eq"
      component = "eq"
      bands = 2
      [[unit]]
      id = "comp"
      component = "compressor"
      parameters = { threshold = -24, attack = 1 }
      [[connect]]
      from = "tone"
      to = "comp"
      """, body)
  }

  private static func plot(_ unit: String) -> String {
    "document.querySelector('[aria-labelledby=unit-\(unit)] .plot')"
  }

  private static func handle(_ unit: String, _ number: Int = 1) -> String {
    "\(plot(unit)).querySelectorAll('.handle')[\(number - 1)]"
  }

  /// The middle of a point, once the page has its final layout.
  private func middle(
    _ page: BrowserPage, _ handle: String
  ) async throws -> (x: Double, y: Double) {
    let meters = "[...document.querySelectorAll('.meter')].every(({ height }) => height === 12)"
    #expect(await page.sees(meters, "true"))
    let box = try await page.box("\(handle).querySelector('.target')")
    return (box.x + box.width / 2, box.y + box.height / 2)
  }

  /// The way of a finger: to the right and up, in three parts.
  private static func way(from: (x: Double, y: Double)) -> [(x: Double, y: Double)] {
    (0...3).map { (from.x + 20 * Double($0), from.y - 8 * Double($0)) }
  }

  /// Moves the filter's point, and expects one step of undo for both values.
  private func move(
    _ page: BrowserPage,
    by drag: ([(x: Double, y: Double)], _ wait: () async -> Void) async throws -> Void
  ) async throws {
    #expect(await page.sees("\(Self.handle("lowpass")).getAttribute('role')", "\"slider\""))
    let middle = try await middle(page, Self.handle("lowpass"))
    let width = try await page.box(Self.plot("lowpass")).width - 48
    var (index, last) = (0, Float(800))
    try await drag(Self.way(from: middle)) {
      // The first place is where it is.
      if index > 0 { #expect(await page.hears("lowpass/cutoff") { $0 > last }) }
      last = (try? await page.session.value("lowpass/cutoff")) ?? 0
      index += 1
      // Longer than values without a gesture are joined for.
      await page.session.step(96_000)
    }
    // 60 pixels across of three decades, 24 up of 72 dB.
    let (cutoff, resonance) = (Float(800 * pow(1000, 60 / width)), Float(24.0 / 192 * 72))
    #expect(await page.hears("lowpass/cutoff") { abs($0 / cutoff - 1) < 0.01 })
    #expect(await page.hears("lowpass/resonance") { abs($0 - resonance) < 0.2 })
    #expect(try await page.session.undo().count == 1)
    #expect(try await page.session.value("lowpass/cutoff") == 800)
    #expect(try await page.session.value("lowpass/resonance") == 0)
    await #expect(throws: (any Error).self) { _ = try await page.session.undo() }
  }

  /// The highest place of the spectrum behind a curve, as a share of the width and of the height.
  private static func top(of unit: String) -> String {
    """
    (() => {
      const plot = \(plot(unit));
      const points = (plot.querySelector('.spectrum').getAttribute('d') ?? 'M0 999').match(/[\\d.]+ [\\d.]+/g)
        .map((point) => point.split(' ').map(Number));
      const [x, y] = points.reduce((top, point) => point[1] < top[1] ? point : top);
      const { width, height } = plot.viewBox.baseVal;
      return [(x - 34) / (width - 48), 1 - (y - 8) / (height - 28)].map((share) => Math.round(100 * share) / 100);
    })()
    """
  }

  /// A sine of 1 kHz at −6 dBFS is at 57 % of 20 Hz to 20 kHz, and at 93 % of 96 dB.
  @Test func theSpectrumIsBehindTheCurveWhileItIsSeen() async throws {
    try await onPage { page in
      try await page.session.ask(.connect(from: "tone", to: "lowpass"))
      for (path, value) in [
        ("lowpass/cutoff", 20_000.0), ("tone/amplitude", 0.5), ("tone/pitch", 1),
        ("tone/playing", 1),
      ] {
        try await page.session.ask(.set(path: path, value: .number(value)))
      }
      func isAt(_ x: Double) -> String {
        "(([x, y]) => Math.abs(x - \(x)) < 0.02 && Math.abs(y - 0.93) < 0.02)"
          + "(\(Self.top(of: "lowpass")))"
      }
      #expect(await page.sees(isAt(0.57), "true"))
      // What is not seen is not asked for.
      try await page.page.noteSpectra()
      for name in ["stage", "units"] {
        _ = try await page.page.evaluate("document.getElementById('tab-\(name)').click()")
        await page.session.step(9_728)
      }
      try await page.session.ask(.set(path: "tone/frequency", value: .number(4000)))
      #expect(await page.sees(isAt(0.77), "true"))
      #expect(try await page.page.evaluate("window.asked.at(0)") == "\"\"")
      #expect(try await page.page.evaluate("window.asked.at(-1).includes('lowpass')") == "true")
    }
  }

  @Test func theMouseMovesTheFiltersPoint() async throws {
    try await onPage { page in
      try await move(page) { try await page.page.drag($0, wait: $1) }
    }
  }

  @Test func aFingerMovesTheFiltersPoint() async throws {
    try await onPage { page in
      try await move(page) { try await page.page.touch($0.map { [$0] }, wait: $1) }
    }
  }

  @Test func keysMoveTheFiltersPoint() async throws {
    try await onPage { page in
      let handle = Self.handle("lowpass")
      #expect(await page.sees("\(handle).getAttribute('aria-valuetext')", "\"800 Hz, 0.00 dB\""))
      _ = try await page.page.evaluate("\(handle).focus()")
      try await page.page.key("ArrowRight", code: "ArrowRight", number: 39)
      #expect(await page.hears("lowpass/cutoff") { abs($0 - 847.6) < 0.1 })
      for _ in 0..<3 { try await page.page.key("ArrowUp", code: "ArrowUp", number: 38) }
      #expect(await page.hears("lowpass/resonance") { $0 == 1.5 })
      try await page.page.key("PageDown", code: "PageDown", number: 34)
      #expect(await page.hears("lowpass/resonance") { $0 == -4.5 })
      #expect(await page.sees("\(handle).getAttribute('aria-valuetext')", "\"848 Hz, -4.50 dB\""))
      try await page.page.key("Delete", code: "Delete", number: 46)
      #expect(await page.hears("lowpass/cutoff") { $0 == 20_000 })
      #expect(await page.hears("lowpass/resonance") { $0 == 0 })
    }
  }

  /// Whether the curve goes through the point, to 1.5 pixels.
  private static func meets(_ unit: String) -> String {
    """
    (() => {
      const [x, y] = \(handle(unit)).getAttribute('transform').match(/[\\d.]+/g).map(Number);
      const points = \(plot(unit)).querySelector('.curve').getAttribute('d').slice(1).split('L')
        .map((text) => text.split(' ').map(Number));
      const near = points.reduce((a, b) => Math.abs(a[0] - x) <= Math.abs(b[0] - x) ? a : b, [1e9, 0]);
      return [x > 0, Math.abs(near[1] - y) < 1.5];
    })()
    """
  }

  @Test func aValueFromElsewhereMovesThePointAndTheCurve() async throws {
    try await onPage { page in
      let transform = "\(Self.handle("lowpass")).getAttribute('transform')"
      #expect(await page.sees(Self.meets("lowpass"), "[true,true]"))
      var before = try await page.page.evaluate(transform)
      for (cutoff, resonance) in [(3000.0, 12.0), (200, -6), (9000, 20)] {
        try await page.session.ask(.set(path: "lowpass/cutoff", value: .number(cutoff)))
        try await page.session.ask(.set(path: "lowpass/resonance", value: .number(resonance)))
        let text = "\"\(Int(cutoff)) Hz, \(Int(resonance)).00 dB\""
        #expect(
          await page.sees("\(Self.handle("lowpass")).getAttribute('aria-valuetext')", text))
        #expect(await page.sees(Self.meets("lowpass"), "[true,true]"))
        let now = try await page.page.evaluate(transform)
        #expect(now != before)
        before = now
      }
    }
  }

  @Test func aBandOfTheEqualizerIsDragged() async throws {
    try await onPage { page in
      let handle = Self.handle("eq", 2)
      #expect(await page.sees("\(handle).getAttribute('aria-label')", "\"Band 2\""))
      let start = try #require(try await page.session.value("eq/bands/2/frequency"))
      let middle = try await middle(page, handle)
      try await page.page.drag(Self.way(from: middle)) { await page.session.step(96_000) }
      #expect(await page.hears("eq/bands/2/frequency") { $0 > 1.3 * start })
      // 24 pixels of 192 for 48 dB.
      #expect(await page.hears("eq/bands/2/gain") { abs($0 - 6) < 0.2 })
      #expect(try await page.session.value("eq/bands/1/gain") == 0)
      #expect(await page.sees("\(Self.plot("eq")).querySelectorAll('.curve').length", "3"))
      try await page.page.key("ArrowUp", code: "ArrowUp", number: 38, modifiers: 8)
      #expect(await page.hears("eq/bands/2/bandwidth") { abs($0 - 1.1) < 0.001 })
      // Bypassed, and a kind without a gain.
      try await page.session.ask(.set(path: "eq/bands/2/bypass", value: .boolean(true)))
      #expect(await page.sees("\(handle).classList.contains('bypassed')", "true"))
      try await page.session.ask(.set(path: "eq/bands/2/kind", value: .string("High Pass")))
      let zero = "Math.round(\(handle).getAttribute('transform').match(/[\\d.]+/g)[1])"
      #expect(await page.sees(zero, "104"))
      #expect(try await page.session.undo(4).count == 4)
      #expect(try await page.session.value("eq/bands/2/gain") == 0)
      #expect(try await page.session.value("eq/bands/2/frequency") == start)
    }
  }

  @Test func theWheelSetsABandsBandwidth() async throws {
    try await onPage { page in
      let handle = Self.handle("eq", 2)
      #expect(await page.sees("\(handle).getAttribute('aria-label')", "\"Band 2\""))
      let start = try #require(try await page.session.value("eq/bands/2/bandwidth"))
      func turn(_ delta: Int) async throws {
        try await page.page.run(
          """
          \(handle).dispatchEvent(
            new WheelEvent("wheel", { deltaY: \(delta), bubbles: true, cancelable: true }))
          """)
      }
      try await turn(-100)
      #expect(await page.hears("eq/bands/2/bandwidth") { $0 > start })
      try await turn(100)
      #expect(await page.hears("eq/bands/2/bandwidth") { abs($0 - start) < 0.001 })
    }
  }

  /// A loud tone is lowered, and its level is on the curve.
  @Test func theLevelMovesOnTheCompressorsCurve() async throws {
    try await onPage { page in
      let point = "\(Self.plot("comp")).querySelector('.level')"
      #expect(await page.sees("\(point).hasAttribute('hidden')", "true"))
      try await page.session.ask(.set(path: "tone/playing", value: .boolean(true)))
      #expect(await page.sees("\(point).hasAttribute('hidden')", "false"))
      // 0 dB are lowered by 18 dB.
      let reduction = "document.querySelector('[aria-labelledby=unit-comp] [role=meter]')"
      #expect(
        await page.sees("Math.abs(\(reduction).getAttribute('aria-valuenow') - 18) < 1", "true"))
      let place = """
        \(point).getAttribute('transform').match(/[\\d.]+/g).map(Number)
          .every((at, index) => Math.abs(at - [\(Self.plot("comp")).clientWidth - 14 - 12 / 84 * \
        (\(Self.plot("comp")).clientWidth - 48), 8 + 30 / 84 * 192][index]) < 4)
        """
      #expect(await page.sees(place, "true"))
      #expect(await page.sees("\(Self.plot("lowpass")).querySelector('.level')", "null"))
    }
  }
}
