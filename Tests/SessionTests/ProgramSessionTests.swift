// A session made by a program and changed by other clients, too.

import BuiltInUnits
import Effects
import OfflineHost
import SessionTestSupport
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct ProgramSessionTests {
  private let units: [AudioUnit]
  private let program: ProgramSession
  private let requests = SessionDoor<SessionRequest>()
  private let host: OfflineHost
  private let editor: SessionEditor
  private let late: LateWork
  private let time = SteppedTime()
  private let reported: LastStructure

  /// The structure last reported to the program.
  private final class LastStructure: Sendable {
    private let last = Mutex(ProgramStructure())
    var structure: ProgramStructure { last.withLock { $0 } }
    func take(_ structure: ProgramStructure) { last.withLock { $0 = structure } }
  }

  private final class Requests: SessionRemote {
    let requests: SessionDoor<SessionRequest>?
    init(_ requests: SessionDoor<SessionRequest>) { self.requests = requests }
  }

  /// Starts a session of four units, of which the first plays through the second.
  init() throws {
    let (time, reported, requests) = (time, LastStructure(), requests)
    let units = try (0..<4).map { _ in try DelayUnit() }
    var host: OfflineHost?
    var session: JackSession?
    program = try ProgramSession(
      ProgramStructure(
        units: zip(["a", "b", "c", "d"], units).map { ProgramStructure.Unit(id: $0, unit: $1) },
        links: [Self.link(units[0], units[1])]),
      clientName: "program", registry: try BuiltInComponents.makeRegistry(),
      start: { plan in
        let own = try OfflineHost(plan, sampleRate: 48_000, period: 256)
        let made = JackSession(plan, on: own, time, RecentNotices(), log: LogRecorder().logger)
        (host, session) = (own, made)
        return made
      }, listen: { _ in [Requests(requests)] }, follow: { reported.take($0) }, notify: { _ in })
    (self.units, self.reported) = (units, reported)
    self.host = try #require(host)
    editor = try #require(session).editor
    late = try #require(session).late
  }

  private static func link(_ from: AudioUnit, _ to: AudioUnit) -> ProgramStructure.Link {
    ProgramStructure.Link(
      from: .bus(ObjectIdentifier(from), 0), to: .bus(ObjectIdentifier(to), 0))
  }

  private func step(_ frames: Int = 256) async {
    for _ in 0..<frames / 256 {
      _ = host.render(256)
      time.advance(by: .seconds(256.0 / 48_000))
      try? await editor.commit {}
    }
  }

  /// Executes a command of another client.
  private func ask(_ command: SessionCommand) async throws {
    let result = Mutex<Result<SessionAnswer, SessionCommandError>?>(nil)
    requests.post(
      SessionRequest(command: command, answer: { given in result.withLock { $0 = given } }))
    for _ in 0..<20_000 where result.withLock({ $0 == nil }) {
      await step()
      try await Task.sleep(for: .microseconds(500))
    }
    _ = try #require(result.withLock { $0 }).get()
  }

  private func stop() async {
    program.end()
    await step(9_600)
    #expect(await program.stop() == nil)
  }

  /// A program's edit changes the structure left by the command, not the one before it.
  @Test func aProgramWaitsForTheChangeOfACommand() async throws {
    await step(4_800)
    let (isDisconnected, isAsked, isConnected) = (Flag(), Flag(), Flag())
    requests.post(
      SessionRequest(
        command: .disconnect(from: "a:1", to: "b:1"),
        answer: {
          if case .failure(let error) = $0 { Issue.record(error) }
          isDisconnected.set()
        }))
    // The command has begun, and fades as frames pass: none does yet.
    #expect(await eventually { late.count == 2 })
    let (reported, units, program) = (reported, units, program)
    let edit = Task {
      try await program.edit("d heard", takingBack: {}) {
        isAsked.set()
        var next = reported.structure
        next.links.append(Self.link(units[2], units[3]))
        return next
      }
      isConnected.set()
    }
    #expect(await eventually { late.count == 4 })
    for _ in 0..<20 { try await editor.commit {} }
    #expect(!isAsked.isSet && !isDisconnected.isSet)
    for _ in 0..<20_000 where !isConnected.isSet {
      await step()
      try await Task.sleep(for: .microseconds(500))
    }
    #expect(isDisconnected.isSet)
    try await edit.value
    #expect(reported.structure.links == [Self.link(units[2], units[3])])
    await stop()
  }

  /// Controllers are connected where programs make no connections.
  @Test func connectionsOfControllersAreNotInAProgramsStructure() async throws {
    await step(4_800)
    let links = [Self.link(units[0], units[1])]
    try await ask(.map(path: "a/feedback", settings: ["controller=74"]))
    #expect(reported.structure.links == links)
    #expect(reported.structure.units.map(\.id) == ["a", "b", "c", "d"])
    await stop()
  }
}
