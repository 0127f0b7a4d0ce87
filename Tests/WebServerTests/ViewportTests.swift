// The view of the patchbay: moved, made larger and smaller, and its boxes placed by hand.

import Foundation
import SessionModel
import SessionTestSupport
import Testing

@Suite(.serialized, .chromium, .inTurn) struct ViewportTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private func onPage(_ body: (BrowserPage) async throws -> Void) async throws {
    try await rig.onPage("patchbay") {
      let page = BrowserPage(page: $0, session: $1)
      let box = "document.querySelector('[data-box=lowpass]')"
      #expect(
        await page.sees("\(box) !== null && /scale/.test(\(Self.layer)?.style.transform)", "true"))
      try await body(page)
    }
  }

  private static let layer = "document.querySelector('.boxes')"

  private func numbers(_ page: BrowserPage, _ expression: String) async throws -> [Double] {
    let text = try await page.page.evaluate(expression)
    return try JSONDecoder().decode([Double].self, from: Data(text.utf8))
  }

  /// Returns the place of the view, and its zoom.
  private func view(_ page: BrowserPage) async throws -> (x: Double, y: Double, zoom: Double) {
    let parts = try await numbers(
      page, "\(Self.layer).style.transform.match(/-?[\\d.]+(e-\\d+)?/g).map(Number)")
    return (parts[0], parts[1], parts[2])
  }

  /// A place of the background, with room at its right.
  private func background(_ page: BrowserPage) async throws -> (x: Double, y: Double) {
    let place = try await numbers(
      page,
      """
      (() => {
        const area = document.querySelector('.patchbay');
        const { left, top, right } = area.getBoundingClientRect();
        const isFree = (x, y) => {
          const found = document.elementFromPoint(x, y);
          return area.contains(found) && !found.closest('.box, .cable');
        };
        for (let y = Math.ceil(top) + 10; y < innerHeight; y += 10) {
          for (let x = Math.ceil(left) + 10; x < right - 130; x += 10) {
            if (isFree(x, y) && isFree(x + 60, y) && isFree(x + 120, y)) return [x, y];
          }
        }
        return [];
      })()
      """)
    return (place[0], place[1])
  }

  @Test func theBackgroundIsDragged() async throws {
    try await onPage { page in
      let (former, start) = (try await view(page), try await background(page))
      try await page.page.drag([start, (start.x + 30, start.y), (start.x + 40, start.y + 30)]) {}
      let now = try await view(page)
      #expect(abs(now.x - former.x - 40) < 0.01 && abs(now.y - former.y - 30) < 0.01)
      #expect(now.zoom == former.zoom)
      try await page.page.emulateTouch()
      try await page.page.touch([[start], [(start.x, start.y + 20)], [(start.x, start.y + 30)]])
      let last = try await view(page)
      #expect(abs(last.x - now.x) < 0.01 && abs(last.y - now.y - 30) < 0.01)
    }
  }

  /// The place under the pointer stays where it is.
  @Test func wheelFingersAndButtonsZoom() async throws {
    try await onPage { page in
      let area = try await page.box("document.querySelector('.patchbay')")
      let place = try await background(page)
      let (x, y) = (place.x - area.x, place.y - area.y)
      func expectZoom(
        _ factor: Double, about: (x: Double, y: Double)?, _ move: () async throws -> Void
      ) async throws {
        let former = try await view(page)
        try await move()
        let now = try await view(page)
        #expect(abs(now.zoom / former.zoom - factor) < 0.001, "\(former) \(now)")
        guard let about else { return }
        #expect(abs((about.x - now.x) / now.zoom - (about.x - former.x) / former.zoom) < 0.01)
        #expect(abs((about.y - now.y) / now.zoom - (about.y - former.y) / former.zoom) < 0.01)
      }
      for delta in [100.0, -100] {
        try await expectZoom(exp(-0.0015 * delta), about: (x, y)) {
          try await page.page.run(
            """
            document.querySelector('.patchbay').dispatchEvent(new WheelEvent("wheel", {
              deltaY: \(delta), clientX: \(place.x), clientY: \(place.y), bubbles: true, cancelable: true }))
            """)
        }
      }
      let size = try await numbers(
        page,
        "(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])"
          + "(document.querySelector('.patchbay'))")
      for (name, factor) in [("Smaller", 1 / 1.3), ("Larger", 1.3)] {
        try await expectZoom(factor, about: (size[0] / 2, size[1] / 2)) {
          _ = try await page.page.evaluate(
            "document.querySelector('.patchbay').parentElement.querySelector('[aria-label=\(name)]').click()"
          )
        }
      }
      try await page.page.emulateTouch()
      // The fingers come nearer, to half of their distance.
      try await expectZoom(0.5, about: nil) {
        try await page.page.touch([
          [(place.x, place.y), (place.x + 120, place.y)],
          [(place.x, place.y), (place.x + 90, place.y)],
          [(place.x, place.y), (place.x + 60, place.y)],
        ])
      }
    }
  }

  @Test func fitShowsAll() async throws {
    try await onPage { page in
      for _ in 0..<8 {
        _ = try await page.page.evaluate("document.querySelector('[aria-label=Larger]').click()")
      }
      let areSeen = """
        (() => {
          const area = document.querySelector('.patchbay').getBoundingClientRect();
          return [...document.querySelectorAll('.box')].every((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return left >= area.left && right <= area.right && top >= area.top && bottom <= area.bottom;
          });
        })()
        """
      #expect(try await page.page.evaluate(areSeen) == "false")
      _ = try await page.page.evaluate(
        "[...document.querySelectorAll('button')].find(one => one.textContent === 'Fit').click()")
      #expect(try await page.page.evaluate(areSeen) == "true")
    }
  }

  /// A drag by a box's name places the box; a click on the name shows the unit's parameters.
  @Test func aBoxIsDraggedAndItsNameIsClicked() async throws {
    try await onPage { page in
      let box = "document.querySelector('[data-box=lowpass]')"
      let name = try await page.box("\(box).querySelector('.title')")
      let (x, y) = (name.x + name.width / 2, name.y + name.height / 2)
      func place() async throws -> [Double] {
        try await numbers(page, "[\(box).offsetLeft, \(box).offsetTop]")
      }
      let (former, zoom) = (try await place(), try await view(page).zoom)
      try await page.page.drag([(x, y), (x + 20, y + 10), (x + 40, y + 20)]) {}
      let now = try await place()
      #expect(
        abs(now[0] - former[0] - 40 / zoom) < 1.5 && abs(now[1] - former[1] - 20 / zoom) < 1.5)
      let shown =
        "[...document.querySelectorAll('[role=tabpanel]:not([hidden])')].map(one => one.id)"
      #expect(try await page.page.evaluate(shown) == "[\"patchbay\"]")
      try await page.page.drag([(x + 40, y + 20)]) {}
      #expect(await page.sees(shown, "[\"units\"]"))
      #expect(
        try await page.page.evaluate("document.activeElement.getAttribute('aria-labelledby')")
          == "\"unit-lowpass\"")
    }
  }
}
