// Levels that the page draws: on cables, and in the bars of units.

import Foundation
import SessionModel
import SessionTestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct LevelTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private func numbers(_ page: BrowserPage, _ body: String) async throws -> [[Double]] {
    let text = try await page.value(of: body)
    return try JSONDecoder().decode([[Double]].self, from: Data(text.utf8))
  }

  /// A part of Chromium's warning that it is slow to read pixels again and again.
  private static let warning = "willReadFrequently"

  private func onPage(_ body: (BrowserPage) async throws -> Void) async throws {
    try await rig.onPage("patchbay", fault: Self.warning) {
      try await body(BrowserPage(page: $0, session: $1))
    }
  }

  /// Nothing is drawn up to -60 dBFS, and red from 0 dBFS on. The loudest channel counts.
  @Test func aCableIsAsThickAsItIsLoud() async throws {
    let levels = [-200, -60, -59.9, -50, -40, -30, -20, -10, -0.1, 0, 6]
    try await onPage { page in
      let drawn = try await numbers(
        page,
        """
        const { CableLevels } = await import('/cables.js');
        const cables = new CableLevels();
        cables.resize(100, 40);
        cables.show([{ source: 'a:2', d: 'M0 20H100' }]);
        const { width, height } = cables.element;
        return \(levels).map((level, index) => {
          cables.meter({ a: { outputs: [[6], [-200, level]] } });
          cables.draw(1000 * index, { accent: '#0000ff', danger: '#ff0000' }, { x: 0, y: 0, zoom: 1 }, false);
          const column = cables.element.getContext('2d').getImageData(width / 2, 0, 1, height).data;
          const sum = (part) => column.reduce((all, one, at) => at % 4 === part ? all + one : all, 0);
          return [sum(3) / 255 * 40 / height, Number(sum(0) > 0), Number(sum(2) > 0)];
        });
        """)
      #expect(drawn.map { $0[0] > 0 } == levels.map { $0 > -60 }, "\(drawn)")
      let rising = drawn.dropFirst().dropLast().map { $0[0] }
      #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 < $1 }, "\(drawn)")
      #expect(drawn.map { $0[1] == 1 } == levels.map { $0 >= 0 }, "\(drawn)")
      #expect(drawn.map { $0[2] == 1 } == levels.map { $0 > -60 && $0 < 0 }, "\(drawn)")
    }
  }

  /// The session's levels reach the cable, at its place.
  @Test func theSessionsLevelsAreOnItsCables() async throws {
    let units = """
      [[unit]]
      id = "hum"
      component = "tone"
      parameters = { playing = true, amplitude = 1 }
      [[unit]]
      id = "desk"
      component = "mixer"
      parameters = { volume = 0 }
      [[unit]]
      id = "lowpass"
      component = "filter"
      [[connect]]
      from = "hum"
      to = "desk:1"
      [[connect]]
      from = "desk"
      to = "lowpass"

      """
    try await rig.onPage("patchbay", units: units, fault: Self.warning) {
      let page = BrowserPage(page: $0, session: $1)
      // The thickness of the cable's middle, and whether it is red there.
      try await page.page.run(
        """
        window.middle = (key) => {
          const canvas = document.querySelector('.patchbay canvas');
          const line = document.querySelector(`[data-key="${key}"] .line`);
          const point = line.getPointAtLength(line.getTotalLength() / 2);
          const place = new DOMPoint(point.x, point.y).matrixTransform(line.getScreenCTM());
          const box = canvas.getBoundingClientRect();
          const x = Math.round((place.x - box.x) * canvas.width / box.width);
          const column = canvas.getContext('2d').getImageData(x, 0, 1, canvas.height).data;
          const probe = new OffscreenCanvas(1, 1).getContext('2d');
          probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--danger');
          probe.fillRect(0, 0, 1, 1);
          const red = String(probe.getImageData(0, 0, 1, 1).data);
          let [sum, isRed] = [0, false];
          for (let at = 0; at < column.length; at += 4) {
            sum += column[at + 3];
            isRed ||= String(column.slice(at, at + 4)) === red;
          }
          return [sum, isRed];
        };
        window.former = 0;
        window.grows = (key) => {
          const [sum, isRed] = middle(key);
          if (sum <= former) return false;
          former = sum;
          return isRed ? 'red' : 'thicker';
        };
        """)
      let cable = "'audio desk:1 lowpass:1'"
      #expect(await page.sees("middle('audio hum:1 desk:1')[0] > 0", "true"))
      #expect(try await page.page.evaluate("middle(\(cable))") == "[0,false]")
      for (volume, seen) in [(0.02, "thicker"), (0.3, "thicker"), (4, "red")] {
        try await page.session.ask(.set(path: "desk/volume", value: .number(volume)))
        #expect(await page.sees("grows(\(cable))", "\"\(seen)\""), "\(volume)")
      }
    }
  }

  /// A level that rises in steps of 50 ms is drawn at half seconds only.
  @Test(arguments: [true, false])
  func levelsChangeTwiceASecondWhereLessMotionIsWanted(_ isWanted: Bool) async throws {
    try await onPage { page in
      try await page.page.emulate(
        ["prefers-reduced-motion": isWanted ? "reduce" : "no-preference"])
      let times = try await numbers(
        page,
        """
        const { PatchbayView } = await import('/patchbay.js');
        const view = new PatchbayView('calm', false, { changed() {} });
        const port = (unit) => ({ name: 'Main', end: `${unit}:1`, channels: 1 });
        view.show({
          units: [
            { id: 'a', component: 'tone', inputs: [], outputs: [port('a')] },
            { id: 'b', component: 'filter', inputs: [port('b')], outputs: [] },
          ], connections: [{ from: 'a:1', to: 'b:1', kind: 'audio' }], outside: [],
        });
        const canvas = view.element.querySelector('canvas');
        const { clearRect } = CanvasRenderingContext2D.prototype;
        const drawn = [];
        let now = 0;
        CanvasRenderingContext2D.prototype.clearRect = function (...values) {
          if (this.canvas === canvas) drawn.push([now]);
          return clearRect.apply(this, values);
        };
        for (; now <= 2000; now += 50) {
          view.meter({ a: { outputs: [[now / 40 - 55]] } });
          if (!view.draw(now, { accent: '#0000ff', danger: '#ff0000' }) && \(isWanted)) drawn.push([-1]);
        }
        CanvasRenderingContext2D.prototype.clearRect = clearRect;
        return drawn;
        """)
      let seen = times.map { $0[0] }
      if isWanted {
        #expect(seen.filter { $0 >= 0 } == [0, 500, 1000, 1500, 2000])
      } else {
        #expect(seen.count > 10, "\(seen)")
      }
    }
  }

  /// A bar of a unit goes from -60 to 0 dBFS, where it is red.
  @Test func barsShowPeaks() async throws {
    let levels = [-200, -60, -45, -30, -15, -0.1, 0, 6]
    try await onPage { page in
      let drawn = try await numbers(
        page,
        """
        const { MeterView } = await import('/meters.js');
        const meter = new MeterView();
        const { width } = meter.element;
        return \(levels).map((level, index) => {
          meter.show([[-200], [level]]);
          meter.draw(1000 * index, { accent: '#0000ff', danger: '#ff0000' });
          const row = meter.element.getContext('2d').getImageData(0, 7, width, 1).data;
          const count = (part) => row.filter((one, at) => at % 4 === part && one > 127).length / width;
          return [count(3), count(0)];
        });
        """)
      for (level, shares) in zip(levels, drawn) {
        let share = min(1, max(0, (level + 60) / 60))
        #expect(abs(shares[0] - share) < 0.004, "\(level): \(shares)")
        #expect(shares[1] == (level >= 0 ? 1 : 0), "\(level): \(shares)")
      }
    }
  }
}
