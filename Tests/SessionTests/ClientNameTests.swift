// The names of clients in the journal.

import Configuration
import ControlSocket
import OSC
import Remotes
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct ClientNameTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(
    _ socket: SessionSocket? = nil, osc: SessionOSC? = nil
  ) async throws -> SteppedSession {
    let file = try directory.write(
      """
      [[unit]]
      id = "lowpass"
      component = "filter"
      """, to: "session.toml")
    return try await SteppedSession(file, socket: socket, osc: osc)
  }

  private static func cutoff(_ value: Double) -> SessionCommand {
    .set(path: "lowpass/cutoff", value: .number(value))
  }

  @Test func eachConnectionHasItsName() async throws {
    let folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    let socket = try SessionSocket(name: "names", in: folder)
    defer { socket.close() }
    let session = try await run(socket)
    let (anna, ben) = (
      try SocketClient(session: "names", in: folder), try SocketClient(session: "names", in: folder)
    )
    try await anna.ask(Self.cutoff(100))
    try await anna.ask(.hello(name: "Anna"))
    try await ben.ask(.hello(name: "Ben's tablet"))
    try await anna.ask(.bypass(unit: "lowpass", isOn: true))
    try await ben.ask(Self.cutoff(300))
    try await anna.ask(.hello(name: "Anna B."))
    try await anna.ask(.bypass(unit: "lowpass", isOn: false))
    let undo = Task { try await ben.ask(.undo(steps: 1)) }
    _ = try await undo.value
    let changes = try await session.journal()
    #expect(changes.map(\.client) == [nil, "Anna", "Ben's tablet", "Anna B.", "Ben's tablet"])
    #expect(changes.map(\.source) == [.ctl, .ctl, .ctl, .ctl, .undo])
    #expect(await session.end() == nil)
  }

  @Test func aSecondSessionOfANameLogsTheNameThatItHas() throws {
    let folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    let log = LogRecorder()
    let first = try #require(SessionSocket.listening(as: "names", in: folder, log.logger))
    defer { first.close() }
    #expect(first.name == "names" && log.take() == "")
    let second = try #require(SessionSocket.listening(as: "names", in: folder, log.logger))
    defer { second.close() }
    #expect(second.name != "names")
    #expect(log.take().contains("auricle ctl --client '\(second.name)' is for this one"))
  }

  @Test func aParameterIsReportedOnceAndANumberInATextIsANumber() async throws {
    let folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    let socket = try SessionSocket(name: "names", in: folder)
    defer { socket.close() }
    let session = try await run(socket)
    let paths = ["lowpass/cutoff", "lowpass", "lowpass/cutoff"]
    guard case .parameters(let found) = try await session.askAtOnce(.watch(paths: paths)) else {
      Issue.record("no parameters")
      return
    }
    #expect(found.first?.path == "lowpass/cutoff" && found.count > 1)
    #expect(Set(found.map(\.path)).count == found.count)
    let refusal = await session.refusal(.set(path: "lowpass/cutoff", value: .string("1e9")))
    #expect(refusal.contains("cutoff = 1000000000 is out of range"), "\(refusal)")
    #expect(await session.end() == nil)
  }

  @Test(arguments: ["", "  ", "a\nb", "\u{1B}[2J", String(repeating: "x", count: 65)])
  func noNameCanSpoilTheJournal(name: String) async throws {
    let folder = ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    let socket = try SessionSocket(name: "names", in: folder)
    defer { socket.close() }
    let session = try await run(socket)
    let client = try SocketClient(session: "names", in: folder)
    let error = await #expect(throws: SessionCommandError.self) {
      try await client.ask(.hello(name: name))
    }
    #expect("\(error as Any)".contains("cannot be a client's name"))
    try await client.ask(Self.cutoff(200))
    #expect(try await session.journal().map(\.client) == [nil])
    #expect(await session.end() == nil)
  }

  @Test func anOSCSenderHasItsHostsAddress() async throws {
    let osc = try SessionOSC(OSCConfiguration(port: Located(0, at: .nowhere)), units: ["lowpass"])
    defer { osc.close() }
    let session = try await run(osc: osc)
    for (host, value) in [("127.0.0.1", 300), ("127.0.0.2", 400)] {
      let sender = try OSCTestSender(to: osc.places[0], from: host)
      try sender.send(OSCMessage("/lowpass/cutoff", [.float(Float(value))]))
      // The answer arrives once earlier messages are done.
      _ = try await sender.ask("/lowpass/cutoff")
    }
    let changes = try await session.journal()
    #expect(changes.map(\.client) == ["127.0.0.1", "127.0.0.2"])
    #expect(changes.map(\.source) == [.osc, .osc])
    #expect(await session.end() == nil)
  }

  @Test func onlyAClientOfTheSocketHasAName() async throws {
    let session = try await run()
    #expect(await session.refusal(.hello(name: "Anna")).contains("only a client"))
    #expect(
      await session.refusal(.together([.hello(name: "Anna"), Self.cutoff(200)])).contains(
        "cannot be combined"))
    #expect(await session.end() == nil)
  }

  @Test func valuesOfTwoClientsAreStepsOfEach() async throws {
    let session = try await run()
    for (client, value) in [("Anna", 100.0), ("Anna", 200), ("Ben", 300), ("Ben", 400)] {
      try await session.ask(Self.cutoff(value), as: client)
    }
    for expected in ["lowpass/cutoff from 200 to 400", "lowpass/cutoff from 20000 to 200"] {
      #expect(try await session.undo() == [expected])
    }
    #expect(await session.refusal(.undo(steps: 1)).contains("nothing to undo"))
    #expect(await session.end() == nil)
  }

  @Test func lateWorkAndItsUndoHaveTheNamesOfTheirClients() async throws {
    let session = try await run()
    try await session.ask(.add(unit: "second", component: "filter"), as: "Anna")
    try await session.ask(.undo(steps: 1), as: "Ben")
    let changes = try await session.journal()
    #expect(changes.map(\.client) == ["Anna", "Ben"], "\(changes)")
    #expect(await session.end() == nil)
  }

  @Test func aValueForAFrameToComeIsWhoseItWas() async throws {
    let session = try await run()
    try await session.ask(
      .set(path: "lowpass/cutoff", value: .number(500), frame: session.frame + 48_000), as: "Anna")
    try await session.ask(Self.cutoff(300), as: "Ben")
    await session.step(2 * 48_000)
    #expect(try await session.journal().map(\.client) == ["Ben", "Anna"])
    #expect(await session.end() == nil)
  }
}
