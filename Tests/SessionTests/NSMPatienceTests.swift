// Session managers that do not answer.

import OSC
import SessionTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Remotes
@testable import Session
@testable import SessionModel

/// A session manager that records the announced client, and sends nothing unasked.
private final class Manager: Sendable {
  private let server: OSCServer
  private let heard: Heard

  private final class Heard: Sendable { let client = Mutex<OSCPeer?>(nil) }

  init() throws {
    let heard = Heard()
    self.heard = heard
    server = try OSCServer(
      at: try #require(OSCEndpoint(address: "127.0.0.1", port: 0)), over: [.udp],
      handler: OSCServer.Handler(
        packet: { packet, peer in
          if packet.items.contains(where: { $0.message.address == "/nsm/server/announce" }) {
            heard.client.withLock { $0 = peer }
          }
        }, fault: { _, _ in }, end: { _ in }))
  }

  deinit { server.close() }

  var url: String { "osc.udp://\(server.place)/" }
  var client: OSCPeer? { heard.client.withLock { $0 } }

  func accept() throws {
    let client = try #require(client)
    #expect(
      server.send(
        OSCMessage(
          "/reply", [.string("/nsm/server/announce"), .string("hello"), .string("M"), .string(":")]),
        to: client))
  }
}

@Suite struct NSMPatienceTests {
  private struct Unasked: Error {}

  private func client(of manager: Manager) throws -> NSMClient {
    let log = LogRecorder().logger
    return NSMClient(
      try NSMLink(manager.url),
      NSMClient.Making(
        makeBuilder: { _ in throw Unasked() }, beginning: { throw Unasked() },
        makeRecovery: { SessionRecovery(intervalSeconds: 0, log: log) }, choice: .report), log: log)
  }

  /// The client that gets an answer has waited longer.
  @Test(.timeLimit(.minutes(5))) func onlyOneThatDoesNotAnswerIsGivenUp() async throws {
    let (answering, mute) = (try Manager(), try Manager())
    let (taken, waiting) = (try client(of: answering), try client(of: mute))
    async let first: Void = taken.serve(as: "auricle")
    #expect(await eventually { answering.client != nil })
    try answering.accept()
    async let second: Void = waiting.serve(as: "auricle")
    for await _ in waiting.openings {}
    #expect(
      waiting.failure.map { "\($0)" }
        == "the session manager at \(mute.url) has not answered within 10 s; "
        + "--no-nsm runs a session without it")
    #expect(taken.failure == nil)
    for client in [taken, waiting] { client.close() }
    _ = await (first, second)
  }
}
