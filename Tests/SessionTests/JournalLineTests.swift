// Command lines in the journal of a running session.

import Foundation
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct JournalLineTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run() async throws -> SteppedSession {
    let file = try directory.write(
      Configurations.liveSet(in: directory) + """

        [[unit]]
        id = "first"
        component = "filter"
        [[unit]]
        id = "second"
        component = "tone"
        [[scene]]
        name = "Verse"
        parameters = { first.cutoff = 300 }
        connections = [{ from = "second", to = "first" }]
        [[map]]
        parameter = "first/resonance"
        controller = 20
        [[map]]
        scene = "Verse"
        program = 3
        channel = 2
        [[map]]
        preset = "first/Warm"
        program = 4
        channel = 2
        [[map]]
        panic = true
        program = 5
        channel = 2
        """, to: "session.toml")
    let session = try await SteppedSession(file)
    await session.step(4_800)
    return session
  }

  private func lines(_ session: SteppedSession) async throws -> [String?] {
    try await session.journal().map(\.command)
  }

  /// The first of several changes by one request has its line.
  @Test func aRequestHasOneLine() async throws {
    let session = try await run()
    try await session.ask(.scene(.load("Verse")))
    try await session.ask(.set(path: "first/cutoff", value: .number(900), frame: session.frame))
    // The name, because a shell's number is another value's name or none.
    try await session.ask(.set(path: "second/waveform", value: .number(2)), by: .osc)
    guard case .parameter(let waveform) = try await session.ask(.get(path: "second/waveform"))
    else { return }
    try await session.ask(.get(path: "first/cutoff"))
    try await session.ask(
      .set(path: "first/cutoff", value: .number(901), frame: session.frame + 48_000))
    await session.step(96_000)
    #expect(try await session.journal().map(\.text).prefix(2).allSatisfy { $0.contains("Verse") })
    #expect(
      try await lines(session) == [
        "scene load Verse", nil, "set first/cutoff 900",
        "set second/waveform \(waveform.values[2])",
        "set first/cutoff 901",
      ])
    #expect(await session.end() == nil)
  }

  /// A script without undone changes needs no undo, whose steps depend on the time between changes.
  @Test func anUndoneChangeHasNone() async throws {
    let session = try await run()
    func set(_ value: Double) async throws {
      try await session.ask(.set(path: "first/cutoff", value: .number(value)))
    }
    try await session.ask(.bypass(unit: "first", isOn: true))
    for value in [500.0, 600] { try await set(value) }
    await session.step(2 * 48_000)
    try await set(700)
    let bypass = "bypass first on"
    let sets = [500, 600, 700].map { "set first/cutoff \($0)" }
    #expect(try await lines(session) == [bypass] + sets)
    _ = try await session.undo()
    #expect(try await lines(session) == [bypass, sets[0], sets[1], nil, nil])
    // Both values were one step.
    _ = try await session.undo()
    #expect(try await lines(session) == [bypass, nil, nil, nil, nil, nil])
    _ = try await session.redo(2)
    #expect(try await lines(session) == [bypass] + sets + [nil, nil, nil, nil])
    try await session.ask(.scene(.load("Verse")))
    _ = try await session.undo()
    #expect(try await lines(session).compactMap(\.self) == [bypass] + sets)
    #expect(await session.end() == nil)
  }

  /// Actions of controllers have the lines of commands that do the same.
  @Test func controllersHaveLines() async throws {
    let session = try await run()
    func play(_ bytes: [UInt8], to port: String = "control_midi_in") async throws {
      session.send([TimedMIDI(frame: Int(session.frame) + 7, bytes: bytes)], to: port)
      await session.step(2 * 48_000)
      while try await !session.pending().isEmpty { await session.step(session.period) }
    }
    try await play([0xB0, 20, 127])
    let value = try #require(try await session.value("first/resonance"))
    for program: UInt8 in [3, 4, 5] { try await play([0xC1, program]) }
    try await play([0xC0, 1], to: "set_midi_in")
    #expect(
      try await lines(session).compactMap(\.self) == [
        "set first/resonance \(value == value.rounded() ? "\(Int(value))" : "\(value)")",
        "scene load Verse", "preset load first Warm", "panic", "entry set 1",
      ])
    // Undone, the preset and the scene have none.
    _ = try await session.undo(2)
    #expect(try await lines(session).compactMap(\.self).count == 3)
    #expect(await session.end() == nil)
  }

  /// The changes of a file that was written have no command.
  @Test func aProgramsChangeHasNone() {
    let journal = SessionJournal()
    journal.add("units", path: "", .none, by: ChangeAuthor(.file))
    #expect(journal.reading(since: nil).changes.map(\.command) == [nil])
  }
}
