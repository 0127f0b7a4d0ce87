// A page in a browser, with a session behind it.

import ControlSocket
import Foundation
import Remotes
import SessionTestSupport
import TestSupport
import Testing

@testable import WebServer

/// A server and a Chromium, for one test.
struct BrowserRig {
  let test: TestServer
  let chromium: Chromium

  init() throws {
    test = try TestServer()
    chromium = try Chromium()
  }

  /// Opens the page on a session, and ends both afterwards.
  ///
  /// - Parameters:
  ///   - text: the session's file. Its folder has "a.sf2", a SoundFont with an endless sound.
  ///   - sections: the number of boxes that the page shows.
  func onPage(
    _ text: String, sections: Int, _ body: (BrowserPage) async throws -> Void
  ) async throws {
    defer { chromium.close() }
    try SoundFontMaker.endless().write(to: test.directory.file("a.sf2"))
    let socket = try SessionSocket(name: "stage", in: test.folder)
    defer { socket.close() }
    let session = try await SteppedSession(
      test.directory.write(text, to: "session.toml"), socket: socket)
    let page = BrowserPage(
      page: try await chromium.open(test.server.link() + "#stage/units"), session: session)
    #expect(await page.sees("document.querySelectorAll('section').length", "\(sections)"))
    try await body(page)
    #expect(page.page.faults == [])
    #expect(await session.end() == nil)
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
