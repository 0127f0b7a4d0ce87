// The check of requests before they are answered.

import Foundation
import NIOHTTP1
import Testing

@testable import WebServer

@Suite struct GateTests {
  private let test: TestServer

  init() throws { test = try TestServer() }

  @Test func theFirstPageNeedsTheCookie() throws {
    #expect(try test.ask()?.status == 401)
    let cookie = try test.cookie()
    #expect(try test.ask(cookie: cookie)?.status == 200)
    #expect(try test.ask(cookie: "other=1; \(cookie)")?.status == 200)
    let wrong = String(cookie.dropLast()) + (cookie.hasSuffix("0") ? "1" : "0")
    for cookie in [wrong, "auricle=", "auricle", "auricle=\(cookie)", String(cookie.dropLast())] {
      #expect(try test.ask(cookie: cookie)?.status == 401, "\(cookie)")
    }
  }

  @Test(arguments: Access.allCases)
  func aCodeIsGoodOnce(_ access: Access) throws {
    let path = test.codePath(access)
    // A program that looks at addresses ahead does not use it up.
    #expect(try test.ask("HEAD \(path) HTTP/1.1")?.status == 401)
    let first = try #require(try test.ask("GET \(path) HTTP/1.1"))
    #expect(first.status == 303 && first.fields["location"] == "/")
    let cookie = try #require(first.fields["set-cookie"])
    #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
    let pair = String(try #require(cookie.split(separator: ";").first))
    #expect(try test.ask(cookie: pair)?.status == 200)
    let second = try #require(try test.ask("GET \(path) HTTP/1.1"))
    #expect(second.status == 401 && second.fields["set-cookie"] == nil)
    // The same address again, in a browser that has the cookie.
    #expect(try test.ask("GET \(path) HTTP/1.1", cookie: pair)?.status == 303)
  }

  @Test func aCodeExpiresAfterFiveMinutes() {
    let key = AccessKey()
    let code = AccessCode.make(.member, key, now: 1000)
    for (now, access) in [(1000, Access.member), (1299, .member), (1300, nil), (999, nil)] {
      var codes = AccessCodes(key)
      #expect(codes.take(code, now: Int64(now)) == access, "\(now)")
    }
    // Used ones are remembered as long as they could be good.
    var codes = AccessCodes(key)
    #expect(codes.take(code, now: 1000) == .member)
    #expect(codes.take(code, now: 1299) == nil)
  }

  @Test func aCodeCannotBeChanged() {
    let key = AccessKey()
    let code = AccessCode.make(.guest, key, now: 1000)
    for index in code.indices {
      var changed = code
      changed.replaceSubrange(index...index, with: code[index] == "1" ? "2" : "1")
      var codes = AccessCodes(key)
      #expect(codes.take(changed, now: 1000) == nil, "\(changed)")
    }
    var codes = AccessCodes(AccessKey())
    for text in ["", "m", String(code.dropLast()), code + "0", "m" + code.dropFirst(), code] {
      #expect(codes.take(text, now: 1000) == nil, "\(text)")
    }
  }

  @Test func theHostHasToBeExact() throws {
    let cookie = try test.cookie()
    let port = test.server.port
    for host: String? in [
      nil, "localhost:\(port)", "127.0.0.1:\(port)", "rebinding.example:\(port)",
      test.host.split(separator: ":").first.map(String.init), "\(test.host).example",
      test.host.dropLast() + (test.host.hasSuffix("1") ? "2" : "1"), "user@\(test.host)", "",
    ] {
      let response = try test.ask(host: host, cookie: cookie)
      #expect([421, 400].contains(response?.status), "\(host ?? "none")")
    }
    let two = try test.ask(cookie: cookie, ["Host: \(test.host)"])
    #expect([421, 400].contains(two?.status))
    #expect(try test.ask(host: .some(nil), cookie: cookie)?.status == 421)
    #expect(try test.ask(host: "127.0.0.1:\(port)", cookie: cookie)?.status == 421)
    // Even with a good code.
    #expect(
      try test.ask("GET \(test.codePath()) HTTP/1.1", host: "evil.example:\(port)")?.status == 421)
  }

  @Test func theOriginHasToBeExact() throws {
    let cookie = try test.cookie()
    let upgrade = TestServer.upgrade
    #expect(try test.ask(cookie: cookie, ["Origin: \(test.address)"])?.status == 200)
    for origins in [
      ["null"], ["http://localhost:\(test.server.port)"], ["http://evil.example"], [""],
      ["https://\(test.host)"], [test.address + "/"], [test.address, test.address],
    ] {
      let fields = origins.map { "Origin: \($0)" }
      #expect(try test.ask(cookie: cookie, fields)?.status == 403, "\(origins)")
      let socket = try test.ask("GET /socket HTTP/1.1", cookie: cookie, upgrade + fields)
      #expect(socket?.status == 403, "\(origins)")
    }
    // A WebSocket needs one.
    #expect(try test.ask("GET /socket HTTP/1.1", cookie: cookie, upgrade)?.status == 403)
    let origin = ["Origin: \(test.address)"]
    #expect(try test.ask("GET /socket HTTP/1.1", upgrade + origin)?.status == 401)
  }

