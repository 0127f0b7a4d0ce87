// Views of units in a browser: what they can do, and what they cannot.

import Foundation
import SessionModel
import SessionTestSupport
import Testing
import UnitModel
import UnitRender

@testable import OwnUnit
@testable import WebServer

/// A unit whose view is a script.
private final class ScriptUnit: EffectUnit, ViewProviding, @unchecked Sendable {
  private let script: String

  init(_ description: ComponentDescription, _ script: String) throws {
    self.script = script
    let parameters = ["value", "echo", "other"].enumerated().map { index, name in
      Parameter(
        identifier: name, name: name, address: UInt64(index), range: 0...2000, flags: .ramping)
    }
    try super.init(componentDescription: description, parameters: parameters)
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    try RenderResources(channelsOf: self, process: passThrough)
  }

  func makeView() throws(UnitViewError) -> UnitView {
    let page = "<!doctype html><script type=module src=view.js></script><p>view</p>"
    return try UnitView(files: ["index.html": Array(page.utf8), "view.js": Array(script.utf8)])
  }

  static func component(_ script: String) -> Component {
    let start = """
      import { connect } from "./auricle-view.js";
      const unit = await connect();
      const [value, echo, other] = ["value", "echo", "other"].map((one) => unit.parameters.get(one));

      """
    return Component(.effect, "scrp", "Test", name: "Script") {
      try ScriptUnit($0, start + script)
    }
  }
}

@_noLocks @_noAllocation
private func passThrough(_ channel: ChannelCall) {
  for frame in 0..<channel.frameCount { channel.output[frame] = channel.input[frame] }
}

/// Another server.
private final class Elsewhere {
  private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  let port: Int

  init() throws {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
    var count = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, count) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &count) == 0
      }
    }
    port = Int(in_port_t(bigEndian: name.sin_port))
    try #require(isBound)
  }

  deinit { close(descriptor) }

  /// The bytes that it has received. A browser may connect ahead and send nothing.
  var received: [UInt8] {
    var received: [UInt8] = []
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&state, 1, 0) == 1 {
      let client = accept(descriptor, nil, nil)
      defer { close(client) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 { received += bytes[..<count] }
    }
    return received
  }
}

