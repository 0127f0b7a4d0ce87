// A session's socket, with well-behaved and misbehaving clients.

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ControlSocket

@Suite struct ControlSocketTests {
  private let directory: TemporaryDirectory
  private let folder: ControlFolder

  init() throws {
    directory = try TemporaryDirectory()
    folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
  }

  private func serve(
    _ name: String, _ limits: ControlLimits = ControlLimits(),
    _ handler: @escaping ControlServer.Handler
  ) throws -> ControlServer {
    try ControlServer(
      name: name, in: folder, limits: limits, refusal: { Array("refused: \($0)".utf8) },
      handler: handler)
  }

  /// Starts a server that echoes every line.
  private func echo(
    _ name: String = "echo", _ limits: ControlLimits = ControlLimits()
  ) throws -> ControlServer {
    try serve(name, limits) { line, peer in peer.answer(line) }
  }

  private func ask(_ client: ControlClient, _ text: String) throws -> String {
    try client.send(Array(text.utf8))
    return String(decoding: try client.nextLine(), as: UTF8.self)
  }

  @Test func theFolderIsTheUsersOwn() throws {
    #expect(folder.path == directory.url.path + "/auricle")
    #expect(ControlFolder(environment: [:]).path == "/tmp/auricle-\(geteuid())")
    #expect(ControlFolder(environment: ["XDG_RUNTIME_DIR": "run"]).path.hasPrefix("/tmp/"))
    // Also if others had access to the folder before.
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o777])
    let server = try echo()
    defer { server.close() }
    for (path, mode) in [(folder.path, 0o700), (server.path, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
    }
  }

  @Test func aFolderThatIsALinkIsRefused() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path, withDestinationPath: directory.url.path)
    #expect(throws: ControlError.self) { try echo() }
    #expect(throws: ControlError.self) { try folder.sessions() }
  }

  @Test func requestsAreAnsweredInTheirOrder() throws {
    let server = try echo()
    defer { server.close() }
    let client = try ControlClient(in: folder)
    try client.send(Array((0..<500).map(String.init).joined(separator: "\n").utf8))
    for number in 0..<500 {
      #expect(try String(decoding: client.nextLine(), as: UTF8.self) == "\(number)")
    }
  }

  @Test func sessionsAreDistinguishedByName() throws {
    #expect(throws: ControlError.noSession(folder: folder.path)) { try ControlClient(in: folder) }
    let servers = [try echo(), try echo(), try echo("Zoë's / other")]
    defer { for server in servers { server.close() } }
    let names = ["Zoë's _ other", "echo", "echo-01"]
    #expect(try folder.sessions() == names)
    #expect(throws: ControlError.severalSessions(names)) { try ControlClient(in: folder) }
    #expect(throws: ControlError.unknownSession("ecko", known: names)) {
      try ControlClient(session: "ecko", in: folder)
    }
    for name in names {
      #expect(try ask(ControlClient(session: name, in: folder), name) == name)
    }
    servers[1].close()
    #expect(try folder.sessions() == ["Zoë's _ other", "echo"])
  }

  @Test func onlySocketsOfDeadProcessesAreRemoved() throws {
    // A closed listener leaves its file, as the kernel does for a killed process.
    var dead: ControlListener? = try ControlListener(name: "echo", in: folder)
    let path = dead!.path
    #expect(try folder.sessions() == ["echo"])
    dead = nil
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try folder.sessions() == [])
    let server = try echo()
    #expect(server.path == path)
    // Closing the first server does not remove a second one's file.
    let other = folder.path + "/moved"
    try FileManager.default.moveItem(atPath: path, toPath: other)
    let second = try echo()
    server.close()
    #expect(try folder.sessions() == ["echo"])
    second.close()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aRequestThatIsTooLongIsRefused() throws {
    let server = try echo()
    defer { server.close() }
    let client = try ControlClient(in: folder)
    let most = String(repeating: "x", count: 65_535)
    #expect(try ask(client, most) == most)
    #expect(try ask(client, most) == most)
    // The session may end the connection before it has read everything.
    try? client.send([UInt8](repeating: 120, count: 1_000_000))
    #expect(try String(decoding: client.nextLine(), as: UTF8.self).contains("65536 bytes"))
    #expect(throws: ControlError.ended(session: "echo")) { try client.nextLine() }
    #expect(try ask(ControlClient(in: folder), "still there") == "still there")
  }

  @Test func oneClientTooManyIsRefusedWithTheReason() async throws {
    var limits = ControlLimits()
    limits.clients = 3
    let server = try echo("echo", limits)
    defer { server.close() }
    var clients: [ControlClient] = []
    for number in 0..<3 {
      // A client that checks for a listener also counts, for a moment.
      var client: ControlClient?
      _ = await eventually {
        client = try? ControlClient(session: "echo", in: folder)
        return client.flatMap { try? ask($0, "\(number)") } == "\(number)"
      }
      clients.append(try #require(client))
    }
    let late = try ControlClient(session: "echo", in: folder)
    #expect(
      try String(decoding: late.nextLine(), as: UTF8.self)
        == "refused: 3 clients are connected; end one")
    for (number, client) in clients.enumerated() {
      #expect(try ask(client, "\(number)") == "\(number)")
    }
    clients.removeLast()
    #expect(
      await eventually {
        guard let client = try? ControlClient(session: "echo", in: folder) else { return false }
        return (try? ask(client, "next")) == "next"
      })
  }

  @Test func aFloodThatIsNeverReadCostsALineOfEachSubject() async throws {
    let peers = Mutex<[ControlPeer]>([])
    let ends = Atomic(0)
    let server = try serve("news") { line, peer in
      peer.answer(line)
      peer.whenGone { ends.add(1, ordering: .relaxed) }
      peers.withLock { $0.append(peer) }
    }
    defer { server.close() }
    var client: ControlClient? = try ControlClient(in: folder)
    #expect(try ask(client!, "watch") == "watch")
    let peer = try #require(peers.withLock { $0.first })
    let filling = String(repeating: ".", count: 10_000)
    for number in 0..<10_000 {
      for subject in ["a", "b"] {
        peer.post(Array("\(subject)\(number)\(filling)".utf8), about: subject)
      }
    }
    // Other clients are not affected.
    #expect(try ask(ControlClient(in: folder), "other") == "other")
    var last: [Character: Int] = [:]
    var count = 0
    while last["a"] != 9_999 || last["b"] != 9_999 {
      let line = try String(decoding: client!.nextLine(), as: UTF8.self)
      let number = try #require(Int(line.dropFirst().prefix { $0 != "." }))
      #expect(number > last[line.first!] ?? -1)
      last[line.first!] = number
      count += 1
    }
    // The messages the kernel took before it was full, and one more of each subject.
    #expect(count < 2_000)
    client = nil
    #expect(await eventually { ends.load(ordering: .relaxed) >= 1 })
    // Nothing is kept for a client that has left.
    peer.post(Array(filling.utf8), about: "a")
    let before = ends.load(ordering: .relaxed)
    peer.whenGone { ends.add(1, ordering: .relaxed) }
    let after = ends.load(ordering: .relaxed)
    #expect(after == before + 1)
  }

  /// Several posts before the client reads are one line, with all that has accumulated.
  @Test func aNoticeThatIsWrittenLateHasAllSince() async throws {
    let peers = Mutex<[ControlPeer]>([])
    let server = try serve("late") { line, peer in
      peers.withLock { $0.append(peer) }
      if line.count == 4 { peer.answer(line) }
    }
    defer { server.close() }
    let client = try ControlClient(in: folder)
    // The request is not answered yet, so that no notice is sent.
    try client.send(Array("later".utf8))
    #expect(await eventually { !peers.withLock { $0.isEmpty } })
    let peer = try #require(peers.withLock { $0.first })
    let numbers = Mutex<[Int]>([])
    for number in 0..<100 {
      numbers.withLock { $0.append(number) }
      peer.post(about: "numbers") {
        numbers.withLock { numbers in
          defer { numbers = [] }
          return numbers.isEmpty ? nil : Array("\(numbers)".utf8)
        }
      }
      peer.post(about: "none") { nil }
    }
    peer.answer(Array("done".utf8))
    #expect(try String(decoding: client.nextLine(), as: UTF8.self) == "done")
    #expect(try String(decoding: client.nextLine(), as: UTF8.self) == "\(Array(0..<100))")
    #expect(try ask(client, "next") == "next")
  }

  @Test func theEndOfAConnectionIsReportedToTheLastBodyAtOnceIfItHasCome() async throws {
    let peers = Mutex<[ControlPeer]>([])
    let former = Atomic(0)
    let last = Atomic(0)
    let server = try serve("ends") { line, peer in
      peer.whenDisconnected { former.add(1, ordering: .relaxed) }
      peer.whenDisconnected { last.add(1, ordering: .relaxed) }
      peers.withLock { $0.append(peer) }
      peer.answer(line)
    }
    defer { server.close() }
    var client: ControlClient? = try ControlClient(in: folder)
    #expect(try ask(client!, "one") == "one")
    let peer = try #require(peers.withLock { $0.first })
    #expect(last.load(ordering: .relaxed) == 0)
    client = nil
    #expect(await eventually { last.load(ordering: .relaxed) == 1 })
    #expect(former.load(ordering: .relaxed) == 0)
    let late = Atomic(0)
    peer.whenDisconnected { late.add(1, ordering: .relaxed) }
    #expect(late.load(ordering: .relaxed) == 1)
  }

  @Test func answersThatComeLateOrNeverHoldUpNobody() async throws {
    let waiting = Mutex<[ControlPeer]>([])
    let server = try serve("late") { line, peer in
      if line.isEmpty {
        peer.answer(Array("now".utf8))
      } else {
        waiting.withLock { $0.append(peer) }
      }
    }
    defer { server.close() }
    var early: ControlClient? = try ControlClient(in: folder)
    try early!.send(Array("a\nb".utf8))
    let patient = try ControlClient(in: folder)
    try patient.send([97])
    #expect(await eventually { waiting.withLock(\.count) == 2 })
    #expect(try ask(ControlClient(in: folder), "") == "now")
    // A client has one request in progress, however many it has sent.
    let count = waiting.withLock(\.count)
    #expect(count == 2)
    early = nil
    for peer in waiting.withLock({ $0 }) {
      peer.answer(Array("then".utf8))
      peer.answer(Array("twice".utf8))
    }
    #expect(try String(decoding: patient.nextLine(), as: UTF8.self) == "then")
    #expect(try ask(patient, "") == "now")
  }

  @Test func aRequestIsAbandonedOnlyIfItsClientLeavesBeforeTheAnswer() async throws {
    let waiting = Mutex<[ControlPeer]>([])
    let given = Mutex<[String]>([])
    let server = try serve("given-up") { line, peer in
      let name = String(decoding: line, as: UTF8.self)
      peer.whenAbandoned { given.withLock { $0.append(name) } }
      if name == "answered" { peer.answer(line) }
      waiting.withLock { $0.append(peer) }
    }
    defer { server.close() }
    var answered: ControlClient? = try ControlClient(in: folder)
    #expect(try ask(answered!, "answered") == "answered")
    answered = nil
    var left: ControlClient? = try ControlClient(in: folder)
    try left!.send(Array("left".utf8))
    #expect(await eventually { waiting.withLock(\.count) == 2 })
    left = nil
    #expect(await eventually { given.withLock { $0 } == ["left"] })
    // Called at once if the client has already left.
    waiting.withLock { $0[1] }.whenAbandoned { given.withLock { $0.append("late") } }
    #expect(given.withLock { $0 } == ["left", "late"])
  }

  @Test func clientsThatComeAndGoAtAnyMomentAreSurvived() async throws {
    let server = try echo()
    defer { server.close() }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          var random = SeededRandom(seed: UInt64(number + 1))
          for _ in 0..<200 {
            guard let client = try? ControlClient(session: "echo", in: folder) else { continue }
            let bytes = (0..<Int.random(in: 0...3000, using: &random)).map { _ in
              UInt8.random(in: 0...255, using: &random)
            }
            try? client.send(bytes)
            if Bool.random(using: &random) { _ = try? client.nextLine() }
          }
        }
      }
    }
    #expect(try ask(ControlClient(in: folder), "still there") == "still there")
  }

  @Test func aClientGetsAnErrorWhenTheSessionEnds() throws {
    let server = try echo()
    let client = try ControlClient(in: folder)
    #expect(try ask(client, "a") == "a")
    server.close()
    server.close()
    #expect(throws: ControlError.ended(session: "echo")) { try client.nextLine() }
    #expect(!FileManager.default.fileExists(atPath: server.path))
    #expect(throws: ControlError.noSession(folder: folder.path)) { try ControlClient(in: folder) }
  }
}