  @Test func theSiteHasToBeTheSame() throws {
    let cookie = try test.cookie()
    func status(_ path: String, _ fields: String...) throws -> Int? {
      try test.ask("GET \(path) HTTP/1.1", cookie: cookie, fields)?.status
    }
    #expect(try status("/", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate") == 200)
    #expect(try status("/", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: no-cors") == 403)
    #expect(try status("/", "Sec-Fetch-Site: same-origin") == 200)
    for site in ["same-site", "cross-site", "None", "x"] {
      #expect(try status("/", "Sec-Fetch-Site: \(site)") == 403, "\(site)")
    }
    #expect(try status("/socket", "Sec-Fetch-Site: none", "Origin: \(test.address)") == 403)
    #expect(try status("/", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site") == 403)
  }

  @Test func onlyReadingIsAcceptedAndNoBody() throws {
    let cookie = try test.cookie()
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
      let response = try test.ask("\(method) / HTTP/1.1", cookie: cookie)
      #expect(response?.status == 405, "\(method)")
      #expect(response?.fields["allow"] == "GET, HEAD")
    }
    let posted = try test.ask("POST / HTTP/1.1", cookie: cookie, ["Content-Length: 100000"])
    #expect(posted?.status == 405)
    #expect(try test.ask(cookie: cookie, ["Content-Length: 1"])?.status == 413)
    #expect(try test.ask(cookie: cookie, ["Transfer-Encoding: chunked"])?.status == 413)
    #expect(try test.ask(cookie: cookie, ["Content-Length: 0"])?.status == 200)
    let head = try #require(try test.ask("HEAD / HTTP/1.1", cookie: cookie))
    #expect(head.status == 200 && head.body.isEmpty)
    #expect(try test.ask(cookie: cookie)?.body.isEmpty == false)
  }

  @Test func unknownPathsAreRefused() throws {
    let cookie = try test.cookie()
    for path in [
      "/x", "//", "/../", "/%2e%2e/", "/web.key", "/index.html/", "/socket/", "*",
      "http://\(test.host)/",
    ] {
      let status = try test.ask("GET \(path) HTTP/1.1", cookie: cookie)?.status
      #expect(status == 404 || status == 400, "\(path)")
    }
    #expect(try test.ask("GET /x HTTP/1.1")?.status == 401)
  }

  @Test func allResponsesAreClosedToOthers() throws {
    let cookie = try test.cookie()
    let responses = try [
      test.ask(cookie: cookie), test.ask(), test.ask("GET /x HTTP/1.1", cookie: cookie),
      test.ask("GET \(test.codePath()) HTTP/1.1"), test.ask("POST / HTTP/1.1"),
      test.ask("GET /socket HTTP/1.1", cookie: cookie, ["Origin: \(test.address)"]),
    ]
    #expect(responses.compactMap { $0?.status } == [200, 401, 404, 303, 405, 426])
    for response in responses {
      let fields = try #require(response).fields
      #expect(fields["content-security-policy"]?.hasPrefix("default-src 'self';") == true)
      #expect(fields["content-security-policy"]?.contains("unsafe") == false)
      #expect(fields["x-content-type-options"] == "nosniff")
      #expect(fields["referrer-policy"] == "no-referrer")
      #expect(fields["cache-control"] == "no-store")
      #expect(!fields.keys.contains { $0.hasPrefix("access-control") })
    }
  }

  @Test func aWrongUpgradeIsAnswered() throws {
    let cookie = try test.cookie()
    let origin = ["Origin: \(test.address)"]
    for fields in [
      ["Upgrade: websocket", "Connection: Upgrade"],
      ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 12"],
      ["Upgrade: h2c", "Connection: Upgrade"], [],
      TestServer.upgrade.dropLast() + ["Sec-WebSocket-Version: 8"],
    ] {
      let response = try test.ask("GET /socket HTTP/1.1", cookie: cookie, origin + fields)
      #expect(response?.status == 426, "\(fields)")
      #expect(response?.fields["sec-websocket-version"] == "13")
    }
  }

  @Test func aNameThatIsAddedIsAccepted() throws {
    let test = try TestServer { $0.hosts = ["Stage.local"] }
    let port = test.server.port
    for host in ["stage.local", "STAGE.local:\(port)", test.host] {
      #expect(try test.ask(host: host)?.status == 401, "\(host)")
    }
    for host in ["stage.local:1", "x.stage.local", "stage"] {
      #expect(try test.ask(host: host)?.status == 421, "\(host)")
    }
    let cookie = try test.cookie()
    for (host, origin, status) in [
      ("stage.local", "https://stage.local", 200), ("stage.local", "http://stage.local", 200),
      ("stage.local", test.address, 403), (test.host, "https://stage.local", 403),
    ] {
      let response = try test.ask(host: host, cookie: cookie, ["Origin: \(origin)"])
      #expect(response?.status == status, "\(host) \(origin)")
    }
  }
}
