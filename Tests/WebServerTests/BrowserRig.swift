// A session with the page in a browser.

import ControlSocket
import Foundation
import Remotes
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@testable import WebServer

/// A server, Chromium and a session. Each test asks the session, whatever the page shows.
struct BrowserRig {
  let test: TestServer
  private let chromium: Chromium

  init() throws {
    test = try TestServer()
    chromium = try Chromium()
  }

  /// A sampler with an endless sound, and a filter.
  static let units = """
    [[unit]]
    id = "keys"
    component = "sampler"
    soundfont = "a.sf2"
    [[unit]]
    id = "lowpass"
    component = "filter"
    parameters = { cutoff = 800 }
    [[connect]]
    from = "keys"
    to = "lowpass"

    """

  /// Opens a page of the session, and ends both afterwards.
  ///
  /// - Parameters:
  ///   - name: the page that is shown at first.
  ///   - others: further lines of the session's configuration.
  ///   - units: the first lines. The folder has "a.sf2", a SoundFont with an endless sound.
  ///   - access: the browser's.
  ///   - fault: a part of the only errors that the page may report; nil for none.
  func onPage(
    _ name: String, _ others: String = "", units: String = Self.units,
    components: [Component] = [], access: Access = .member, fault: String? = nil,
    _ body: (Chromium.Page, SteppedSession) async throws -> Void
  ) async throws {
    defer { chromium.close() }
    try await test.withSession(units + others, components: components) { session in
      let page = try await open(name, access)
      // The connections are one too.
      let count = (units + others).components(separatedBy: "[[unit]]").count
      let sections = "document.querySelectorAll('section').length"
      try #require(await sees(page, session, sections, "\(count)"), "\(page.faults)")
      try await body(page, session)
      #expect(page.faults.filter { text in !(fault.map { text.contains($0) } ?? false) } == [])
    }
  }

  /// Opens the page of some units, and ends both afterwards.
  func onUnits(
    _ units: String, components: [Component] = [], access: Access = .member, fault: String? = nil,
    _ body: (BrowserPage) async throws -> Void
  ) async throws {
    try await onPage(
      "units", units: units, components: components, access: access, fault: fault
    ) { try await body(BrowserPage(page: $0, session: $1)) }
  }

  /// Opens a page in a browser of its own.
  func open(_ name: String, _ access: Access = .member) async throws -> Chromium.Page {
    try await chromium.open(test.server.link(access) + "#stage/\(name)")
  }

  /// Opens an address of another server.
  func open(at address: String) async throws -> Chromium.Page { try await chromium.open(address) }

  /// Ends the browser, which `onPage` does itself.
  func close() { chromium.close() }

  /// Steps the session until an expression of the page has a value.
  func sees(
    _ page: Chromium.Page, _ session: SteppedSession, _ expression: String, _ value: String
  ) async -> Bool {
    await BrowserPage(page: page, session: session).sees(expression, value)
  }
}

extension Chromium.Page {
  /// Notes the units whose spectra the page asks for from now on in `asked`, and those whose frames
  /// it asks for in `scoped`. Only changes of the lists are noted.
  func noteSpectra() async throws {
    try await run(
      """
      window.asked = [];
      window.scoped = [];
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (text) {
        const { spectra, scopes } = JSON.parse(text).request ?? {};
        for (const [units, noted] of [[spectra, window.asked], [scopes, window.scoped]]) {
          if (units && units.join() !== noted.at(-1)) noted.push(units.join());
        }
        send.call(this, text);
      };
      """)
  }

  /// Types into the search field of a part of the page.
  func search(_ text: String, in part: String) async throws {
    try await run(
      """
      {
        const field = \(part).querySelector('[type=search]');
        field.value = '\(text)';
        field.dispatchEvent(new Event('input'));
      }
      """)
  }
}

/// A page, and its session.
struct BrowserPage {
  let page: Chromium.Page
  let session: SteppedSession

  /// Steps the session until an expression of the page has a value, as JSON.
  func sees(_ expression: String, _ value: String) async -> Bool {
    await session.step(until: { (try? await page.evaluate(expression)) == value })
  }

  /// Returns what the body of an async function of the page returns, as JSON.
  func value(of body: String) async throws -> String {
    _ = try await page.evaluate(
      """
      (window.found = undefined, (async () => {
        \(body)
      })().then((value) => { window.found = { value }; }, (error) => { window.found = { error: String(error) }; }), 0)
      """)
    #expect(await sees("window.found !== undefined", "true"))
    #expect(try await page.evaluate("window.found.error ?? null") == "null")
    return try await page.evaluate("window.found.value")
  }

  /// Steps the session until a parameter's value fulfils a condition.
  func hears(_ path: String, _ isWanted: (Float) -> Bool) async -> Bool {
    await session.step(until: { (try? await session.value(path)).map(isWanted) ?? false })
  }

  /// Returns where an element is: the left, the top, the width and the height.
  func box(
    _ element: String
  ) async throws -> (x: Double, y: Double, width: Double, height: Double) {
    let text = try await page.evaluate(
      "(({ x, y, width, height }) => [x, y, width, height])(\(element).getBoundingClientRect())")
    let box = try JSONDecoder().decode([Double].self, from: Data(text.utf8))
    return (box[0], box[1], box[2], box[3])
  }
}
