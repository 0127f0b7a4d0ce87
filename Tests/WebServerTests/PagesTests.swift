// The pages of the page: tabs, stage and journal.

import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct PagesTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  /// Arrows choose a page, and the address keeps it.
  @Test func tabsChooseAPage() async throws {
    try await rig.onPage("units") { page, session in
      let seen =
        "[...document.querySelectorAll('[role=tabpanel]:not([hidden])')].map(one => one.id)"
      #expect(try await page.evaluate(seen) == "[\"units\"]")
      _ = try await page.evaluate("document.querySelector('#tab-units').focus()")
      for (key, number, name) in [("ArrowRight", 39, "stage"), ("End", 35, "health")] {
        try await page.key(key, code: key, number: number)
        #expect(try await page.evaluate(seen) == "[\"\(name)\"]")
        #expect(try await page.evaluate("location.hash") == "\"#stage/\(name)\"")
        #expect(try await page.evaluate("document.activeElement.id") == "\"tab-\(name)\"")
      }
    }
  }

  /// Real news of a session, to which the test adds what is missing: a stepped one misses nothing.
  @Test func whatIsMissingIsOnTheStageAndOnItsTab() async throws {
    try await rig.onPage("units") { page, session in
      let tab = "document.querySelector('#tab-stage').textContent"
      let lines = "[...document.querySelectorAll('.ready li')].map(one => one.textContent).join()"
      #expect(await rig.sees(page, session, tab, "\"Stage\""))
      try await page.run(
        """
        window.missing = ['Keys for keys_midi_in', 'take.wav'];
        const { send } = WebSocket.prototype;
        WebSocket.prototype.send = function (text) {
          if (!this.isChanged) {
            this.isChanged = true;
            const take = this.onmessage;
            this.onmessage = ({ data }) => {
              const message = JSON.parse(data);
              for (const { session } of message.notices ?? []) if (session) session.missing = missing;
              take({ data: JSON.stringify(message) });
            };
          }
          send.call(this, text);
        };
        """)
      for (number, missing, texts) in [
        (900, "missing", ["✗ Missing: Keys for keys_midi_in", "✗ Missing: take.wav"]),
        (901, "undefined", ["✓ Ready: nothing is missing"]),
      ] {
        try await page.run("window.missing = \(missing)")
        // The page's own answers are sent before the next news come.
        var value = Double(number)
        let count = missing == "missing" ? "\"Stage: 2 missing\"" : "\"Stage\""
        #expect(
          await session.step(until: {
            value += 0.01
            _ = try? await session.ask(.set(path: "lowpass/cutoff", value: .number(value)))
            return (try? await page.evaluate(tab)) == count
          }))
        let text = (texts + ["● Unsaved changes"]).joined(separator: ",")
        #expect(try await page.evaluate(lines) == "\"\(text)\"")
      }
    }
  }

  @Test func undoAndRedoGoThroughTheChanges() async throws {
    try await rig.onPage("stage") { page, session in
      let said = "document.querySelector('#state').textContent"
      try await session.ask(.set(path: "lowpass/cutoff", value: .number(900)))
      for (button, value, text) in [
        ("undo", Float(800), "lowpass/cutoff"), ("undo", 800, "nothing to undo"),
        ("redo", 900, "lowpass/cutoff"), ("redo", 900, "nothing to redo"),
      ] {
        _ = try await page.evaluate("document.querySelector('#\(button)').click()")
        #expect(await rig.sees(page, session, said + ".includes('\(text)')", "true"), "\(button)")
        #expect(try await session.value("lowpass/cutoff") == value)
      }
    }
  }

  /// The newest is first, with its author. A later change comes by itself.
  @Test func theJournalTellsWhoChangedWhat() async throws {
    try await rig.onPage("journal") { page, session in
      let lines = "[...document.querySelectorAll('.journal li')].map(one => one.lastChild.data)"
      try await session.ask(.set(path: "lowpass/cutoff", value: .number(900)), as: "Ada")
      #expect(await rig.sees(page, session, lines + ".length", "1"))
      try await session.ask(.bypass(unit: "lowpass", isOn: true), as: "Ada")
      #expect(await rig.sees(page, session, lines + ".length", "2"))
      let texts = try await session.journal().map(\.text)
      #expect(try await page.evaluate(lines) == "[\"\(texts[1])\",\"\(texts[0])\"]")
      #expect(
        try await page.evaluate("document.querySelector('.journal .kind').textContent")
          == "\"Ada\"")
    }
  }

  /// The page shows 500 changes. A refused clipboard makes it select their text.
  @Test func changesAreSelectedWhereTheClipboardIsRefused() async throws {
    try await rig.onPage("journal") { page, session in
      for number in 0..<510 {
        try await session.ask(.bypass(unit: "lowpass", isOn: number.isMultiple(of: 2)))
      }
      #expect(
        await rig.sees(
          page, session, "document.querySelectorAll('.journal li').length", "500"))
      #expect(
        await rig.sees(
          page, session, "document.querySelector('.journal li').dataset.key", "\"509\""))
      _ = try await page.evaluate(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
      _ = try await page.evaluate(
        "[...document.querySelectorAll('button')].find(one => one.textContent === 'Copy as text').click()"
      )
      #expect(
        await rig.sees(page, session, "getSelection().toString().split('bypass').length", "501"))
    }
  }

  /// Commands are copied from the chosen change on, without those that were undone.
  @Test func changesAreCopiedAsCommands() async throws {
    try await rig.onPage("journal") { page, session in
      let items = "document.querySelectorAll('.journal li')"
      for value in [700.0, 800] {
        try await session.ask(.set(path: "lowpass/cutoff", value: .number(value)), as: "Ada")
        await session.step(2 * 48_000)
      }
      try await session.ask(.scene(.save("It's $x")))
      try await session.ask(.preset(unit: "lowpass", .load("Warm")))
      #expect(await rig.sees(page, session, items + ".length", "4"))
      _ = try await page.evaluate(
        "navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }"
      )
      let copy =
        "[...document.querySelectorAll('button')].find(one => one.textContent === 'Copy as commands').click()"
      func copied(_ lines: [String]) async throws -> Bool {
        _ = try await page.evaluate(copy)
        let text = lines.map { "auricle ctl \($0)" }.joined(separator: "\n")
        return await rig.sees(
          page, session, "window.copied === String.raw`\(text)`", "true")
      }
      let saved = #"scene save 'It'\''s $x'"#
      let all =
        [700, 800].map { "set lowpass/cutoff \($0)" } + [saved, "preset load lowpass Warm"]
      #expect(try await copied(all))
      _ = try await page.evaluate(items + "[2].click()")
      #expect(try await copied(Array(all.dropFirst())))
      _ = try await session.undo()
      #expect(await rig.sees(page, session, items + ".length", "5"))
      _ = try await page.evaluate(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
      _ = try await page.evaluate(copy)
      let selected =
        "getSelection().toString().split('\\n').map(one => one.replace(/^# .* (ctl|undo) /, '# $1 '))"
      let comment = "lowpass: preset _Warm_"
      let lines = [
        "auricle ctl \(all[1])", "auricle ctl \(saved)", "# ctl \(comment)", "# undo \(comment)",
      ]
      #expect(
        await rig.sees(
          page, session, "\(selected).join('|') === String.raw`\(lines.joined(separator: "|"))`",
          "true"))
    }
  }

  /// The sounds of a sampler are listed again when another client gives it others, and when that is
  /// undone. Changes that leave them leave the buttons, and the focus.
  @Test func theStageShowsTheSoundsThatASamplerHas() async throws {
    let others = rig.test.directory.file("b.sf2")
    try SoundFontMaker.rig.write(to: others)
    try await rig.onPage("stage") { page, session in
      let sounds = "document.querySelector('#stage [aria-label=\"Sounds of keys\"]')"
      let names = "[...\(sounds)?.querySelectorAll('button') ?? []].map(one => one.textContent)"
      #expect(await rig.sees(page, session, names, "[\"Endless\"]"))
      let focused = "document.activeElement.textContent"
      _ = try await page.evaluate(sounds + ".querySelector('button').focus()")
      try await session.ask(.set(path: "lowpass/cutoff", value: .number(900)))
      try await session.ask(.soundFont(unit: "keys", file: others.path))
      let all = "[\"Sine\",\"Left\",\"Click\",\"Long\",\"Right\",\"Kit\"]"
      #expect(await rig.sees(page, session, names, all))
      _ = try await page.evaluate(sounds + ".querySelectorAll('button')[2].focus()")
      try await session.ask(.preset(unit: "keys", .load("Long")))
      let current = sounds + ".querySelector('[aria-current=true]')?.textContent"
      #expect(await rig.sees(page, session, current, "\"Long\""))
      for _ in 0..<20 {
        await session.step(4_800)
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(try await page.evaluate(focused) == "\"Click\"")
      #expect(try await session.undo(2).count == 2)
      #expect(await rig.sees(page, session, names, "[\"Endless\"]"))
    }
  }
}
