// Connections that take too much, or too long.

import Foundation
import Testing

@testable import WebServer

@Suite struct ConnectionTests {
  @Test func aLongHeadIsRefused() throws {
    let test = try TestServer()
    let cookie = try test.cookie()
    func status(_ fields: [String]) throws -> Int? { try test.ask(cookie: cookie, fields)?.status }
    let long = String(repeating: "x", count: 9000)
    #expect(try status(["A: \(long.prefix(4000))"]) == 200)
    #expect(try status(["A: \(long)"]) == 431)
    let fields = (0..<6).map { "A\($0): \(long.prefix(4000))" }
    #expect(try status(fields) == 431)
    #expect(try status((0..<40).map { "A\($0): 1" }) == 200)
    #expect(try status((0..<70).map { "A\($0): 1" }) == 431)
    #expect([414, 431, 400].contains(try test.ask("GET /\(long)\(long) HTTP/1.1")?.status))
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: ", "G"])
  func aHeadHasADeadline(_ start: String) throws {
    let test = try TestServer { $0.limits.headMilliseconds = 20 }
    let client = try RawClient(test.address)
    client.send(start)
    #expect(try client.readToEnd() == [])
  }

  @Test func aHeadHasOneDeadlineForAllOfIt() throws {
    let test = try TestServer { $0.limits.headMilliseconds = 100 }
    let client = try RawClient(test.address)
    // Bytes go on to come; the connection ends all the same.
    let drip = Thread {
      while !Thread.current.isCancelled {
        client.send("x")
        usleep(1000)
      }
    }
    client.send("GET /")
    drip.start()
    _ = try client.readToEnd()
    drip.cancel()
  }

  @Test func connectionsHaveALimit() throws {
    let test = try TestServer {
      $0.limits.connections = 3
      $0.limits.headMilliseconds = 3_600_000
    }
    let cookie = try test.cookie()
    var held = try (0..<3).map { _ in try RawClient(test.address) }
    for client in held { client.send("GET / HTTP/1.1\r\n") }
    // Closed at once, while the others are kept.
    #expect(try RawClient(test.address).readToEnd() == [])
    held[0].send(test.head(cookie: cookie).dropFirst("GET / HTTP/1.1\r\n".count).description)
    #expect(Response(try held[0].readToEnd())?.status == 200)
    held.removeFirst()
    while try test.ask(cookie: cookie)?.status != 200 {}
  }

  @Test func webSocketsHaveALimit() throws {
    let test = try TestServer { $0.limits.browsers = 1 }
    let client = try WebSocketClient(test)
    let fields = TestServer.upgrade + ["Origin: \(test.address)"]
    let cookie = try test.cookie()
    #expect(try test.ask("GET /socket HTTP/1.1", cookie: cookie, fields)?.status == 503)
    #expect(try client.sessions() == [])
  }

  /// The end of the client's direction may come before the WebSocket is open.
  @Test func aWebSocketThatEndsAtOnceIsClosed() throws {
    let test = try TestServer { $0.limits.silenceMilliseconds = 3_600_000 }
    let cookie = try test.cookie()
    for _ in 0..<100 {
      let client = try RawClient(test.address)
      let fields = TestServer.upgrade + ["Origin: \(test.address)"]
      client.send(test.head("GET /socket HTTP/1.1", cookie: cookie, fields))
      client.endSending()
      _ = try client.readToEnd()
    }
  }

  @Test func onlyTheFirstRequestIsRead() throws {
    let test = try TestServer()
    let cookie = try test.cookie()
    let client = try RawClient(test.address)
    client.send(test.head(cookie: cookie) + test.head("GET /x HTTP/1.1", cookie: cookie))
    let text = String(decoding: try client.readToEnd(), as: UTF8.self)
    #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
  }

  @Test func whatIsNoRequestIsRefused() throws {
    let test = try TestServer()
    for text in [
      "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
      let client = try RawClient(test.address)
      client.send(text)
      #expect(
        [400, 421].contains(Response(try client.readToEnd())?.status), "\(text.debugDescription)")
    }
  }

  @Test func garbageLeavesTheServerAlive() throws {
    let test = try TestServer { $0.limits.lingerMilliseconds = 100 }
    let cookie = try test.cookie()
    var random = SystemRandomNumberGenerator()
    let head = Array(
      test.head(
        "GET /socket HTTP/1.1", cookie: cookie,
        TestServer.upgrade + ["Origin: \(test.address)"]
      ).utf8)
    for number in 0..<2000 {
      var bytes = head
      for _ in 0...number % 8 {
        bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      let client = try RawClient(test.address)
      client.send(Array(bytes.prefix(number % 3 == 0 ? number % bytes.count : bytes.count)))
      client.endSending()
      _ = try client.readToEnd()
    }
    #expect(try test.ask(cookie: cookie)?.status == 200)
    for number in 0..<500 {
      let client = try WebSocketClient(test)
      let payload = (0..<number % 200).map { _ in UInt8.random(in: 0...255, using: &random) }
      client.raw.send(
        WebSocketClient.frame(
          .random(in: 0...255, using: &random), payload, isMasked: number % 2 == 0)
          + (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) })
      client.raw.endSending()
      _ = try client.raw.readToEnd()
    }
    #expect(try test.ask(cookie: cookie)?.status == 200)
  }
}
