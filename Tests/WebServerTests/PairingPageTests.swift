// The form for a pairing code, in a browser.

import Testing

@testable import WebServer

@Suite(.serialized, .chromium, .inTurn) struct PairingPageTests {
  private let test: TestServer
  private let chromium: Chromium

  init() throws {
    test = try TestServer {
      $0.address = "0.0.0.0"
      $0.hosts = ["localhost"]
    }
    chromium = try Chromium()
  }

  @Test func theFormPairsByKeys() async throws {
    defer { chromium.close() }
    let page = try await chromium.open(test.address + "/#stage/journal")
    func send(_ digits: String) async throws {
      _ = try await page.evaluate("document.activeElement.value = '\(digits)'")
      try await page.key("Enter", code: "Enter", number: 13)
    }
    #expect(await page.sees("document.querySelector('form') && document.readyState === 'complete'"))
    #expect(await page.sees("document.activeElement?.id", #""digits""#))
    let heights = "[...document.querySelectorAll('input, button')].map((one) => one.offsetHeight)"
    #expect(try await page.evaluate("\(heights).every((one) => one >= 44)") == "true")
    let state = "document.getElementById('state').textContent"
    try await send("1234")
    #expect(await page.sees(state, #""A pairing code has eight digits.""#))
    let code = try #require(test.server.pairingCode())
    // A digit that is wrong; the field is marked and its text selected, so that it can be typed.
    try await send(String(code.digits.dropLast()) + (code.digits.hasSuffix("1") ? "2" : "1"))
    #expect(await page.sees("\(state).startsWith('This code is wrong, used or expired.')"))
    #expect(await page.sees("getSelection().toString().length", "9"))
    try await send(code.digits)
    #expect(await page.sees("document.getElementById('tabs') !== null"))
    #expect(try await page.evaluate("location.hash") == ##""#stage/journal""##)
    // Another browser has no cookie.
    let other = try await chromium.open(test.address)
    #expect(await other.sees("document.getElementById('digits') !== null"))
  }
}
