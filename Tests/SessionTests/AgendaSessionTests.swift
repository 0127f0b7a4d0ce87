// Values set for future frames, in a running session.

import Foundation
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct AgendaSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run() async throws -> SteppedSession {
    let file = try directory.write(
      """
      [[unit]]
      id = "first"
      component = "filter"
      parameters = { cutoff = 900 }
      [[unit]]
      id = "second"
      component = "filter"
      """, to: "session.toml")
    let session = try await SteppedSession(file)
    await session.step(4_800)
    return session
  }

  private func set(
    _ path: String, in seconds: Int64, of session: SteppedSession
  ) async throws -> Int64 {
    let frame = session.frame + seconds * 48_000 + 5
    try await session.askAtOnce(.set(path: path, value: .number(700), frame: frame))
    return frame
  }

  private func agenda(_ session: SteppedSession) async throws -> Int? {
    guard case .status(let status) = try await session.askAtOnce(.status) else { return nil }
    return status.agenda
  }

  @Test func aValueForAFrameToComeIsTakenBackOnceItHasCome() async throws {
    let session = try await run()
    let frame = try await set("first/cutoff", in: 2, of: session)
    #expect(await session.refusal(.undo(steps: 1)) == "there is nothing to undo")
    #expect(try await session.journal().isEmpty)
    #expect(try await agenda(session) == 1)
    await session.step(Int(frame - session.frame))
    #expect(try await session.value("first/cutoff") == 900)
    await session.step(256)
    #expect(try await session.value("first/cutoff") == 700)
    #expect(try await agenda(session) == nil)
    let told = try await session.journal(since: frame)
    #expect(told.map(\.text) == ["first/cutoff from 900 to 700"])
    #expect(told.map(\.frame) == [frame] && told.map(\.source) == [.ctl])
    #expect(try await session.undo() == ["first/cutoff from 900 to 700"])
    #expect(try await session.value("first/cutoff") == 900)
    #expect(await session.end() == nil)
  }

  @Test func aScheduledChangeThatBecameImpossibleIsReported() async throws {
    let session = try await run()
    let frame = try await set("second/cutoff", in: 2, of: session)
    try await session.ask(.remove(unit: "second"))
    await session.step(Int(frame - session.frame))
    #expect(
      session.log.text
        == "warning: second/cutoff to 700 on frame \(frame) cannot be: unknown unit 'second' in "
        + "this session; accepted: first\n")
    #expect(try await agenda(session) == nil)
    #expect(await session.end() == nil)
  }
}
