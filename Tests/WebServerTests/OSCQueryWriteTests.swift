// Changes by clients of OSCQuery.

import Foundation
import OSC
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@testable import WebServer

@Suite struct OSCQueryWriteTests {
  private static let cutoff = "/lowpass/cutoff"

  /// The text of the next refusal, which names the address.
  private func refusal(_ client: OSCQueryClient, _ address: String) throws -> String {
    let message = try client.next()
    #expect(message.address == "/auricle/error")
    guard case .string(address)? = message.arguments.first,
      case .string(let text)? = message.arguments.last
    else {
      Issue.record("\(message)")
      return ""
    }
    return text
  }

  @Test func withoutTheOptionNothingIsSet() async throws {
    let rig = try OSCQueryRig()
    try await rig.withSession { session in
      let client = try rig.listen()
      for (address, argument) in [
        (Self.cutoff, OSCArgument.float(700)), ("/auricle/bypass/lowpass", .boolean(true)),
        ("/auricle/panic", .boolean(true)), ("/auricle/scene", .string("Verse")),
      ] {
        client.send(address, argument)
        #expect(
          try refusal(client, address)
            == "clients only read; accepted: messages after --oscquery-write")
      }
      await session.step(4_800)
      #expect(try await session.value("lowpass/cutoff") == 800)
      #expect(try await session.journal().isEmpty)
    }
  }

  @Test func withTheOptionAClientSetsWhatOSCSets() async throws {
    let rig = try OSCQueryRig(mayWrite: true)
    try await rig.withSession { session in
      #expect(try rig.json(Self.cutoff)["ACCESS"] as? Int == 3)
      #expect(try rig.json(Self.cutoff)["CLIPMODE"] as? [String] == ["none"])
      let scene = try rig.json("/auricle/scene") as NSDictionary
      #expect(scene["ACCESS"] as? Int == 2 && scene["VALUE"] == nil)
      #expect(scene["RANGE"] as? NSArray == [["VALS": ["Verse"]]])
      #expect(try rig.status("/auricle/scene?VALUE") == 204)
      let note = try rig.json("/keys/note") as NSDictionary
      #expect(note["TYPE"] as? String == "ii" && (note["RANGE"] as? NSArray)?.count == 2)
      #expect(try rig.status("/lowpass/note") == 404)
      let client = try rig.listen()
      func becomes(_ path: String, _ value: Float) async -> Bool {
        await session.step(until: { (try? await session.value(path)) == value })
      }
      client.send(Self.cutoff, .float(700))
      #expect(await becomes("lowpass/cutoff", 700))
      client.send(Self.cutoff, .string("2 kHz"))
      #expect(await becomes("lowpass/cutoff", 2000))
      client.send(Self.cutoff, .int32(900), .float(10))
      #expect(await becomes("lowpass/cutoff", 900))
      // Faders have no whole numbers.
      client.send("/keys/polyphony", .float(100.4))
      #expect(await becomes("keys/polyphony", 100))
      client.send("/keys/chorus/on", .boolean(true))
      #expect(await becomes("keys/chorus/on", 1))
      client.send("/keys/chorus/type", .string("Triangle"))
      #expect(await becomes("keys/chorus/type", 1))
      client.send("/auricle/scene", .string("Verse"))
      #expect(await becomes("lowpass/cutoff", 500))
      client.send("/auricle/undo", .int32(1))
      #expect(await becomes("lowpass/cutoff", 900))
      client.send("/auricle/redo")
      #expect(await becomes("lowpass/cutoff", 500))
      client.send("/auricle/bypass/lowpass", .int32(1))
      client.send("/auricle/preset/lowpass", .string("Warm"))
      #expect(
        await session.step(until: {
          let unit = try? await session.units().first { $0.id == "lowpass" }
          return unit?.isBypassed == true && unit?.preset == "Warm"
        }))
      let clients = try await session.journal().map { $0.client }
      #expect(clients.count > 8 && clients.allSatisfy { $0 == "oscquery 1" }, "\(clients)")
    }
  }

  @Test func notesEndWithTheirClient() async throws {
    let rig = try OSCQueryRig(mayWrite: true)
    try await rig.withSession { session in
      let output = try #require(session.outputs.first { $0.contains("lowpass_out_1") })
      func isSounding() async -> Bool {
        await session.step(256)
        return session.audio(output).suffix(256).contains { abs($0) > 0.001 }
      }
      let client = try rig.listen()
      client.send("/keys/note", .int32(60), .int32(100))
      #expect(await session.step(until: isSounding))
      client.send("/keys/note", .int32(60), .int32(0))
      #expect(await session.step(until: { await !isSounding() }))
      client.send("/keys/note", .int32(60), .int32(100), .int32(2))
      #expect(await session.step(until: isSounding))
      client.socket.raw.send(WebSocketClient.frame(0x88, []))
      #expect(await session.step(until: { await !isSounding() }))
    }
  }

  @Test func wrongMessagesAreExplained() async throws {
    let rig = try OSCQueryRig(mayWrite: true)
    try await rig.withSession { session in
      let client = try rig.listen()
      for (address, arguments, text) in [
        ("/nothing", [OSCArgument.float(1)], "there is no such address"),
        ("/lowpass", [.float(1)], "cannot be set"), (Self.cutoff, [], "accepted: a value"),
        (Self.cutoff, [.float(.nan)], "accepted: a value"),
        (Self.cutoff, [.float(1), .string("x")], "a ramp"),
        (Self.cutoff, [.float(1e9)], "out of range; accepted: 12 to 20000 Hz"),
        ("/auricle/bypass/lowpass", [.string("x")], "1, 0, true or false"),
        ("/auricle/scene", [.float(1)], "a name"), ("/auricle/scene", [.string("x")], "'x'"),
        ("/auricle/preset/lowpass", [.string("x")], "'x'"),
        ("/auricle/undo", [.string("x")], "a number of steps"),
        ("/keys/note", [.int32(128), .int32(1)], "0 to 127"),
        ("/keys/note", [.int32(60), .int32(1), .int32(17)], "1 to 16"),
      ] {
        let message = OSCMessage(address, arguments)
        client.socket.raw.send(WebSocketClient.frame(0x82, message.bytes))
        // Some of them are refused by the session.
        let found = Flag()
        let reader = Task.detached {
          defer { found.set() }
          return try refusal(client, address)
        }
        #expect(await session.step(until: { found.isSet }))
        #expect(try await reader.value.contains(text), "\(message)")
      }
      #expect(try await session.journal().isEmpty)
    }
  }

  /// A fader does not receive its own values, but those of others.
  @Test func aClientDoesNotReceiveItsOwnValues() async throws {
    let rig = try OSCQueryRig(mayWrite: true)
    try await rig.withSession { session in
      let (fader, other) = (try rig.listen(), try rig.listen())
      for client in [fader, other] {
        client.send("LISTEN", Self.cutoff)
        #expect(try client.next() == OSCMessage(Self.cutoff, [.float(800)]))
      }
      fader.send(Self.cutoff, .float(700))
      #expect(await session.step(until: { (try? await session.value("lowpass/cutoff")) == 700 }))
      #expect(try other.next() == OSCMessage(Self.cutoff, [.float(700)]))
      try await session.ask(.set(path: "lowpass/cutoff", value: .number(600)))
      #expect(try fader.next() == OSCMessage(Self.cutoff, [.float(600)]))
    }
  }
}
