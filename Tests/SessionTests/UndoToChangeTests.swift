// Undoing all changes after one of the journal.

import SessionModel
import SessionTestSupport
import Testing

@testable import Session

@Suite struct UndoToChangeTests {
  private let rig: KeysRig

  init() throws { rig = try KeysRig() }

  private func isBypassed(_ session: SteppedSession) async throws -> Bool {
    try await session.units().first { $0.id == "lowpass" }?.isBypassed ?? false
  }

  /// Later changes are undone, whoever made them; a moved fader is one step as a whole.
  @Test func laterChangesAreUndone() async throws {
    let session = try await rig.run()
    func set(_ value: Double, by name: String) async throws {
      try await session.ask(.set(path: "lowpass/cutoff", value: .number(value)), as: name)
    }
    let start = try #require(try await session.value("lowpass/cutoff"))
    try await set(100, by: "Ada")
    try await session.ask(.bypass(unit: "lowpass", isOn: true), as: "Ben")
    try await set(200, by: "Ada")
    try await set(300, by: "Ada")
    try await session.ask(.bypass(unit: "lowpass", isOn: false), as: "Ben")
    #expect(try await session.journal().map(\.number) == [0, 1, 2, 3, 4])

    let refusal = await session.refusal(.undo(to: 5))
    #expect(refusal.contains("4 at most; -1 for the start"), "\(refusal)")
    #expect(await session.refusal(.undo(steps: 2, to: 0)).contains("one of them"))
    #expect(await session.refusal(.undo(to: 4)).contains("nothing to undo after change 4"))

    // Change 2 is in the middle of a moved fader.
    try await session.ask(.undo(to: 2))
    #expect(try await session.value("lowpass/cutoff") == 100)
    #expect(try await isBypassed(session))
    #expect(try await session.journal().count == 7)
    try await session.ask(.redo(steps: 2))
    #expect(try await session.value("lowpass/cutoff") == 300)

    try await session.ask(.undo(to: -1))
    #expect(try await session.value("lowpass/cutoff") == start)
    #expect(try await !isBypassed(session))
    #expect(await session.end() == nil)
  }

  /// Steps beyond the capacity cannot be undone, and nothing is undone in their place.
  @Test func forgottenStepsAreNotPassedOver() {
    let history = SessionHistory()
    for number in 0..<SessionHistory.capacity + 100 {
      history.recordFixed("change \(number)", path: "keys", isChange: true)
    }
    let kept = history.counts.undo
    let first = SessionHistory.capacity + 100 - kept
    #expect(first > 0)
    #expect(history.steps(after: first - 1) == kept)
    #expect(history.steps(after: first - 2) == nil)
    #expect(history.steps(after: -1) == nil)
  }
}
