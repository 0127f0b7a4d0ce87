// The files of units' views.

import Foundation
import SessionTestSupport
import Testing

@testable import OwnUnit
@testable import WebServer

@Suite struct ViewFileTests {
  private let test: TestServer

  init() throws { test = try TestServer() }

  private func open(_ client: WebSocketClient) throws -> String? {
    let request = "{\"command\":\"view\",\"unit\":\"gain\"}"
    let answer = try client.ask("stage", request)["answer"] as? [String: Any]
    let view = answer?["view"] as? [String: Any]
    #expect(view?["files"] == nil)
    return view?["path"] as? String
  }

  private func onSession(_ body: (SteppedSession) async throws -> Void) async throws {
    try await test.withSession(
      """
      [[unit]]
      id = "gain"
      component = "gain"
      """, components: [Gain.component], body)
  }

  private func get(_ path: String, _ fields: [String] = []) throws -> Response? {
    try test.ask("GET \(path) HTTP/1.1", fields)
  }

  /// The random path is what opens it: a sandboxed frame sends no cookie.
  @Test func aViewIsServedWithoutCookieUntilItIsClosed() async throws {
    try await onSession { _ in
      let client = try WebSocketClient(test, .guest)
      let path = try #require(try open(client))
      #expect(path.wholeMatch(of: /\/view\/[0-9a-f]{32}\//) != nil)
      let second = try #require(try open(client))
      #expect(second != path)
      for (name, type) in [
        ("", "text/html; charset=utf-8"), ("index.html", "text/html; charset=utf-8"),
        ("gain.js", "text/javascript; charset=utf-8"), ("gain.css", "text/css; charset=utf-8"),
        ("auricle-view.js", "text/javascript; charset=utf-8"),
      ] {
        let response = try #require(try get(path + name, ["Origin: null"]))
        #expect(response.status == 200 && response.fields["content-type"] == type, "\(name)")
        #expect(response.fields["access-control-allow-origin"] == "null")
        let policy = try #require(response.fields["content-security-policy"])
        #expect(policy.hasPrefix("sandbox allow-scripts; default-src 'self'; connect-src 'none'"))
      }
      for wrong in [
        "\(path)other.js", "\(path)../page.js", "/view/", "/view/\(path)", String(path.dropLast()),
      ] {
        #expect(try get(wrong)?.status == 404, "\(wrong)")
      }
      #expect(try client.ask("\"closeView\":\"\(path)\"")["answer"] != nil)
      #expect(try get(path)?.status == 404)
      #expect(try get(second)?.status == 200)
      // Another page cannot close it, and it ends with its own.
      _ = try WebSocketClient(test).ask("\"closeView\":\"\(second)\"")
      #expect(try get(second)?.status == 200)
      client.raw.endSending()
      var status = try get(second)?.status
      for _ in 0..<6_000 where status == 200 {
        try await Task.sleep(for: .milliseconds(10))
        status = try get(second)?.status
      }
      #expect(status == 404)
    }
  }

  @Test func otherPagesCannotLoadAView() async throws {
    try await onSession { _ in
      let client = try WebSocketClient(test)
      let path = try #require(try open(client))
      #expect(try get(path, ["Origin: http://evil.example"])?.status == 403)
      #expect(try get(path, ["Origin: \(test.address)"])?.status == 403)
      #expect(try get(path, ["Sec-Fetch-Dest: document"])?.status == 403)
      #expect(
        try get(path, ["Sec-Fetch-Dest: iframe", "Sec-Fetch-Site: same-origin"])?.status == 200)
      #expect(try test.ask("GET \(path) HTTP/1.1", host: "evil.example")?.status == 421)
      #expect(try test.ask("POST \(path) HTTP/1.1")?.status == 405)
    }
  }

  @Test func aPageShowsEightViewsAtMost() async throws {
    try await onSession { _ in
      let client = try WebSocketClient(test)
      let paths = try (0..<8).map { _ in try #require(try open(client)) }
      #expect(Set(paths).count == 8)
      let request = "{\"command\":\"view\",\"unit\":\"gain\"}"
      let refused = try client.ask("stage", request)["error"] as? [String: Any]
      #expect(refused?["message"] as? String == "8 views of units are open; close one")
      _ = try client.ask("\"closeView\":\"\(paths[0])\"")
      #expect(try open(client) != nil)
      // A view that is refused leaves no gap.
      let wrong = "{\"command\":\"view\",\"unit\":\"other\"}"
      _ = try client.ask("\"closeView\":\"\(paths[1])\"")
      for _ in 0..<20 { #expect(try client.ask("stage", wrong)["error"] != nil) }
      #expect(try open(client) != nil)
    }
  }
}
