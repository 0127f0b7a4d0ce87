// Codes that a tablet's user types.

import Foundation
import NIOHTTP1
import Testing

@testable import WebServer

/// The check of requests at an address that other machines reach, at any time.
private final class OpenGate {
  let key = AccessKey()
  private var gate: RequestGate

  init(_ address: String = "192.168.1.20") throws {
    let address = try ListeningAddress(address, hasNames: false)
    gate = RequestGate(key, address, port: 8080, names: [])
  }

  /// The digits that are printed at a time.
  func code(_ access: Access = .member, at now: Int64) -> String {
    PairingCode(access, key, address: "http://192.168.1.20:8080", now: now)?.digits
      .filter { $0 != " " } ?? ""
  }

  /// Digits that are no code of the time.
  func wrongCode(at now: Int64) -> String {
    let windows = now / PairingCode.windowSeconds - 20...now / PairingCode.windowSeconds
    let good = Access.allCases.flatMap { access in
      windows.map { PairingCode.digits(access, window: $0, key) }
    }
    return (0..<100).map { "000000\($0 + 10)".suffix(8) }.map(String.init)
      .first { !good.contains($0) } ?? ""
  }

  /// Sends a code, and returns the status and the access of the cookie.
  func pair(_ code: String, at now: Int64) -> (status: UInt, access: Access?) {
    let head = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: "/pair",
      headers: [
        "Host": "192.168.1.20:8080", "Origin": "http://192.168.1.20:8080", "Auricle-Code": code,
      ])
    switch gate.judge(head, now: now) {
    case .pair(let cookie):
      return (204, key.access(cookie: String(cookie.dropFirst("auricle_8080=".count))))
    case .refuse(let status, _): return (status.code, nil)
    default: return (0, nil)
    }
  }

  /// Whether a printed address is accepted.
  func admits(_ code: String, at now: Int64) -> Bool {
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/?code=\(code)",
      headers: ["Host": "192.168.1.20:8080"])
    guard case .admit = gate.judge(head, now: now) else { return false }
    return true
  }
}

@Suite struct PairingTests {
  private let test: TestServer

  init() throws {
    test = try TestServer {
      $0.address = "0.0.0.0"
      $0.hosts = ["stage.local"]
    }
  }

  private func pair(
    _ code: String, origin: String?? = .none, _ fields: [String] = []
  ) throws -> Response? {
    let origin = origin ?? test.address
    return try test.ask(
      "POST /pair HTTP/1.1",
      ["Content-Length: 0", "Auricle-Code: \(code)"] + (origin.map { ["Origin: \($0)"] } ?? [])
        + fields)
  }

  private func code(_ access: Access = .member) throws -> String {
    try #require(test.server.pairingCode(access)).digits.filter { $0 != " " }
  }

  @Test(arguments: Access.allCases)
  func aCodeGivesTheCookieOfItsAccessOnce(_ access: Access) throws {
    let code = try code(access)
    let first = try #require(try pair(code))
    #expect(first.status == 204 && first.body.isEmpty)
    let field = try #require(first.fields["set-cookie"])
    #expect(field.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
    let cookie = try #require(field.split(separator: ";").first)
    #expect(String(cookie) == (try test.cookie(access)))
    #expect(try test.ask(cookie: String(cookie))?.status == 200)
    let second = try #require(try pair(code))
    #expect(second.status == 401 && second.fields["set-cookie"] == nil)
    #expect(second.body.contains("auricle web --link"))
    // The other access has a code of its own.
    #expect(try pair(self.code(access == .guest ? .member : .guest))?.status == 204)
  }

  @Test func aCodeIsGoodForFiveMinutes() throws {
    // Printed from 990 until 1019.
    for (now, status) in [(989, 401), (990, 204), (1000, 204), (1319, 204), (1320, 401)] {
      let gate = try OpenGate()
      #expect(gate.pair(gate.code(at: 1000), at: Int64(now)).status == UInt(status), "\(now)")
    }
    // Used ones are remembered as long as they could be good. Each half minute has its code.
    let gate = try OpenGate()
    for access in Access.allCases {
      #expect(gate.pair(gate.code(access, at: 1000), at: 1000) == (204, access))
      #expect(gate.pair(gate.code(access, at: 1019), at: 1319).status == 401)
      #expect(gate.pair(gate.code(access, at: 1020), at: 1319) == (204, access))
    }
  }

