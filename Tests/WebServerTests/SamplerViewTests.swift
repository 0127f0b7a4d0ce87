// The box of a sampler in a browser: the entries of its live set, and its voices.

import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct SamplerViewTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private static let sounds =
    "document.querySelector('[aria-labelledby=unit-keys] [aria-label=\"Sounds of keys\"]')"
  private static let names =
    "[...\(sounds)?.querySelectorAll('button') ?? []].map(one => one.textContent)"
  private static let current = sounds + ".querySelector('[aria-current=true]')?.textContent"
  private static let voices = sounds + ".querySelector('p').textContent"

  private static func button(_ index: Int) -> String {
    sounds + ".querySelectorAll('button')[\(index)]"
  }

  private func preset(_ session: SteppedSession) async throws -> String? {
    guard case .units(let units) = try await session.askAtOnce(.list(path: nil)) else { return nil }
    return units[0].preset
  }

  /// The mouse and the keys do the same. An entry that another client chooses is marked too.
  @Test func entriesAreChosenByLargeButtons() async throws {
    try await rig.onUnits(rig.test.directory.writeLiveSet()) { shown in
      let (page, session) = (shown.page, shown.session)
      #expect(await shown.sees(Self.names, "[\"Soft\",\"Loud\"]"))
      #expect(await shown.sees(Self.current, "\"Soft\""))
      _ = try await page.evaluate(Self.button(1) + ".scrollIntoView({ block: 'center' })")
      let box = try await shown.box(Self.button(1))
      #expect(box.width >= 44 && box.height >= 44)
      try await page.drag([(x: box.x + box.width / 2, y: box.y + box.height / 2)]) {}
      #expect(await session.step(until: { (try? await preset(session)) == "Loud" }))
      #expect(try await session.value("keys/gain") == 6)
      #expect(await shown.sees(Self.current, "\"Loud\""))
      _ = try await page.evaluate(Self.button(0) + ".focus()")
      try await page.key("Enter", code: "Enter", number: 13)
      #expect(await session.step(until: { (try? await preset(session)) == "Soft" }))
      #expect(try await session.value("keys/gain") == -12)
      #expect(await shown.sees(Self.current, "\"Soft\""))
      try await session.ask(.entry(unit: "keys", .number(4)))
      #expect(await shown.sees(Self.current, "\"Loud\""))
    }
  }

  /// Another SoundFont has other sounds, also on this page.
  @Test func soundsAreListedAgain() async throws {
    let others = rig.test.directory.file("b.sf2")
    try SoundFontMaker.sine(periodFrames: 100).write(to: others)
    try await rig.onPage("units") { page, session in
      #expect(await rig.sees(page, session, Self.names, "[\"Endless\"]"))
      try await session.ask(.soundFont(unit: "keys", file: others.path))
      #expect(await rig.sees(page, session, Self.names, "[\"Other\"]"))
    }
  }

  /// The status is asked for only while the units are seen.
  @Test func soundingVoicesAreCounted() async throws {
    try await rig.onPage("units") { page, session in
      _ = try await page.evaluate(
        """
        (() => {
          const send = WebSocket.prototype.send;
          window.asked = 0;
          WebSocket.prototype.send = function (text) {
            if (JSON.parse(text).request?.command === "status") window.asked++;
            return send.call(this, text);
          };
        })()
        """)
      func shows(_ count: Int) async -> Bool {
        await rig.sees(page, session, Self.voices, "\"Sounding voices: \(count)\"")
      }
      func play(_ bytes: [Int]) async throws {
        try await session.ask(.midi(unit: "keys", bytes: bytes, frame: nil))
      }
      #expect(await shows(0))
      for note in [60, 64] { try await play([0x90, note, 100]) }
      #expect(await shows(2))
      for note in [60, 64] { try await play([0x80, note, 0]) }
      #expect(await shows(0))
      #expect(await rig.sees(page, session, "asked > 1", "true"))
      _ = try await page.evaluate("document.querySelector('#tab-patchbay').click()")
      _ = try await page.evaluate("asked = 0")
      try await play([0x90, 60, 100])
      for _ in 0..<25 {
        await session.step(4_800)
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(try await page.evaluate("asked") == "0")
      _ = try await page.evaluate("document.querySelector('#tab-units').click()")
      #expect(await shows(1))
    }
  }

  /// A guest sees the sounds, and chooses none.
  @Test func aGuestChoosesNoSound() async throws {
    try await rig.onUnits(rig.test.directory.writeLiveSet(), access: .guest) { page in
      #expect(await page.sees(Self.names, "[\"Soft\",\"Loud\"]"))
      #expect(await page.sees(Self.voices, "\"Sounding voices: 0\""))
      _ = try await page.page.evaluate(Self.button(1) + ".click()")
      await page.session.step(48_000)
      #expect(try await page.page.evaluate(Self.button(1) + ".disabled") == "true")
      #expect(try await page.session.journal().isEmpty)
    }
  }

  /// The page counts the rest.
  @Test(arguments: [true, false])
  func theFirst64SoundsAreShown(ofALiveSet hasLiveSet: Bool) async throws {
    let names = (1...70).map { "Sound \($0)" }
    let presets = (hasLiveSet ? ["Other"] : names).enumerated().map { index, name in
      SoundFontMaker.Preset(
        program: UInt16(index), name: name, zones: [.init(sample: .constant())])
    }
    try SoundFontMaker(presets: presets).write(to: rig.test.directory.file("b.sf2"))
    let entries = names.enumerated().map { "[[unit.entry]]\nnumber = \($0)\nname = \"\($1)\"\n" }
    let units = """
      [[unit]]
      id = "keys"
      component = "sampler"
      soundfont = "b.sf2"

      """
    try await rig.onUnits(units + (hasLiveSet ? entries.joined() : "")) { page in
      let shown = names[..<64].map { "\"\($0)\"" }.joined(separator: ",")
      #expect(await page.sees(Self.names, "[\(shown)]"))
      let remark = Self.sounds + ".lastElementChild.textContent"
      #expect(await page.sees(remark, "\"6 more are among the presets of keys.\""))
    }
  }
}