@Suite(.serialized, .chromium, .inTurn) struct OwnViewTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  private func onPage(
    _ component: Component, fault: String? = nil, _ body: (BrowserPage) async throws -> Void
  ) async throws {
    try await rig.onUnits(
      """
      [[unit]]
      id = "hum"
      component = "tone"
      parameters = { playing = true }
      [[unit]]
      id = "own"
      component = "\(component.shortName)"
      [[connect]]
      from = "hum"
      to = "own"
      """, components: [component], fault: fault, body)
  }

  private static let button = "document.querySelector('[aria-label=\"View of own\"]')"
  private static let frame = "document.querySelector('iframe')"
  private static let fault = "document.querySelector('.own-view p').textContent"

  private func open(_ page: BrowserPage) async throws {
    _ = try await page.page.evaluate("\(Self.button).click()")
    #expect(await page.sees("\(Self.frame) !== null", "true"))
  }

  private func onView(
    _ script: String, fault: String? = nil, _ body: (BrowserPage) async throws -> Void
  ) async throws {
    try await onPage(ScriptUnit.component(script), fault: fault) { page in
      try await open(page)
      try await body(page)
    }
  }

  /// The example's pad, dragged across and moved by keys.
  @Test func theExamplesPadMovesTheGainAsOneStep() async throws {
    try await onPage(Gain.component) { page in
      try await open(page)
      _ = try await page.page.evaluate("\(Self.frame).scrollIntoView({ block: 'center' })")
      let box = try await page.box(Self.frame)
      let y = box.y + box.height / 2
      let points = [0.25, 0.5, 0.75].map { (x: box.x + 1 + (box.width - 2) * $0, y: y) }
      // The view loads in its own time.
      var attempts = 0
      #expect(
        await page.session.step(until: {
          attempts += 1
          try? await page.page.drag(points) { await page.session.step(2_000) }
          try? await Task.sleep(for: .milliseconds(300))
          return (try? await page.session.value("own/gain")).map { abs($0 - 3) < 0.02 } ?? false
        }))
      var steps = 0
      while (try? await page.session.undo()) != nil { steps += 1 }
      #expect(steps > 0 && steps <= attempts)
      #expect(try await page.session.value("own/gain") == 1)
      // A page shows others' values once its own have rested.
      let slider = "document.querySelector('[aria-labelledby=unit-own] input[type=range]')"
      #expect(await page.sees("\(slider).value", "\"250\""))
      try? await Task.sleep(for: .milliseconds(200))
      try await page.page.key("ArrowRight", code: "ArrowRight", number: 39)
      #expect(await page.hears("own/gain") { abs($0 - 1.05) < 0.001 })
      // Its sizes are the page's.
      let height = "\(Self.frame).offsetHeight"
      #expect(await page.sees(height, "320"))
      _ = try await page.page.evaluate(
        "[...document.querySelectorAll('.own-view button')].find(one => one.textContent === 'Large').click()"
      )
      #expect(await page.sees(height, "560"))
      _ = try await page.page.evaluate("\(Self.button).click()")
      #expect(await page.sees("\(Self.frame) === null", "true"))
    }
  }

  @Test func aViewSeesWhatOthersMove() async throws {
    try await onView("value.observe(() => echo.set(value.value)); other.set(1);") { page in
      #expect(await page.hears("own/other") { $0 == 1 })
      try await page.session.ask(.set(path: "own/value", value: .number(123)))
      #expect(await page.hears("own/echo") { $0 == 123 })
      // Values of a burst may be combined, but the last one arrives.
      for number in 0..<50 {
        try await page.session.ask(.set(path: "own/value", value: .number(Double(number))))
      }
      #expect(await page.hears("own/echo") { $0 == 49 })
    }
  }

  @Test func aRemovedUnitsViewIsClosed() async throws {
    try await onView("echo.set(1);") { page in
      #expect(await page.hears("own/echo") { $0 == 1 })
      _ = try await page.page.evaluate(
        """
        (() => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            window.closedView ??= JSON.parse(text).closeView;
            return send.call(this, text);
          };
        })()
        """)
      let path = try await page.page.evaluate("\(Self.frame).getAttribute('src')")
      try await page.session.ask(.remove(unit: "own", ringsOut: false))
      #expect(await page.sees("\(Self.frame) === null", "true"))
      #expect(await page.sees("window.closedView", path))
    }
  }

  @Test func aGestureOfAViewIsOneStepOfUndo() async throws {
    try await onView(
      """
      value.begin(["other"]);
      for (let one = 1; one <= 20; one++) {
        value.set(one);
        other.set(2 * one);
        await new Promise((done) => setTimeout(done, 40));
      }
      value.end();
      echo.set(1);
      """
    ) { page in
      #expect(await page.hears("own/echo") { $0 == 1 })
      #expect(try await page.session.value("own/value") == 20)
      #expect(try await page.session.value("own/other") == 40)
      _ = try await page.session.undo(2)
      #expect(try await page.session.value("own/value") == 0)
      #expect(try await page.session.value("own/other") == 0)
    }
  }

  @Test func aViewGetsPresetsMetersStateAndRamps() async throws {
    try await onView(
      """
      await unit.savePreset("mine");
      const presets = await unit.presets();
      const isThere = presets.some(({ name }) => name === "mine");
      unit.meters.observe(({ outputs }) => { if (isThere && outputs.length === 1) echo.set(7); });
      unit.states.observe(({ isBypassed }) => { if (isBypassed) value.set(500, { ramp: 100 }); });
      const refused = await unit.loadPreset("none").catch((error) => error.message);
      if (refused.includes("none")) other.set(unit.configuration.height);
      """
    ) { page in
      #expect(await page.hears("own/echo") { $0 == 7 })
      #expect(await page.hears("own/other") { $0 == 320 })
      try await page.session.ask(.bypass(unit: "own", isOn: true))
      #expect(await page.hears("own/value") { $0 > 0 && $0 < 500 })
      #expect(await page.hears("own/value") { $0 == 500 })
    }
  }

  /// Each attempt that is refused adds a bit.
  @Test func aViewReachesNothingButItsUnit() async throws {
    try await onView(
      """
      let refused = 0;
      const fails = async (bit, attempt) => { try { await attempt(); } catch { refused |= bit; } };
      await fails(1, () => fetch("./index.html"));
      await fails(2, () => new Promise((done, fail) => {
        const socket = new WebSocket(`ws://${location.host}/socket`);
        [socket.onopen, socket.onerror] = [done, fail];
      }));
      await fails(4, () => { parent.document.title = "taken"; });
      await fails(8, () => { localStorage.setItem("a", "b"); });
      await fails(16, () => { top.location = "about:blank"; });
      await fails(32, () => { if (!window.open("about:blank")) throw new Error("no window"); });
      await fails(64, () => new Promise((done, fail) => {
        const image = new Image();
        [image.onload, image.onerror] = [done, fail];
        image.src = "/icon.svg";
      }));
      await fails(128, () => { if (document.cookie === "") throw new Error("no cookie"); });
      await fails(256, () => new Promise((done, fail) => {
        const script = document.createElement("script");
        [script.onload, script.onerror] = [done, fail];
        script.src = "/page.js";
        document.body.append(script);
      }));
      await fails(512, () => { if (!window.eval("1")) throw new Error(); });
      echo.set(refused);
      // No other units, and no values that are none.
      parent.postMessage({ type: "set", path: "../hum/frequency", value: 1000 }, "*");
      parent.postMessage({ type: "set", path: "value", value: NaN }, "*");
      parent.postMessage({ type: "set", path: "value", value: 1e9 }, "*");
      for (const odd of [null, 1, "hello", [], {}, { type: "begin" }, { type: "end", path: 3 }, { type: "ask" },
        { type: "begin", path: "value", others: [null, "../hum/frequency", "value"] }, { type: "end", path: "value" }]) {
        parent.postMessage(odd, "*");
      }
      """
    ) { page in
      let before = try await page.session.value("hum/frequency")
      #expect(await page.hears("own/echo") { $0 > 0 })
      let bits = try await page.session.value("own/echo")
      #expect(bits == 1023)
      #expect(await page.hears("own/value") { $0 == 2000 })
      #expect(try await page.session.value("hum/frequency") == before)
      #expect(await page.sees("document.title.includes('taken')", "false"))
      #expect(await page.sees("\(Self.frame) !== null", "true"))
    }
  }

  @Test func aViewCannotLeaveForAnotherPage() async throws {
    let elsewhere = try Elsewhere()
    try await onView(
      """
      echo.set(1);
      setTimeout(() => { location = "http://127.0.0.1:\(elsewhere.port)/"; }, 200);
      """, fault: "Security Policy"
    ) { page in
      #expect(await page.hears("own/echo") { $0 == 1 })
      // What is shown in its place does not answer.
      #expect(await page.sees(Self.fault, "\"The view of own does not answer, so it was closed.\""))
      #expect(elsewhere.received == [])
    }
  }

  @Test func aViewThatSpinsIsTakenDownWhileThePageGoesOn() async throws {
    try await onView("value.begin(); value.set(3); setTimeout(() => { for (;;); }, 300);") { page in
      #expect(await page.hears("own/value") { $0 == 3 })
      let slider = "document.querySelector('[aria-labelledby=unit-hum] input[type=range]')"
      _ = try await page.page.evaluate("\(slider).focus()")
      #expect(await page.sees("document.activeElement === \(slider)", "true"))
      #expect(await page.sees(Self.fault, "\"The view of own does not answer, so it was closed.\""))
      #expect(await page.sees("\(Self.frame) === null", "true"))
      // It holds its parameter no longer.
      try await page.session.ask(.set(path: "own/value", value: .number(1000)))
      let value = "document.querySelector('[aria-labelledby=unit-own] input[type=range]').value"
      #expect(await page.sees(value, "\"500\""))
    }
  }

  /// 120 messages pass in a second; a burst can last into the next one.
  @Test func aFloodOfAViewIsDropped() async throws {
    try await onView(
      """
      for (let one = 1; one <= 2000; one++) {
        parent.postMessage({ type: "set", path: "other", value: one % 1000, ramp: 1 }, "*");
      }
      // A second later its messages pass again.
      for (;;) {
        await new Promise((done) => setTimeout(done, 250));
        echo.set(echo.value === 5 ? 6 : 5);
      }
      """
    ) { page in
      #expect(await page.hears("own/echo") { $0 >= 5 })
      let moved = try await page.session.journal().count { $0.path == "own/other" }
      #expect(moved > 0 && moved <= 240, "\(moved)")
      #expect(await page.sees("\(Self.frame) !== null", "true"))
    }
  }

  @Test func aGuestsViewChangesNothing() async throws {
    try await rig.onUnits(
      """
      [[unit]]
      id = "own"
      component = "script"
      """,
      components: [
        ScriptUnit.component("value.set(5); value.begin(); echo.set(unit.isGuest ? 1 : 2);")
      ], access: .guest
    ) { page in
      #expect(await page.sees("\(Self.button) !== null", "true"))
      try await open(page)
      let height = "\(Self.frame).offsetHeight"
      #expect(await page.sees(height, "320"))
      await page.session.step(48_000)
      #expect(try await page.session.value("own/value") == 0)
      #expect(try await page.session.journal().isEmpty)
      // Nothing was even asked for.
      #expect(
        await page.sees(
          "document.querySelector('#state').textContent.startsWith('You are a guest')", "true"))
    }
  }
}