  @Test func fiveWrongCodesClosePairing() throws {
    let gate = try OpenGate()
    let right = gate.code(at: 1000)
    let wrong = gate.wrongCode(at: 1000)
    for now in 1000..<1004 { #expect(gate.pair(wrong, at: Int64(now)).status == 401) }
    // Also one that is no code at all.
    #expect(gate.pair("", at: 1004).status == 401)
    for now in [1004, 1299] {
      #expect(gate.pair(right, at: Int64(now)).status == 429)
      #expect(gate.pair(wrong, at: Int64(now)).status == 429)
    }
    // Long codes cannot be guessed.
    #expect(gate.admits(AccessCode.make(.member, gate.key, now: 1200), at: 1200))
    // The first wrong one is five minutes ago, the others are not.
    #expect(gate.pair(right, at: 1300) == (204, .member))
    #expect(gate.pair(gate.wrongCode(at: 1300), at: 1300).status == 401)
    #expect(gate.pair(gate.code(at: 1300), at: 1300).status == 429)
    #expect(gate.pair(gate.code(at: 1300), at: 1301) == (204, .member))
  }

  @Test func onlyTheFormMayPair() throws {
    let code = try code()
    for origin: String? in [
      nil, "null", "http://evil.example", "http://\(test.host).example", test.address + "/",
    ] {
      #expect(try pair(code, origin: .some(origin))?.status == 403, "\(origin ?? "none")")
    }
    for site in ["none", "same-site", "cross-site"] {
      #expect(try pair(code, ["Sec-Fetch-Site: \(site)"])?.status == 403, "\(site)")
    }
    // The request that asks whether another page may send the code's field.
    #expect(try test.ask("OPTIONS /pair HTTP/1.1")?.status == 405)
    #expect(try pair(code, ["Host: stage.local"])?.status != 204)
    // Other pages cannot close pairing either: none of these was looked at.
    #expect(try pair(code, ["Sec-Fetch-Site: same-origin"])?.status == 204)
  }

  @Test func onlyAnEmptyPostPairs() throws {
    let cookie = try test.cookie()
    let fields = ["Auricle-Code: \(try code())", "Origin: \(test.address)"]
    for length in ["Content-Length: 8", "Transfer-Encoding: chunked"] {
      #expect(try test.ask("POST /pair HTTP/1.1", fields + [length])?.status == 413)
    }
    for line in ["POST / HTTP/1.1", "POST /pair.html HTTP/1.1", "PUT /pair HTTP/1.1"] {
      #expect(try test.ask(line, fields)?.status == 405, "\(line)")
    }
    #expect(try test.ask("GET /pair?digits=\(try code()) HTTP/1.1", fields)?.status == 401)
    #expect(try test.ask("GET /pair HTTP/1.1", cookie: cookie, fields)?.status == 404)
    let two = try test.ask("POST /pair HTTP/1.1", fields + ["Auricle-Code: 12345678"])
    #expect(two?.status == 401)
  }

  @Test func theFormIsShownInPlaceOfThePage() throws {
    let form = try #require(try test.ask())
    #expect(form.status == 401 && form.fields["content-type"]?.hasPrefix("text/html") == true)
    #expect(Array(form.body.utf8) == PageFile.all["/pair.html"]?.bytes)
    #expect(form.fields["content-security-policy"]?.hasPrefix("default-src 'self';") == true)
    // Also in place of an address that is used up, but not where nobody looks.
    #expect(try test.ask("GET /?code=m HTTP/1.1")?.body == form.body)
    #expect(try test.ask("HEAD / HTTP/1.1")?.body == "")
    for path in PageFile.all.keys where path != "/" {
      let isOpen = ["/pair.js", "/page.css"].contains(path)
      #expect(try test.ask("GET \(path) HTTP/1.1")?.status == (isOpen ? 200 : 401), "\(path)")
    }
    let page = try test.ask(cookie: test.cookie())
    #expect(page?.status == 200 && page?.body != form.body)
  }

  @Test(arguments: [nil, "127.0.0.1"])
  func onlyOtherMachinesPair(_ address: String?) throws {
    let test = try TestServer { $0.address = address }
    #expect(test.server.pairingCode() == nil)
    #expect(try WebServer.pairingCode(in: test.folder) == nil)
    #expect(try test.ask()?.body.contains("<form") == false)
    let fields = ["Origin: \(test.address)", "Content-Length: 0", "Auricle-Code: 12345678"]
    #expect(try test.ask("POST /pair HTTP/1.1", fields)?.status == 405)
    #expect(try test.ask("GET /pair.js HTTP/1.1")?.status == 401)
  }

  @Test func theCodeIsFoundFromTheFile() throws {
    let now = AccessCode.now() / PairingCode.windowSeconds
    let code = try #require(try WebServer.pairingCode(.guest, in: test.folder))
    #expect(code.address == test.address)
    #expect(code.digits.contains(#/^[0-9]{4} [0-9]{4}$/#))
    if AccessCode.now() / PairingCode.windowSeconds == now {
      #expect(code.digits == test.server.pairingCode(.guest)?.digits)
    }
    test.server.close()
    #expect(throws: WebServerError.self) { try WebServer.pairingCode(in: test.folder) }
    let key = AccessKey()
    for (address, isOpen) in [
      ("http://127.1.2.3:80", false), ("http://[::1]:80", false), ("http://[fd00::1]:80", true),
      ("http://192.168.1.20:80", true), ("http://stage.local:80", true),
    ] {
      #expect((PairingCode(.member, key, address: address) != nil) == isOpen, "\(address)")
    }
    // Zeros at the beginning count.
    let all = Set((0..<2000).map { PairingCode.digits(.member, window: $0, key) })
    #expect(all.count > 1990 && all.allSatisfy { $0.utf8.count == 8 })
    #expect(all.contains { $0.hasPrefix("0") })
  }
}
