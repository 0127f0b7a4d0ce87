// An OSC server, with well-behaved and misbehaving clients.

import CNetworkSocket
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import OSC

/// Collects the messages, peers, faults and ends that a server reports.
private final class Heard: Sendable {
  struct State {
    var messages: [OSCMessage] = []
    var peers: [OSCPeer] = []
    var faults: [String] = []
    var ends = 0
  }
  let state = Mutex(State())

  var handler: OSCServer.Handler {
    OSCServer.Handler(
      packet: { packet, peer in
        self.state.withLock { state in
          state.messages += packet.items.map(\.message)
          state.peers += packet.items.map { _ in peer }
        }
      }, fault: { fault, _ in self.state.withLock { $0.faults.append(fault.description) } },
      end: { _ in self.state.withLock { $0.ends += 1 } })
  }
}

@Suite struct OSCServerTests {
  private let heard = Heard()

  private func serve(_ transports: Set<OSCServer.Transport> = [.udp, .tcp]) throws -> OSCServer {
    try OSCServer(
      at: try #require(OSCEndpoint(address: "127.0.0.1", port: 0)), over: transports,
      handler: heard.handler)
  }

  private func connect(_ server: OSCServer) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = in_port_t(server.place.port).bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    return descriptor
  }

  private func heard(_ condition: (Heard.State) -> Bool) async -> Bool {
    await eventually { heard.state.withLock { condition($0) } }
  }

  @Test func datagramsAndConnectionsAreAnsweredWhereTheyCameFrom() async throws {
    let server = try serve()
    defer { server.close() }
    var any = try #require(OSCEndpoint(address: "127.0.0.1", port: 0)).system
    let datagrams = networkSocketOpen(0, &any)
    defer { close(datagrams) }
    let message = OSCMessage("/a", [.float(1)])
    var place = server.place.system
    _ = networkSocketSend(datagrams, message.bytes, message.bytes.count, &place)
    #expect(await heard { $0.messages == [message] })
    let stream = try connect(server)
    defer { close(stream) }
    let bytes = OSCStream.framed(message.bytes, isSlip: false)
    send(stream, bytes, bytes.count, 0)
    #expect(await heard { $0.messages == [message, message] })

    for peer in heard.state.withLock({ $0.peers }) {
      #expect(server.send(OSCMessage("/b"), to: peer))
    }
    let answer = OSCMessage("/b").bytes
    var buffer = [UInt8](repeating: 0, count: 64)
    var from = NetworkAddress()
    #expect(
      await eventually { networkSocketReceive(datagrams, &buffer, 64, &from) == answer.count })
    #expect(Array(buffer.prefix(answer.count)) == answer)
    #expect(OSCEndpoint(from) == server.place)
    let count = recv(stream, &buffer, 64, 0)
    #expect(Array(buffer.prefix(max(count, 0))) == OSCStream.framed(answer, isSlip: false))
  }

  @Test func aTakenPortAndAForeignAddressAreReported() throws {
    let server = try serve()
    defer { server.close() }
    for transport: OSCServer.Transport in [.udp, .tcp] {
      do {
        _ = try OSCServer(at: server.place, over: [transport], handler: heard.handler)
        Issue.record("two servers at \(server.place)")
      } catch {
        #expect("\(error)".contains("another program listens at \(server.place) over"))
      }
    }
    do {
      let place = try #require(OSCEndpoint(address: "192.0.2.1", port: 9000))
      _ = try OSCServer(at: place, over: [.udp], handler: heard.handler)
      Issue.record("a server at a foreign address")
    } catch {
      #expect("\(error)".contains("192.0.2.1:9000 is no address of this machine"))
    }
    // The running server listens only to its own machine.
    #expect(server.place.isLoopback)
    #expect(OSCEndpoint(address: "::1", port: 1)?.description == "[::1]:1")
    #expect(OSCEndpoint(address: "0.0.0.0", port: 1)?.isLoopback == false)
    #expect(OSCEndpoint(address: "localhost", port: 1) == nil)
  }

  @Test func connectionsThatLieOrAreTooManyAreLetGo() async throws {
    let server = try serve([.tcp])
    defer { server.close() }
    let liar = try connect(server)
    defer { close(liar) }
    let lie: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFC] + [UInt8](repeating: 0x2F, count: 1000)
    send(liar, lie, lie.count, Int32(MSG_NOSIGNAL))
    #expect(await heard { $0.ends == 1 && $0.faults.count == 1 })
    var byte: UInt8 = 0
    #expect(recv(liar, &byte, 1, 0) <= 0)

    var others: [Int32] = []
    defer { for descriptor in others { close(descriptor) } }
    for _ in 0..<OSCServer.maximumConnections + 2 { others.append(try connect(server)) }
    #expect(await heard { $0.faults.filter { $0.contains("more than 16") }.count == 2 })
    // Earlier connections are still served.
    let bytes = OSCStream.framed(OSCMessage("/a").bytes, isSlip: true)
    send(others[0], bytes, bytes.count, 0)
    #expect(await heard { $0.messages == [OSCMessage("/a")] })
  }

  @Test func aConnectionThatDoesNotReadHoldsUpNobody() async throws {
    let server = try serve([.tcp])
    defer { server.close() }
    let (deaf, other) = (try connect(server), try connect(server))
    defer { for descriptor in [deaf, other] { close(descriptor) } }
    let bytes = OSCStream.framed(OSCMessage("/a").bytes, isSlip: false)
    send(deaf, bytes, bytes.count, 0)
    try #require(await heard { $0.peers.count == 1 })
    let peer = heard.state.withLock { $0.peers[0] }
    let long = OSCMessage("/b", [.string(String(repeating: "b", count: 60_000))])
    // More than the system and the server buffer: the server then ends the connection.
    var count = 0
    while count < 2000, server.send(long, to: peer) { count += 1 }
    #expect(count < 2000)
    #expect(await heard { $0.ends == 1 && $0.faults.contains { $0.contains("does not read") } })
    send(other, bytes, bytes.count, 0)
    #expect(await heard { $0.peers.count == 2 })
  }

  /// Bytes of all kinds over a socket: the server still receives after each.
  @Test(arguments: 0..<8)
  func spoiltBytesAreSurvived(_ seed: UInt64) async throws {
    let server = try serve()
    defer { server.close() }
    var random = SeededRandom(seed: seed)
    let good = bundle(
      .immediate, OSCMessage("/piano/gain", [.float(1), .string("two")]).bytes,
      bundle(.immediate, OSCMessage("/b").bytes))
    var any = try #require(OSCEndpoint(address: "127.0.0.1", port: 0)).system
    let datagrams = networkSocketOpen(0, &any)
    defer { close(datagrams) }
    var place = server.place.system
    for round in 0..<40 {
      let bytes = mutate(good, using: &random)
      _ = networkSocketSend(datagrams, bytes, bytes.count, &place)
      let stream = try connect(server)
      let framed = mutate(OSCStream.framed(good, isSlip: round % 2 == 0), using: &random)
      send(stream, framed, framed.count, Int32(MSG_NOSIGNAL))
      close(stream)
    }
    let last = OSCMessage("/last", [.int32(Int32(seed))])
    _ = networkSocketSend(datagrams, last.bytes, last.bytes.count, &place)
    #expect(await heard { $0.messages.contains(last) && $0.ends > 0 && !$0.faults.isEmpty })
  }
}
