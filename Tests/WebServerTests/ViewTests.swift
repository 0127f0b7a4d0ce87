// The views of mixers, environments, players and recorders in a browser.

import Foundation
import MediaFiles
import SessionModel
import SessionTestSupport
import Testing

/// Each test asks the session afterwards, whatever the page shows.
@Suite(.serialized, .chromium, .inTurn) struct ViewTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private func onPage(_ body: (BrowserPage) async throws -> Void) async throws {
    try await rig.onUnits(
      """
      [[unit]]
      id = "hum"
      component = "tone"
      parameters = { playing = true }
      [[unit]]
      id = "desk"
      component = "mixer"
      [[unit]]
      id = "mono"
      component = "mixer"
      channels = 1
      [[unit]]
      id = "room"
      component = "environment"
      [[unit]]
      id = "track"
      component = "player"
      channels = 2
      [[unit]]
      id = "take"
      component = "recorder"
      file = "take.wav"
      [[connect]]
      from = "hum"
      to = "desk:2"
      [[connect]]
      from = "hum"
      to = "mono"
      [[connect]]
      from = "mono"
      to = "room:1"
      """, body)
  }

  private static func part(_ unit: String, _ selector: String) -> String {
    "document.querySelector('[aria-labelledby=unit-\(unit)] \(selector)')"
  }

  private func middle(_ page: BrowserPage, _ element: String) async throws -> (x: Double, y: Double)
  {
    _ = try await page.page.evaluate("\(element).scrollIntoView({ block: 'center' })")
    // The page may still move it, while other parts are drawn.
    var box = try await page.box(element)
    var former = box
    repeat {
      try await Task.sleep(for: .milliseconds(50))
      (former, box) = (box, try await page.box(element))
    } while former != box
    return (box.x + box.width / 2, box.y + box.height / 2)
  }

  private func press(_ page: BrowserPage, _ element: String) async throws {
    try await page.page.drag([middle(page, element)]) {}
  }

  /// A strip comes and goes with the sound that it is named after.
  @Test func stripsFollowTheGraph() async throws {
    try await onPage { page in
      let names = """
        [...document.querySelectorAll('[aria-labelledby=unit-desk] .strip')]
          .map(one => one.getAttribute('aria-label'))
        """
      #expect(await page.sees(names, "[\"2 hum\",\"Mix\"]"))
      try await page.session.ask(.connect(from: "track", to: "desk:1"))
      #expect(await page.sees(names, "[\"1 track\",\"2 hum\",\"Mix\"]"))
      try await page.session.ask(.disconnect(from: "hum", to: "desk:2"))
      #expect(await page.sees(names, "[\"1 track\",\"Mix\"]"))
    }
  }

  /// A fader's way is one step of undo, and its text has the decibels of the session's value.
  @Test func aFaderMovesTheVolume() async throws {
    try await onPage { page in
      let fader = Self.part("desk", "[aria-label=\"2 hum\"] [aria-label=Volume]")
      #expect(await page.sees("\(fader)?.getAttribute('aria-valuetext')", "\"0.0 dB\""))
      _ = try await page.page.evaluate("\(fader).scrollIntoView({ block: 'center' })")
      let box = try await page.box(fader)
      let (x, top) = (box.x + box.width / 2, box.y + 8)
      let height = box.height - 16
      let start = top + height * (1 - cbrt(0.25))
      try await page.page.drag([(x, start), (x, start + 20), (x, start + 40)]) {
        await page.session.step(96_000)
      }
      #expect(await page.hears("desk/inputs/2/volume") { $0 > 0.05 && $0 < 0.5 })
      let value = try #require(try await page.session.value("desk/inputs/2/volume"))
      let text = "−" + String(format: "%.1f", -20 * log10(value)) + " dB"
      #expect(await page.sees("\(fader).getAttribute('aria-valuetext')", "\"\(text)\""))
      #expect(try await page.session.undo().count == 1)
      #expect(try await page.session.value("desk/inputs/2/volume") == 1)
      #expect(await page.sees("\(fader).getAttribute('aria-valuetext')", "\"0.0 dB\""))
      _ = try await page.page.evaluate("\(fader).focus()")
      try await page.page.key("Home", code: "Home", number: 36)
      #expect(await page.hears("desk/inputs/2/volume") { $0 == 0 })
      #expect(await page.sees("\(fader).getAttribute('aria-valuetext')", "\"−∞ dB\""))
    }
  }

  /// Mute and solo are pressed and shown, whoever sets them.
  @Test func muteAndSoloArePressed() async throws {
    try await onPage { page in
      for (name, path) in [("Mute", "desk/inputs/2/mute"), ("Solo", "desk/inputs/2/solo")] {
        let button = Self.part("desk", "[aria-label=\"2 hum\"] [aria-label=\(name)]")
        #expect(await page.sees("\(button)?.getAttribute('aria-pressed')", "\"false\""))
        try await press(page, button)
        #expect(await page.hears(path) { $0 == 1 })
        #expect(await page.sees("\(button).getAttribute('aria-pressed')", "\"true\""))
        try await page.session.ask(.set(path: path, value: .number(0)))
        #expect(await page.sees("\(button).getAttribute('aria-pressed')", "\"false\""))
      }
    }
  }

  /// A source is dragged from above, by its height's slider and by keys. A drag is one step.
  @Test func aSourceIsPlaced() async throws {
    try await onPage { page in
      let handle = Self.part("room", ".handle")
      #expect(await page.sees("\(handle)?.getAttribute('aria-label')", "\"Place of 1 mono\""))
      let start = try await middle(page, handle + ".querySelector('.target')")
      let plot = try await page.box(Self.part("room", ".plot"))
      let points = (0...3).map { (x: start.x + 15 * Double($0), y: start.y - 20 * Double($0)) }
      try await page.page.drag(points) { await page.session.step(96_000) }
      // The plane has 8 m in both directions; up is in front of the listener.
      let (x, z) = (Float(45 * 8 / (plot.width - 48)), Float(-60.0 * 8 / 292))
      #expect(await page.hears("room/inputs/1/x") { abs($0 - x) < 0.1 })
      #expect(await page.hears("room/inputs/1/z") { abs($0 - z) < 0.1 })
      #expect(try await page.session.undo().count == 1)
      #expect(try await page.session.value("room/inputs/1/x") == 0)
      #expect(try await page.session.value("room/inputs/1/z") == 0)

      #expect(await page.sees("\(handle).getAttribute('aria-valuetext')", "\"0 m, 0 m\""))
      #expect(await page.sees("\(handle).getAttribute('aria-valuenow')", "\"0\""))
      _ = try await page.page.evaluate("\(handle).focus()")
      try await page.page.key("ArrowUp", code: "ArrowUp", number: 38)
      #expect(await page.hears("room/inputs/1/z") { abs($0 + 0.1) < 0.01 })
      let height = Self.part("room", "[aria-label=\"Height of 1 mono\"]")
      _ = try await page.page.evaluate("\(height).focus()")
      try await page.page.key("End", code: "End", number: 35)
      #expect(await page.hears("room/inputs/1/y") { $0 == 4 })
      // A source that is far away is shown too.
      try await page.session.ask(.set(path: "room/inputs/1/x", value: .number(-30)))
      let tick = Self.part("room", ".plot .grid text")
      #expect(await page.sees("\(tick).textContent", "\"−40\""))
    }
  }

  @Test func playersAndRecordersHaveLargeButtons() async throws {
    try await onPage { page in
      func named(_ unit: String, _ text: String) -> String {
        """
        [...document.querySelectorAll('[aria-labelledby=unit-\(unit)] .transport button')]
          .find(one => one.textContent === '\(text)')
        """
      }
      #expect(await page.sees("\(named("track", "Play")) !== undefined", "true"))
      for (text, state) in [("Play", Float(1)), ("Pause", 2), ("Stop", 0)] {
        try await press(page, named("track", text))
        #expect(await page.hears("track/state") { $0 == state })
        #expect(await page.sees("\(named("track", text)).getAttribute('aria-pressed')", "\"true\""))
      }
      try await press(page, named("track", "Loop"))
      #expect(await page.hears("track/loop") { $0 == 1 })
      try await press(page, named("take", "Record"))
      #expect(await page.hears("take/running") { $0 == 1 })
      let state = Self.part("take", ".transport .kind")
      #expect(await page.sees("\(state).textContent", "\"● Recording\""))
      let clock = Self.part("take", ".clock")
      #expect(await page.sees("\(clock).textContent !== '0:00.0'", "true"))
      try await press(page, named("take", "Record"))
      #expect(await page.hears("take/running") { $0 == 0 })
      #expect(await page.sees("\(state).textContent", "\"Stopped\""))
    }
  }

  /// Opens the page of a player, `song`, which plays the file a.wav.
  private func onSong(
    _ samples: [Float], _ body: (BrowserPage) async throws -> Void
  ) async throws {
    try write(samples, "a.wav")
    try await rig.onUnits(
      """
      [[unit]]
      id = "song"
      component = "player"
      file = "a.wav"
      """, body)
  }

  private func write(_ samples: [Float], _ name: String) throws {
    let writer = try AudioFileWriter(
      url: rig.test.directory.file(name), sampleRate: 48_000, channelCount: 1)
    try writer.write([samples])
    try writer.finish()
  }

  /// A place in the waveform is the player's cue, where it goes on at once.
  @Test func aPlayerGoesOnWhereItsWaveformIsPressed() async throws {
    try await onSong([Float](repeating: 0.5, count: 1_440_000)) { page in
      let drawing = Self.part("song", ".waveform")
      #expect(await page.sees("\(drawing)?.getAttribute('aria-valuemax') ?? ''", "\"30\""))
      try await page.session.ask(.set(path: "song/state", value: .string("Playing")))
      let box = try await page.box(drawing)
      func point(_ seconds: Double) -> (Double, Double) {
        (box.x + box.width * seconds / 30, box.y + box.height / 2)
      }
      // Nothing is heard of the way.
      try await page.page.drag([point(24), point(18), point(12)]) {
        #expect((try? await page.session.value("song/cue")) == 0)
      }
      #expect(await page.hears("song/cue") { abs($0 - 12) < 0.15 })
      #expect(await page.hears("song/position") { $0 >= 11.85 && $0 < 14 })
      #expect(await page.sees("\(drawing).getAttribute('aria-valuetext').slice(0, 3)", "\"0:1\""))
      let mark = "Math.round(\(drawing).querySelector('.cue').getAttribute('x1') / 10)"
      #expect(await page.sees(mark, "40"))
      _ = try await page.page.evaluate("\(drawing).focus()")
      for (key, number, cue) in [
        ("End", 35, Float(29.999)), ("PageDown", 34, 19.999), ("ArrowRight", 39, 20.999),
        ("PageUp", 33, 29.999), ("Home", 36, 0), ("PageUp", 33, 10), ("ArrowUp", 38, 11),
        ("PageDown", 34, 1),
      ] {
        try await page.page.key(key, code: key, number: number)
        #expect(await page.hears("song/cue") { abs($0 - cue) < 0.0015 }, "\(key)")
      }
      // At the end it has stopped. It begins at the cue, and goes on there again.
      try await page.session.ask(.set(path: "song/state", value: .string("Playing")))
      #expect(await page.hears("song/position") { $0 > 1.5 })
      try await page.page.key("Enter", code: "Enter", number: 13)
      #expect(await page.hears("song/position") { $0 >= 1 && $0 < 1.4 })
    }
  }

  /// A replaced player draws its new file.
  @Test func aPlayerShowsItsWaveformAndItsPosition() async throws {
    func half(_ level: Float) -> [Float] {
      [Float](repeating: 0, count: 48_000) + [Float](repeating: level, count: 48_000)
    }
    try write(half(0.5), "b.wav")
    try await onSong(half(1)) { page in
      let drawing = Self.part("song", ".waveform")
      let label = "\(drawing)?.getAttribute('aria-label') ?? ''"
      #expect(await page.sees(label, "\"Cue in the waveform of song, 2.0 s\""))
      // Silence in the first half, and the full height in the second.
      let path = "\(drawing).querySelector('path').getBBox()"
      #expect(await page.sees("\(path).height", "100"))
      let points = "\(drawing).querySelector('path').getAttribute('d').split(/[MLZ]/).slice(1, -1)"
      let silent = "\(points).filter(one => one.endsWith(' 50.0')).length / \(points).length"
      #expect(await page.sees("Math.round(100 * \(silent))", "50"))
      try await page.session.ask(.set(path: "song/state", value: .string("Playing")))
      let cursor = "Number(\(drawing).querySelector('.cursor').getAttribute('x1'))"
      #expect(await page.sees("\(cursor) > 400 && \(cursor) < 1000", "true"))
      try await page.session.ask(
        .replace(unit: "song", component: "player", settings: ["file=b.wav"]))
      #expect(await page.sees("\(path).height", "50"))
    }
  }
}
