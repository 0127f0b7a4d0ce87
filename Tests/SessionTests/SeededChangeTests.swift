// All kinds of commands to a session with stepped time.

import SessionTestSupport
import TestSupport
import Testing

@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct SeededChangeTests {
  @Test func commandsOfAllKindsActAsRecorded() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.url.path
    let session = try await SteppedSession(
      try SeededChanges.write(to: directory),
      environment: ["XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder])
    try await SeededChanges.check(session, directory.url)
    #expect(await session.end() == nil)
  }
}

extension SteppedSession: AskedSession {
  public func answers(_ lines: [[UInt8]]) async throws -> [[UInt8]] {
    var begun: [Answer] = []
    for line in lines { begun.append(await begin(try SessionWire.command(line))) }
    var answers: [[UInt8]] = []
    for answer in begun { answers.append(SessionWire.encode(try await result(of: answer))) }
    return answers
  }

  public func wait() async throws { await step(period) }
}
