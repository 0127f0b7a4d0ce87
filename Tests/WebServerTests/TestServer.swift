// A server on loopback, with a folder of its own.

import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import WebServer

final class TestServer {
  let directory: TemporaryDirectory
  let folder: ControlFolder
  let server: WebServer

  init(_ adapt: (inout WebOptions) -> Void = { _ in }) throws {
    directory = try TemporaryDirectory()
    folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    var options = WebOptions()
    options.folder = folder
    // What a client does not take has no part in these tests, but for one.
    options.limits.lingerMilliseconds = 60_000
    adapt(&options)
    server = try WebServer(options)
  }

  deinit { server.close() }

  var address: String { server.address }
  /// The value of the field `Host`.
  var host: String { String(address.dropFirst("http://".count)) }

  /// Sends a head, and returns the response once the server ends the connection.
  func ask(
    _ line: String = "GET / HTTP/1.1", host: String?? = .none, cookie: String? = nil,
    _ fields: [String] = []
  ) throws -> Response? {
    let client = try RawClient(address)
    client.send(head(line, host: host, cookie: cookie, fields))
    return Response(try client.readToEnd())
  }

  func head(
    _ line: String = "GET / HTTP/1.1", host: String?? = .none, cookie: String? = nil,
    _ fields: [String] = []
  ) -> String {
    var lines = [line]
    switch host {
    case .none: lines.append("Host: \(self.host)")
    case .some(let name?): lines.append("Host: \(name)")
    case .some(nil): break
    }
    if let cookie { lines.append("Cookie: \(cookie)") }
    return (lines + fields + ["", ""]).joined(separator: "\r\n")
  }

  /// The path of an address that opens the page once.
  func codePath(_ access: Access = .member) -> String {
    String(server.link(access).dropFirst(address.count))
  }

  /// Exchanges a code for a cookie: `NAME=VALUE`.
  func cookie(_ access: Access = .member) throws -> String {
    let response = try #require(try ask("GET \(codePath(access)) HTTP/1.1"))
    let field = try #require(response.fields["set-cookie"])
    return String(try #require(field.split(separator: ";").first))
  }

  static let upgrade = [
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]
}
