// A session manager of the tests' own: the server's side of the protocol, with one client.

import Foundation
import Synchronization
import TestSupport

@testable import OSC

/// Says to its client what a test wants, and keeps all that the client says.
final class NSMTestServer: Sendable {
  /// Apart from the server, which begins to hear before it is there as an object.
  private final class Heard: Sendable {
    let messages = Mutex<[OSCMessage]>([])
    let client = Mutex<OSCPeer?>(nil)
    /// Nil before it is there and after its end, and while it answers no pings.
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
            // Behind the client: a test that sees an announcement may answer it.
            state.messages.withLock { $0.append(message) }
          }
        }, fault: { _, _ in }, end: { _ in }))
    answersPings(true)
  }

  deinit { close() }

  /// Ends as a server that is killed does: without a word.
  func close() {
    answersPings(false)
    server.close()
  }

  /// One that has ended while another program has its socket answers none.
  func answersPings(_ isAnswering: Bool) {
    state.answering.withLock { $0 = isAnswering ? server : nil }
  }

  var url: String { "osc.udp://\(server.place)/" }

  /// All that the client has said.
  var heard: [OSCMessage] { state.messages.withLock { $0 } }

  /// What it has said at an address.
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

  /// The first message that fits, of those behind a number of others.
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

  /// Waits for the announcement, and takes the client in.
  func welcome() async throws {
    _ = try await announcement()
    try send(
      "/reply", .string("/nsm/server/announce"), .string("hello"), .string("Test Manager"),
      .string(":server-control:broadcast:optional-gui:"))
  }

  /// Asks, and waits for the reply or the error.
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
