// A session that is shown by OSCQuery.

import ControlSocket
import Foundation
import OSC
import Remotes
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@testable import Configuration
@testable import WebServer

/// A server with OSCQuery, on 127.0.0.1.
final class OSCQueryRig {
  let test: TestServer
  let address: String

  init(mayWrite: Bool = false, session: String? = nil) throws {
    test = try TestServer {
      var query = OSCQueryOptions()
      (query.mayWrite, query.session) = (mayWrite, session)
      $0.oscQuery = query
    }
    address = try #require(test.server.oscQueryAddress)
  }

  /// The value of the field `Host`.
  var host: String { String(address.dropFirst("http://".count)) }

  /// The units of the page's tests, and a scene.
  private static let units =
    BrowserRig.units + """
      [[scene]]
      name = "Verse"
      parameters = { lowpass = { cutoff = 500 } }

      """

  /// Runs a session while its addresses are shown, and ends it afterwards.
  func withSession(
    osc: SessionOSC? = nil, _ body: (SteppedSession) async throws -> Void
  ) async throws {
    try await test.withSession(Self.units, osc: osc) { session in
      // The last part: presets are listed by requests of their own.
      try #require(
        await session.step(until: {
          ((try? json("/auricle/preset/keys"))?["RANGE"] as? [[String: Any]])?.isEmpty == false
            && ((try? status("/lowpass/cutoff")) == 200)
        }))
      try await body(session)
    }
  }

  func ask(_ path: String, _ fields: [String] = [], host: String? = nil) throws -> Response {
    let client = try RawClient(address)
    client.send(test.head("GET \(path) HTTP/1.1", host: host ?? self.host, fields))
    return try #require(Response(try client.readToEnd()))
  }

  func status(_ path: String, _ fields: String..., host: String? = nil) throws -> Int {
    try ask(path, fields, host: host).status
  }

  private struct Refused: Error { let status: Int }

  func json(_ path: String) throws -> [String: Any] {
    let response = try ask(path)
    // Tests also wait for an address: a status is no issue.
    guard response.status == 200 else { throw Refused(status: response.status) }
    #expect(response.fields["content-type"] == "application/json")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(response.body.utf8)) as? [String: Any])
  }

  /// Opens a WebSocket, as clients do that are no browsers.
  func listen() throws -> OSCQueryClient {
    OSCQueryClient(
      socket: try WebSocketClient(
        address, test.head("GET / HTTP/1.1", host: host, TestServer.upgrade)))
  }
}

/// A client that listens. One task at a time uses it.
struct OSCQueryClient: @unchecked Sendable {
  let socket: WebSocketClient

  func send(_ command: String, _ path: String) {
    socket.send("{\"COMMAND\":\"\(command)\",\"DATA\":\"\(path)\"}")
  }

  func send(_ address: String, _ arguments: OSCArgument...) {
    socket.raw.send(WebSocketClient.frame(0x82, OSCMessage(address, arguments).bytes))
  }

  /// Reads to the next message: one of OSC, or the command and the path of a text.
  func next() throws -> OSCMessage {
    while true {
      let frame = try #require(try socket.next(), "the connection has ended")
      if frame.opcode == 2 {
        let packet = try OSCPacket(decoding: frame.bytes)
        return try #require(packet.items.first).message
      }
      guard frame.opcode == 1 else { continue }
      let text = try JSONDecoder().decode([String: String].self, from: Data(frame.bytes))
      return OSCMessage(text["COMMAND"] ?? "", [.string(text["DATA"] ?? "")])
    }
  }
}
