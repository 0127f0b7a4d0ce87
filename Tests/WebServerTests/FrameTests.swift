// Frames that WebSockets may not have.

import Foundation
import Testing

@testable import WebServer

@Suite struct FrameTests {
  private let test: TestServer

  init() throws { test = try TestServer() }

  private static let request = Array("{\"id\":1,\"sessions\":true}".utf8)

  @Test func aRightFrameIsAnswered() throws {
    let client = try WebSocketClient(test)
    #expect(try client.sessions() == [])
    client.raw.send(WebSocketClient.frame(0x89, [1, 2, 3]))
    #expect(try client.next() == ServerFrame(opcode: 10, bytes: [1, 2, 3]))
    client.raw.send(WebSocketClient.frame(0x8A, []))
    #expect(try client.sessions() == [])
  }

  @Test func fragmentsAreJoined() throws {
    let client = try WebSocketClient(test)
    let (first, last) = (Array(Self.request[..<5]), Array(Self.request[5...]))
    client.raw.send(WebSocketClient.frame(0x01, first))
    client.raw.send(WebSocketClient.frame(0x89, []))
    client.raw.send(WebSocketClient.frame(0x80, last))
    #expect(try client.next()?.opcode == 10)
    #expect(try client.next()?.text.hasPrefix("{\"answer\":") == true)
  }

  @Test(arguments: [
    ("unmasked", WebSocketClient.frame(0x81, request, isMasked: false), 1002),
    ("RSV1", WebSocketClient.frame(0xC1, request), 1002),
    ("RSV2", WebSocketClient.frame(0xA1, request), 1002),
    ("RSV3", WebSocketClient.frame(0x91, request), 1002),
    ("reserved opcode", WebSocketClient.frame(0x83, request), 1002),
    ("reserved control opcode", WebSocketClient.frame(0x8B, []), 1002),
    ("continuation of nothing", WebSocketClient.frame(0x80, request), 1002),
    (
      "text within a text",
      WebSocketClient.frame(0x01, [65]) + WebSocketClient.frame(0x81, request), 1002
    ),
    ("fragmented ping", WebSocketClient.frame(0x09, []), 1002),
    ("long ping", WebSocketClient.frame(0x89, [UInt8](repeating: 0, count: 126)), 1002),
    ("bad UTF-8", WebSocketClient.frame(0x81, [0xC3, 0x28]), 1007),
    ("surrogate", WebSocketClient.frame(0x81, [0xED, 0xA0, 0x80]), 1007),
    ("binary", WebSocketClient.frame(0x82, request), 1003),
    ("long", WebSocketClient.frame(0x81, [], announced: 65_537), 1009),
    ("endless", WebSocketClient.frame(0x81, [], announced: 1 << 63 - 1), 1009),
    ("no JSON", WebSocketClient.frame(0x81, Array("{".utf8)), 1008),
    ("no id", WebSocketClient.frame(0x81, Array("{\"sessions\":true}".utf8)), 1008),
    ("tick that is not open", WebSocketClient.frame(0x81, Array("{\"acknowledge\":1}".utf8)), 1008),
    ("close", WebSocketClient.frame(0x88, [0x03, 0xE8]), 1000),
    ("close without a code", WebSocketClient.frame(0x88, []), 1000),
    ("own code", WebSocketClient.frame(0x88, [0x0F, 0xA0] + Array("ä".utf8)), 4000),
    ("half a code", WebSocketClient.frame(0x88, [3]), 1002),
    ("wrong code", WebSocketClient.frame(0x88, [0x03, 0xED]), 1002),
    ("bad reason", WebSocketClient.frame(0x88, [0x03, 0xE8, 0xFF]), 1007),
  ])
  func aWrongFrameEndsTheConnection(_ name: String, _ bytes: [UInt8], _ code: Int) throws {
    let client = try WebSocketClient(test)
    client.raw.send(bytes)
    // What follows has no effect.
    client.raw.send(WebSocketClient.frame(0x81, Self.request))
    #expect(try client.closeCode() == code)
  }

  @Test func fragmentsHaveALimitTogether() throws {
    let test = try TestServer { $0.limits.messageBytes = 100 }
    let client = try WebSocketClient(test)
    let part = [UInt8](repeating: 32, count: 60)
    client.raw.send(WebSocketClient.frame(0x01, part) + WebSocketClient.frame(0x00, part))
    #expect(try client.closeCode() == 1009)
  }

  @Test func messagesHaveALimit() throws {
    let test = try TestServer {
      $0.limits.messages = 5
      $0.limits.messageWindowMilliseconds = 3_600_000
    }
    let client = try WebSocketClient(test)
    for _ in 0..<5 { #expect(try client.sessions() == []) }
    client.send("{\"id\":6,\"sessions\":true}")
    #expect(try client.closeCode() == 1008)
  }

  @Test func aSilentPageIsPingedAndClosed() throws {
    let test = try TestServer {
      $0.limits.pingMilliseconds = 20
      $0.limits.silenceMilliseconds = 1
    }
    let client = try WebSocketClient(test)
    #expect(try client.next()?.opcode == 9)
    #expect(try client.next() == nil)
  }
}
