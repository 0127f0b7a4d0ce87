// A session manager for tests: the server's side of the protocol, with one client.

import Foundation
import Synchronization
import TestSupport

@testable import OSC

/// Sends a test's messages to its client, and keeps all messages of the client.
final class NSMTestServer: Sendable {
  /// Separate from the server, which receives messages before its object exists.
  private final class Heard: Sendable {
    let messages = Mutex<[OSCMessage]>([])
    let client = Mutex<OSCPeer?>(nil)
    /// The server while it answers pings; nil otherwise, before it exists and after its end.
    let answering = Mutex<OSCServer?>(nil)
  }

  private let state = Heard()
  private let server: OSCServer

  init() throws {
    guard let place = OSCEndpoint(address: "127.0.0.1", port: 0) else {
      throw RigError.timedOut(waitingFor: "a place", output: "")
    }
    server = try OSCServer(
      at: place, over: [.udp],
      handler: OSCServer.Handler(
        packet: { [state] packet, peer in
          for message in packet.items.map(\.message) {
            if message.address == "/nsm/server/announce" { state.client.withLock { $0 = peer } }
            if message.address == "/osc/ping" {
              let reply = OSCMessage("/reply", [.string("/osc/ping")])
              _ = state.answering.withLock { $0 }?.send(reply, to: peer)
              continue
            }
            // After the client is set: a test that sees an announcement may answer it.
            state.messages.withLock { $0.append(message) }
          }
        }, fault: { _, _ in }, end: { _ in }))
    answersPings(true)
  }

  deinit { close() }

  /// Ends without a message, as a killed server does.
  func close() {
    answersPings(false)
    server.close()
  }

  /// Sets whether pings are answered. A server that ends while another program has its socket
  /// answers none.
  func answersPings(_ isAnswering: Bool) {
    state.answering.withLock { $0 = isAnswering ? server : nil }
  }

  var url: String { "osc.udp://\(server.place)/" }

  /// All messages of the client.
  var heard: [OSCMessage] { state.messages.withLock { $0 } }

  /// The arguments of the client's messages at an address.
  func heard(at address: String) -> [[OSCArgument]] {
    heard.filter { $0.address == address }.map(\.arguments)
  }

  func send(_ address: String, _ arguments: OSCArgument...) throws {
    try send(OSCMessage(address, arguments))
  }

  private func send(_ message: OSCMessage) throws {
    guard let client = state.client.withLock({ $0 }), server.send(message, to: client) else {
      throw RigError.timedOut(waitingFor: "a client", output: "\(heard)")
    }
  }

  /// Waits for the first message that fits, after a number of others.
  func wait(
    for what: String, after count: Int = 0, where fits: (OSCMessage) -> Bool
  ) async throws -> OSCMessage {
    var found: OSCMessage?
    _ = await eventually {
      found = heard.dropFirst(count).first(where: fits)
      return found != nil
    }
    guard let found else { throw RigError.timedOut(waitingFor: what, output: "\(heard)") }
    return found
  }

  /// Waits for the announcement.
  func announcement() async throws -> OSCMessage {
    try await wait(for: "an announcement") { $0.address == "/nsm/server/announce" }
  }

  /// Waits for the announcement, and accepts the client.
  func welcome() async throws {
    _ = try await announcement()
    try send(
      "/reply", .string("/nsm/server/announce"), .string("hello"), .string("Test Manager"),
      .string(":server-control:broadcast:optional-gui:"))
  }

  /// Sends a request, and waits for the reply or the error.
  func ask(_ address: String, _ arguments: OSCArgument...) async throws -> OSCMessage {
    let count = heard.count
    try send(OSCMessage(address, arguments))
    return try await wait(for: "an answer to \(address)", after: count) {
      ["/reply", "/error"].contains($0.address) && $0.arguments.first == .string(address)
    }
  }

  func open(_ path: String, as clientID: String) async throws -> OSCMessage {
    try await ask("/nsm/client/open", .string(path), .string("A song"), .string(clientID))
  }

  func save() async throws -> OSCMessage { try await ask("/nsm/client/save") }
}

extension OSCMessage {
  /// The number of an error; nil for a reply.
  var errorNumber: Int32? {
    guard address == "/error", arguments.count == 3, case .int32(let number) = arguments[1] else {
      return nil
    }
    return number
  }

  var lastText: String {
    if case .string(let text)? = arguments.last { return text }
    return ""
  }
}
