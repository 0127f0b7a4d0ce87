// The page Health: load, peaks, faults, and the MIDI of units.

import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct HealthPageTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private static func card(_ name: String, _ rest: String) -> String {
    "[...document.querySelectorAll('.card[aria-label^=\"\(name)\"] \(rest)')]"
      + ".map(one => one.textContent.trim())"
  }

  private static let lines = card("MIDI", "li")

  private func press(_ name: String, _ page: Chromium.Page) async throws {
    _ = try await page.evaluate(
      "[...document.querySelectorAll('.health button')]"
        + ".find(one => one.textContent === '\(name)').click()")
  }

  private func play(_ session: SteppedSession, _ bytes: [UInt8]) -> Int64 {
    let frame = session.frame + 1_000
    session.send([TimedMIDI(frame: Int(frame), bytes: bytes)], to: "keys_midi_in")
    return frame
  }

  /// A tone of 1 kHz, on a filter of 800 Hz.
  private static let tone = """
    [[unit]]
    id = "hum"
    component = "tone"
    parameters = { pitch = "Frequency", frequency = 1000, amplitude = 0.4 }
    [[unit]]
    id = "lowpass"
    component = "filter"
    [[connect]]
    from = "hum"
    to = "lowpass"

    """

  @Test func theSpectrumOfAnyOutputIsShown() async throws {
    try await rig.onPage("health", units: Self.tone) { page, session in
      let units =
        "[...document.querySelectorAll('[aria-label^=\"Unit whose\"] option')].map(one => one.value)"
      #expect(await rig.sees(page, session, units, "[\"hum\",\"lowpass\"]"))
      let words = Self.card("Spectrum", "div > p")
      #expect(await rig.sees(page, session, words, "[\"Silent\"]"))
      try await session.ask(.set(path: "hum/playing", value: .boolean(true)))
      let sound =
        words
        + ".every(text => /^Loudest at 987 Hz: −\\d+\\.\\d dBFS. RMS .*Loudness −\\d+/.test(text))"
      #expect(await rig.sees(page, session, sound, "true"))
      try await page.noteSpectra()
      let choice = "document.querySelector('[aria-label^=Spectrum] select')"
      #expect(try await page.evaluate("\(choice).value") == "\"lowpass\"")
      _ = try await page.evaluate(
        "(\(choice).value = 'hum', \(choice).dispatchEvent(new Event('change')))")
      for name in ["stage", "health"] {
        _ = try await page.evaluate("document.getElementById('tab-\(name)').click()")
      }
      #expect(
        await rig.sees(page, session, "window.asked", "[\"hum\",\"\",\"hum\"]"))
    }
  }

  /// The scope shows the unit that is chosen, and asks for its frames only while it is open.
  @Test func theScopeShowsTheFramesOfAnOutput() async throws {
    try await rig.onPage("health", units: Self.tone) { page, session in
      try await session.ask(.set(path: "hum/playing", value: .boolean(true)))
      let choice = "document.querySelector('[aria-label^=\"Unit whose\"]')"
      #expect(await rig.sees(page, session, choice + ".options.length", "2"))
      _ = try await page.evaluate(
        "(\(choice).value = 'hum', \(choice).dispatchEvent(new Event('change')))")
      try await page.noteSpectra()
      let scope = "document.querySelector('.card[aria-label^=Spectrum] details')"
      let words = "\(scope).querySelector('p').textContent"
      #expect(try await page.evaluate(words) == "\"\"")
      _ = try await page.evaluate("\(scope).open = true")
      #expect(
        await rig.sees(page, session, words, "\"Peak −8.0 dBFS. Both channels are equal.\""))
      // The scale is the next power of two.
      let texts = "[...\(scope).querySelectorAll('.grid text')].map(one => one.textContent)"
      let scale = #"["0","2","4","6","8","10","−","0","+","ms","±0.5"]"#
      #expect(await rig.sees(page, session, texts, scale))
      // Ten periods are shown, from a rise on: as many falls.
      try await page.run(
        """
        window.falls = () => {
          const points = \(scope).querySelector('.curve:not(.right)').getAttribute('d')
            .match(/[\\d.]+ [\\d.]+/g).map((pair) => pair.split(' ').map(Number));
          const right = Math.max(...[...\(scope).querySelectorAll('.grid path')].map((one) => one.getBBox().x));
          const ys = points.filter(([x]) => x <= right).map(([, y]) => y);
          const middle = (Math.min(...ys) + Math.max(...ys)) / 2;
          return ys.filter((y, at) => y > middle && ys[at - 1] <= middle).length;
        };
        """)
      #expect(await rig.sees(page, session, "falls()", "10"))
      let time = "\(scope).querySelector('select')"
      _ = try await page.evaluate(
        "(\(time).value = '5', \(time).dispatchEvent(new Event('change')))")
      #expect(await rig.sees(page, session, "falls()", "5"))
      _ = try await page.evaluate("\(scope).open = false")
      #expect(await rig.sees(page, session, "window.scoped", #"["hum",""]"#))
    }
  }

  @Test func theLoadThePeaksAndTheFaultsAreShown() async throws {
    try await rig.onPage("health") { page, session in
      let load = Self.card("Load", "p") + ".every(text => text.includes('48000 Hz, 256 frames'))"
      #expect(await rig.sees(page, session, load, "true"))
      let units = Self.card("Load", ".bars li") + ".map(text => text.split(' ')[0]).sort()"
      #expect(await rig.sees(page, session, units, "[\"keys\",\"lowpass\"]"))
      let xruns = "[\"0 at this server, 0 since this page was opened\"]"
      #expect(await rig.sees(page, session, Self.card("Xruns", "p"), xruns))
      let faults = Self.card("Faults", "li")
      #expect(await rig.sees(page, session, faults, "[\"There are none.\"]"))
      let peaks = Self.card("Peaks", "li")
      #expect(await rig.sees(page, session, peaks, "[\"keys  silent\",\"lowpass  silent\"]"))
      _ = play(session, [0x90, 60, 127])
      let sound = peaks + ".every(text => /^\\w+  -?[\\d.]+ dBFS$/.test(text))"
      #expect(await rig.sees(page, session, sound, "true"))
      // The highest of all, until it is reset.
      _ = play(session, [0xB0, 120, 0])
      #expect(
        await session.step(until: {
          session.audio("lowpass_out_1").suffix(4_800).allSatisfy { $0 == 0 }
        }))
      // The page is drawn with each reading of the load, once a second.
      for _ in 0..<2 {
        let former = try await page.evaluate(Self.card("Load", "p"))
        #expect(
          await session.step(until: {
            (try? await page.evaluate(Self.card("Load", "p"))) != former
          }))
      }
      #expect(try await page.evaluate(sound) == "true")
      try await press("Reset peaks", page)
      #expect(await rig.sees(page, session, peaks, "[\"keys  silent\",\"lowpass  silent\"]"))
    }
  }

  /// 500 lines of MIDI, and what filters find in 5,000; two minutes of load.
  @Test func whatIsShownIsLimited() async throws {
    try await rig.onPage("health") { page, session in
      let shown = BrowserPage(page: page, session: session)
      let found = try await shown.value(
        of: """
          const { MIDIMonitor } = await import('/midimonitor.js');
          const { HealthView } = await import('/health.js');
          const monitor = new MIDIMonitor(() => {});
          monitor.isSeen = true;
          document.body.append(monitor.element);
          const event = (frame) => ({ frame, bytes: frame % 10 ? [0x90, 60, 100] : [0xb0, 7, 1], isSent: false });
          for (let start = 0; start < 6000; start += 200) {
            const events = Array.from({ length: 200 }, (_, index) => event(start + index));
            monitor.take({ sampleRate: 48000, units: { keys: { events, lost: 0 } } });
          }
          await new Promise((resolve) => setTimeout(resolve, 300));
          const frames = () => [...monitor.element.querySelectorAll('li')].map((one) => one.textContent.split('  ')[1]);
          const all = frames();
          [...monitor.element.querySelectorAll('button')].find((one) => /note/i.test(one.textContent)).click();
          const rest = frames();
          monitor.element.remove();
          const health = new HealthView({ ask: () => new Promise(() => {}), watch() {}, watchSpectra() {}, changed() {} });
          health.isSeen = true;
          for (let second = 0; second < 200; second++) {
            health.takeLoad({ load: second < 80 ? 90 : 10, xruns: 0, sampleRate: 48000, period: 256, units: {} });
          }
          const text = health.element.querySelector('p').textContent;
          health.isSeen = false;
          return [all.length, all[0], all.at(-1), rest.length, rest[0], rest.at(-1), text].join(' ');
          """)
      // 5,000 events have 500 of a controller.
      #expect(
        found
          == "\"500 5999 5500 500 5990 1000 10.0 % now, 10.0 % at most in the last 120 s; 48000 Hz, 256 frames\""
      )
    }
  }

  @Test func theMIDIOfUnitsIsShownWhileItIsSeen() async throws {
    try await rig.onPage("health") { page, session in
      func first(_ text: String) async -> Bool {
        await rig.sees(page, session, Self.lines + "[0] ?? ''", "\"\(text)\"")
      }
      func seconds(_ frame: Int64) async throws -> String {
        try await page.evaluate("(\(frame) / 48000).toFixed(3)").filter { $0 != "\"" }
      }
      // The stream begins a moment after the page is shown.
      let isWatched = Self.lines + ".length > 0"
      #expect(
        await session.step(until: {
          _ = play(session, [0xB0, 1, 1])
          return (try? await page.evaluate(isWatched)) == "true"
        }))
      let note = play(session, [0x91, 61, 100])
      #expect(
        await first(
          "\(try await seconds(note))  \(note)  keys received  channel 2  "
            + "note on C#4 (61) velocity 100"))
      // A kind that is not shown is kept.
      try await press("Notes", page)
      #expect(try await page.evaluate(Self.lines + "[0].includes('note')") == "false")
      try await press("Notes", page)
      #expect(try await page.evaluate(Self.lines + "[0].includes('note on')") == "true")
      // Clocks are not shown at first.
      _ = play(session, [0xF8])
      let bend = play(session, [0xE0, 0, 0x60])
      #expect(
        await first(
          "\(try await seconds(bend))  \(bend)  keys received  channel 1  pitch bend +4096"))
      #expect(
        try await page.evaluate(Self.lines + ".some(text => text.includes('clock'))") == "false")
      // Nothing is taken on another page, nor while it is paused.
      try await press("Clear", page)
      #expect(try await page.evaluate(Self.lines + ".length") == "0")
      for (begin, end) in [
        (
          "document.querySelector('#tab-journal').click()",
          "document.querySelector('#tab-health').click()"
        ),
        ("", ""),
      ] {
        if begin.isEmpty {
          try await press("Pause", page)
        } else {
          _ = try await page.evaluate(begin)
        }
        // The next answer comes after that of the new watch.
        try await session.ask(
          .set(path: "lowpass/cutoff", value: .number(begin.isEmpty ? 500 : 400)))
        await session.step(48_000)
        _ = play(session, [0xC0, 5])
        await session.step(48_000)
        // What the page has taken by now is behind it.
        let cutoff = begin.isEmpty ? 501 : 401
        try await session.ask(.set(path: "lowpass/cutoff", value: .number(Double(cutoff))))
        let isTaken =
          "[...document.querySelectorAll('[aria-valuetext]')]"
          + ".some(one => one.getAttribute('aria-valuetext').startsWith('\(cutoff) Hz'))"
        #expect(await rig.sees(page, session, isTaken, "true"))
        if end.isEmpty { try await press("Pause", page) } else { _ = try await page.evaluate(end) }
        await session.step(4_800)
        #expect(try await page.evaluate(Self.lines + ".length") == "0")
      }
      #expect(
        await session.step(until: {
          _ = play(session, [0xC0, 7])
          return (try? await page.evaluate(isWatched)) == "true"
        }))
      #expect(
        try await page.evaluate(Self.lines + ".every(text => text.endsWith('program 7'))") == "true"
      )
    }
  }
}
