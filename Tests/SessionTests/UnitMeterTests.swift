// What a session measures of its units while somebody looks.

import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct UnitMeterTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The events that came to a unit in the last second, and those that it sent; nil where nobody
  /// has looked before.
  private func events(_ session: SteppedSession) async throws -> [Int?] {
    guard case .status(let status) = try await session.askAtOnce(.status) else { return [] }
    return (status.unitStatus ?? []).flatMap { [$0.eventsTaken, $0.eventsSent] }
  }

  @Test func theEventsOfTheLastSecondAreCounted() async throws {
    let session = try await SteppedSession(
      directory.write("[[unit]]\nid = \"keys\"\ncomponent = \"midi\"\n", to: "session.toml"))
    await session.step(4_800)
    #expect(try await events(session) == [nil, nil])
    // In the first of several pieces, and then in a later one.
    for (count, frames, sum) in [(5, 12_032, 5), (2, 12_032, 7), (0, 48_128, 0)] {
      let start = Int(session.frame)
      session.send(
        (0..<count).map { TimedMIDI(frame: start + $0, bytes: [0x90, UInt8(60 + $0), 100]) },
        to: "keys_midi_in")
      await session.step(frames)
      #expect(try await events(session) == [sum, sum])
    }
    // Nobody has looked for so long that it is begun anew.
    await session.step(4 * 48_128)
    #expect(try await events(session) == [nil, nil])
    #expect(await session.end() == nil)
  }
}
