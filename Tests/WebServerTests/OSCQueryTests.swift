// OSCQuery: the addresses of a session, their values, and changes of them.

import Foundation
import NIOCore
import OSC
import Remotes
import SessionModel
import SessionTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Configuration
@testable import WebServer

@Suite struct OSCQueryTests {
  private static let cutoff = "/lowpass/cutoff"

  private func rig(mayWrite: Bool = false) throws -> OSCQueryRig {
    try OSCQueryRig(mayWrite: mayWrite)
  }

  private func set(_ value: Double) -> SessionCommand {
    .set(path: "lowpass/cutoff", value: .number(value))
  }

  // MARK: HTTP

  @Test func theAddressesAreThoseOfTheSession() async throws {
    let rig = try rig()
    let osc = try SessionOSC(
      OSCConfiguration(port: Located(0, at: .nowhere)), units: ["keys", "lowpass"])
    try await rig.withSession(osc: osc) { session in
      let cutoff = try rig.json(Self.cutoff) as NSDictionary
      #expect(
        cutoff == [
          "FULL_PATH": Self.cutoff, "TYPE": "f", "ACCESS": 1, "VALUE": [800],
          "RANGE": [["MIN": 12, "MAX": 20_000]], "UNIT": ["time.hz"], "DESCRIPTION": "Cutoff",
        ])
      let root = try rig.json("/")
      let contents = try #require(root["CONTENTS"] as? [String: Any])
      #expect(Set(contents.keys) == ["auricle", "keys", "lowpass"])
      #expect(root["ACCESS"] as? Int == 0 && root["TYPE"] == nil && root["VALUE"] == nil)
      // Every parameter of the session, and nothing else below its units.
      guard case .parameters(let readings) = try await session.ask(.list(path: "keys")) else {
        return
      }
      for reading in readings {
        let node = try rig.json("/" + reading.path)
        #expect(node["FULL_PATH"] as? String == "/" + reading.path)
        let isNamed = !reading.values.isEmpty
        #expect((node["TYPE"] as? String == "s") == isNamed, "\(reading.path)")
      }
      let type = try rig.json("/keys/chorus/type") as NSDictionary
      #expect(type["RANGE"] as? NSArray == [["VALS": ["Sine", "Triangle"]]])
      #expect(type["VALUE"] as? [String] == ["Sine"])
      #expect(try rig.json("/keys/polyphony")["TYPE"] as? String == "i")
      let chorus = try rig.json("/keys/chorus/on")
      #expect(chorus["TYPE"] as? String == "T" && chorus["RANGE"] == nil)
      let bypass = try rig.json("/auricle/bypass/lowpass")
      #expect(bypass["TYPE"] as? String == "T" && bypass["VALUE"] as? [Bool] == [false])
      let preset = try rig.json("/auricle/preset/lowpass") as NSDictionary
      #expect(preset["RANGE"] as? NSArray == [["VALS": ["Prominent", "Bright", "Warm"]]])
      // What can only be set is for those who may.
      for path in ["/auricle/panic", "/auricle/scene", "/auricle/undo", "/keys/note"] {
        #expect(try rig.status(path) == 404, "\(path)")
      }
      let info = try rig.json("/any/path?HOST_INFO")
      #expect(info["NAME"] as? String == "stage" && info["OSC_TRANSPORT"] as? String == "UDP")
      let place = osc.places.first.flatMap { OSCURL($0) }
      #expect(info["OSC_PORT"] as? Int == place?.port && info["OSC_IP"] as? String == "127.0.0.1")
      let extensions = try #require(info["EXTENSIONS"] as? [String: Bool])
      #expect(
        extensions.filter(\.value).keys.sorted() == [
          "ACCESS", "CLIPMODE", "DESCRIPTION", "LISTEN", "PATH_ADDED", "PATH_CHANGED",
          "PATH_REMOVED", "RANGE", "UNIT", "VALUE",
        ])
    }
    osc.close()
  }

  @Test func attributesAreAskedForOneByOne() async throws {
    let rig = try rig()
    try await rig.withSession { session in
      #expect(try rig.json("\(Self.cutoff)?VALUE") as NSDictionary == ["VALUE": [800]])
      #expect(try rig.json("\(Self.cutoff)/?TYPE") as NSDictionary == ["TYPE": "f"])
      let contents = try rig.json("/lowpass?CONTENTS")["CONTENTS"] as? [String: Any]
      #expect(contents?.keys.sorted() == ["cutoff", "resonance"])
      for (query, status) in [
        ("/lowpass?VALUE", 204), ("/lowpass?TYPE", 204), ("\(Self.cutoff)?TAGS", 204),
        ("\(Self.cutoff)?CONTENTS", 204), ("\(Self.cutoff)?value", 400),
        ("\(Self.cutoff)?VALUE&TYPE", 400), ("/lowpass/none", 404), ("/lowpass/none?VALUE", 404),
        ("//lowpass", 404), ("/lowpass/cut", 404), ("/../lowpass", 404),
      ] {
        let response = try rig.ask(query)
        #expect(response.status == status, "\(query)")
        #expect((status == 204) == response.body.isEmpty, "\(query)")
      }
      try await session.ask(set(900))
      #expect(
        await session.step(until: {
          ((try? rig.json("\(Self.cutoff)?VALUE"))?["VALUE"] as? [Int]) == [900]
        }))
      #expect(try rig.json("/?HOST_INFO")["OSC_PORT"] == nil)
    }
  }

  @Test func otherNamesAndPagesAreRefused() throws {
    let rig = try rig()
    let port = try #require(rig.host.split(separator: ":").last)
    #expect(try rig.status("/") == 200 && rig.status("/", host: "localhost:\(port)") == 200)
    for host in [
      "localhost", "127.0.0.1", "evil.example:\(port)", "127.0.0.2:\(port)", rig.test.host,
    ] {
      #expect(try rig.status("/", host: host) == 421, "\(host)")
    }
    #expect(try rig.status("/", "Origin: http://evil.example") == 403)
    #expect(try rig.status("/", "Origin: null") == 403)
    #expect(try rig.status("/", "Sec-Fetch-Site: cross-site") == 403)
    #expect(try rig.status("/x", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate") == 404)
    #expect(try rig.ask("/", TestServer.upgrade + ["Origin: http://evil.example"]).status == 403)
    #expect(try rig.ask("/", TestServer.upgrade, host: "evil.example").status == 421)
    #expect(try rig.status("/", "Content-Length: 3") == 413)
    // The page has other addresses, and its files are not here.
    #expect(
      try rig.status("/page.js") == 404 && rig.test.ask("GET /lowpass HTTP/1.1")?.status == 401)
  }

  @Test func withoutASessionThereIsOnlyTheRoot() throws {
    let rig = try rig()
    let root = try rig.json("/") as NSDictionary
    #expect(
      root == [
        "FULL_PATH": "/", "ACCESS": 0, "DESCRIPTION": "no session runs", "CONTENTS": [:],
      ])
    #expect(try rig.json("/?HOST_INFO")["NAME"] as? String == "auricle")
  }

  @Test func socketsHaveALimit() throws {
    let rig = try rig()
    let clients = try (1...8).map { _ in try rig.listen() }
    #expect(try rig.ask("/", TestServer.upgrade).status == 503)
    for text in ["{}", "x", "[]"] {
      let client = clients[0]
      client.socket.send(text)
      if text == "{}" { #expect(try client.socket.closeCode() == 1008) }
    }
    clients[1].socket.raw.send(WebSocketClient.frame(0x82, [1, 2, 3, 4]))
    #expect(try clients[1].socket.closeCode() == 1008)
    withExtendedLifetime(clients) {}
  }

  // MARK: LISTEN

  @Test func aListenerGetsTheValuesOfItsAddresses() async throws {
    let rig = try rig()
    try await rig.withSession { session in
      let client = try rig.listen()
      client.send("LISTEN", "/nothing")
      client.send("LISTEN", "/lowpass")
      client.send("LISTEN", Self.cutoff)
      #expect(try client.next() == OSCMessage(Self.cutoff, [.float(800)]))
      try await session.ask(set(900))
      #expect(try client.next() == OSCMessage(Self.cutoff, [.float(900)]))
      client.send("LISTEN", "/auricle/bypass/lowpass")
      #expect(try client.next() == OSCMessage("/auricle/bypass/lowpass", [.boolean(false)]))
      try await session.ask(.bypass(unit: "lowpass", isOn: true))
      #expect(try client.next() == OSCMessage("/auricle/bypass/lowpass", [.boolean(true)]))
      client.send("LISTEN", "/keys/chorus/type")
      #expect(try client.next() == OSCMessage("/keys/chorus/type", [.string("Sine")]))
      try await session.ask(.set(path: "keys/chorus/type", value: .number(1)))
      #expect(try client.next() == OSCMessage("/keys/chorus/type", [.string("Triangle")]))
      client.send("IGNORE", Self.cutoff)
      client.send("LISTEN", "/auricle/preset/lowpass")
      #expect(try client.next() == OSCMessage("/auricle/preset/lowpass", [.string("")]))
      try await session.ask(set(1000))
      try await session.ask(.preset(unit: "lowpass", .load("Warm")))
      await session.step(4_800)
      #expect(try client.next() == OSCMessage("/auricle/preset/lowpass", [.string("Warm")]))
    }
  }

  @Test func anAddedUnitIsToldAndARemovedOneToo() async throws {
    let rig = try rig()
    try await rig.withSession { session in
      let client = try rig.listen()
      client.send("LISTEN", Self.cutoff)
      _ = try client.next()
      try await session.ask(.add(unit: "more", component: "filter"))
      #expect(await session.step(until: { (try? rig.status("/more/cutoff")) == 200 }))
      var messages: Set<String> = []
      while !messages.isSuperset(of: [
        "PATH_ADDED /more", "PATH_ADDED /auricle/bypass/more", "PATH_ADDED /auricle/preset/more",
        "PATH_CHANGED /",
      ]) {
        let message = try client.next()
        guard case .string(let path)? = message.arguments.first else { continue }
        messages.insert("\(message.address) \(path)")
      }
      #expect(messages.allSatisfy { !$0.hasPrefix("PATH_REMOVED") }, "\(messages)")
      try await session.ask(.remove(unit: "more"))
      #expect(await session.step(until: { (try? rig.status("/more/cutoff")) == 404 }))
      messages = []
      while !messages.contains("PATH_REMOVED /more") {
        let message = try client.next()
        guard case .string(let path)? = message.arguments.first else { continue }
        messages.insert("\(message.address) \(path)")
      }
      #expect(messages.contains("PATH_REMOVED /auricle/bypass/more"), "\(messages)")
      // The others stayed.
      try await session.ask(set(700))
      while try client.next() != OSCMessage(Self.cutoff, [.float(700)]) {}
    }
  }

  @Test func aSessionOfTheSameNameIsFollowed() async throws {
    let rig = try rig()
    var client: OSCQueryClient?
    try await rig.withSession { _ in
      let new = try rig.listen()
      new.send("LISTEN", Self.cutoff)
      #expect(try new.next() == OSCMessage(Self.cutoff, [.float(800)]))
      client = new
    }
    let same = try #require(client)
    while try same.next() != OSCMessage("PATH_REMOVED", [.string("/lowpass")]) {}
    #expect(try rig.status("/lowpass") == 404)
    try await rig.withSession { session in
      // Without another request.
      while try same.next() != OSCMessage(Self.cutoff, [.float(800)]) {}
      try await session.ask(set(700))
      while try same.next() != OSCMessage(Self.cutoff, [.float(700)]) {}
    }
  }

  @Test(arguments: [nil, "b"])
  func theSessionIsTheFirstOrTheNamedOne(_ name: String?) async throws {
    let rig = try OSCQueryRig(session: name)
    func shows(_ name: String) async -> Bool {
      await eventually { (try? rig.json("/?HOST_INFO"))?["NAME"] as? String == name }
    }
    var first: StandIn? = try StandIn("a", in: rig.test.folder)
    #expect(await shows(name == nil ? "a" : "auricle"))
    let second = try StandIn("b", in: rig.test.folder)
    #expect(await shows(name ?? "a"))
    first?.close()
    first = nil
    #expect(await shows("b"))
    second.close()
    #expect(await shows("auricle"))
  }

  /// A client that reads nothing costs the last value of each address.
  @Test func aClientThatDoesNotReadGetsTheLastValues() async throws {
    let rig = try rig()
    try await rig.withSession { session in
      let service = try #require(rig.test.server.oscQuery)
      let loop = rig.test.server.loop
      let output = TestOutput()
      let socket = try await loop.submit {
        NIOLoopBound(service.value.open(.guest, output.output(loop)), eventLoop: loop)
      }.get()
      for path in [Self.cutoff, "/lowpass/resonance"] {
        let text = "{\"COMMAND\":\"LISTEN\",\"DATA\":\"\(path)\"}"
        let isTaken = try await loop.submit {
          socket.value.take(Array(text.utf8), isBinary: false)
        }.get()
        #expect(isTaken)
      }
      for number in 1...50 {
        try await session.ask(set(800 + Double(number)))
        #expect(
          await session.step(until: {
            ((try? rig.json("\(Self.cutoff)?VALUE"))?["VALUE"] as? [Int]) == [800 + number]
          }))
      }
      #expect(output.messages.isEmpty)
      output.isWritable.store(true, ordering: .releasing)
      try await loop.submit { socket.value.resume() }.get()
      #expect(await eventually { output.messages.count >= 2 })
      try await loop.submit { socket.value.close() }.get()
      #expect(
        output.messages == [
          OSCMessage(Self.cutoff, [.float(850)]), OSCMessage("/lowpass/resonance", [.float(0)]),
        ])
    }
  }
}

/// The client of a WebSocket, which reads when a test wants it.
private final class TestOutput: Sendable {
  let isWritable = Atomic(false)
  private let sent = Mutex<[[UInt8]]>([])

  func output(_ loop: any EventLoop) -> SocketOutput {
    SocketOutput(
      loop: loop, send: { message, _ in self.sent.withLock { $0.append(message) } },
      isWritable: { self.isWritable.load(ordering: .acquiring) })
  }

  var messages: [OSCMessage] {
    sent.withLock { $0.compactMap { try? OSCPacket(decoding: $0).items.first?.message } }
  }
}
