// Undo of changes in a running session.

import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite(.timeLimit(.minutes(20))) struct UndoSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ configuration: String) async throws -> SteppedSession {
    let session = try await SteppedSession(try directory.write(configuration, to: "session.toml"))
    await session.step(4_800)
    return session
  }

  private func set(_ path: String, _ value: Double) -> SessionCommand {
    .set(path: path, value: .number(value))
  }

  @Test func valuesAndEntriesAreTakenBack() async throws {
    let session = try await run(Configurations.liveSet(in: directory))
    /// Compares the entry, the gain and the pan, once cycles have taken them.
    func expect(_ entry: String, _ gain: Float, _ pan: Float) async throws {
      await session.step(4_800)
      #expect(try await session.units().map(\.preset) == [entry])
      #expect(try await session.value("set/gain") == gain)
      #expect(try await session.value("set/pan") == pan)
    }
    try await session.ask(set("set/pan", 33))
    try await session.ask(.entry(unit: "set", .name("one")))
    try await expect("one", -5, 20)
    try await session.ask(set("set/gain", -7))
    #expect(try await session.undo() == ["set/gain from -5 to -7"])
    try await expect("one", -5, 20)
    #expect(try await session.undo() == ["set: entry 1"])
    // The pan is the value set by hand, not the entry's.
    try await expect("zero", 0, 33)
    #expect(try await session.redo(2) == ["set: entry 1", "set/gain from -5 to -7"])
    try await expect("one", -7, 20)
    // A pending value is no change yet.
    try await session.ask(.set(path: "set/gain", value: .number(-20), frame: .max))
    #expect(try await session.undo(3).last == "set/pan from 10 to 33")
    try await expect("zero", 0, 10)
    #expect(await session.refusal(.undo(steps: 1)) == "there is nothing to undo")
    #expect(!session.isUnsaved)
    #expect(await session.end() == nil)
  }

  /// Far more changes than a session keeps units for.
  @Test func manyChangesOfUnitsAreTakenBack() async throws {
    let session = try await run("[[unit]]\nid = \"unit\"\ncomponent = \"filter\"\n")
    let count = 50
    for number in 0..<count {
      let cutoff = "parameters.cutoff=\(500 + number)"
      try await session.ask(.replace(unit: "unit", component: "filter", settings: [cutoff]))
      try await session.ask(set("unit/resonance", Double(number) / 10))
      if number % 5 == 0 {
        try await session.ask(.add(unit: "other", component: "filter"))
        try await session.ask(.remove(unit: "other"))
      }
    }
    for number in (0..<count).reversed() {
      if number % 5 == 0 { _ = try await session.undo(2) }
      #expect(try await session.value("unit/cutoff") == Float(500 + number))
      #expect(try await session.value("unit/resonance") == Float(Double(number) / 10))
      _ = try await session.undo(2)
    }
    #expect(try await session.value("unit/cutoff") == 20_000)
    #expect(await session.refusal(.undo(steps: 1)) == "there is nothing to undo")
    _ = try await session.redo(2 * count + 2 * (count / 5))
    #expect(try await session.value("unit/cutoff") == Float(500 + count - 1))
    #expect(await session.end() == nil)
  }
}
