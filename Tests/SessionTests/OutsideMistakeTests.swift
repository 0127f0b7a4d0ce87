// Ports of other clients that a session can never connect with.

import Configuration
import Foundation
import SessionTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct OutsideMistakeTests {
  private static let wrong = ["first", "second"].map {
    ConfigurationProblem("'system:\($0)' is a port for MIDI", at: .command)
  }

  private let folder: TemporaryDirectory
  private let plan: SessionPlan
  private let host: StillHost
  private let session: JackSession

  init() async throws {
    folder = try TemporaryDirectory()
    plan = try await DocumentRig(folder.write(Configurations.filter(), to: "session.toml")).plan
    host = StillHost(plan)
    session = JackSession(
      plan, on: host, SteppedTime(), RecentNotices(), log: LogRecorder().logger)
  }

  /// Gives the session another structure.
  ///
  /// - Returns: the result, or the error.
  private func edit() throws -> String {
    let become = Mutex("nothing")
    let structure = try #require(SessionStructure(plan.origin.configuration, plan.units))
    session.execute(
      SessionEdit(
        structure: structure,
        finish: { frame in become.withLock { $0 = "done on \(frame ?? -1)" } },
        refuse: { error in become.withLock { $0 = "\(error)" } }))
    return become.withLock { $0 }
  }

  @Test func aChangeWithOneIsRefusedBeforeItBegins() throws {
    host.wrong = Self.wrong
    let become = try edit()
    #expect(become.contains("'system:first' is a port for MIDI"), "\(become)")
    #expect(host.changeCount == 0 && host.names == [nil])
    host.wrong = []
    #expect(try edit() == "done on -1")
    #expect(host.changeCount == 1)
  }

  /// All mistakes are reported, for the ports that exist once this session's own are gone.
  @Test func anotherSessionWithSomeIsRefused() throws {
    try session.check(plan, as: "next")
    host.wrong = Self.wrong
    #expect {
      try session.check(plan, as: "next")
    } throws: { error in
      guard case SessionError.configuration(let error)? = error as? SessionError else {
        return false
      }
      return error.problems.map(\.message) == Self.wrong.map(\.message)
    }
    #expect(host.names == ["next", "next"])
  }
}
