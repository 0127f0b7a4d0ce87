// Scenes of a running session.

import Foundation
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct SceneSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Starts a session of a live set, which plays through the first of two filters.
  private func run(followsFile: Bool = false) async throws -> SteppedSession {
    let file = try directory.write(
      directory.writeLiveSet() + """
        [[unit]]
        id = "first"
        component = "filter"
        parameters = { cutoff = 900.0 }
        [[unit]]
        id = "second"
        component = "filter"
        [[connect]]
        from = "keys"
        to = "first"
        """, to: "session.toml")
    let session = try await SteppedSession(file, followsFile: followsFile)
    await session.step(4_800)
    return session
  }

  private func save(_ name: String, _ paths: String..., in session: SteppedSession) async throws {
    try await session.ask(.scene(.save(name, paths: paths)))
  }

  private func load(_ name: String, in session: SteppedSession) async throws {
    try await session.ask(.scene(.load(name)))
    await session.step(4_800)
  }

  /// Returns each scene with the numbers of its values, bypasses and entries, and whether it has
  /// connections.
  private func scenes(_ session: SteppedSession) async throws -> [String] {
    guard case .scenes(let scenes) = try await session.ask(.scene(.list)) else { return [] }
    return scenes.map {
      "\($0.name) \($0.values) \($0.bypasses) \($0.entries) \($0.hasConnections)"
    }
  }

  /// Returns values, entries and bypasses of the units, and their connections.
  private func state(_ session: SteppedSession) async throws -> [String] {
    var state = ["first/cutoff", "second/resonance", "keys/gain"].map { "\($0) " }
    for index in state.indices {
      let path = String(state[index].dropLast())
      state[index] += "\(try await session.value(path) ?? .nan)"
    }
    for unit in try await session.units() {
      state.append("\(unit.id) \(unit.preset ?? "") \(unit.isBypassed)")
    }
    let file = directory.file("state.toml")
    let text = try await saved(session, as: file)
    for line in text.split(separator: "\n") where line.hasPrefix("to = ") {
      state.append(String(line))
    }
    return state
  }

  private func saved(_ session: SteppedSession, as file: URL) async throws -> String {
    try await session.ask(.save(file: file.path))
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func wrongScenesAreRefused() async throws {
    let session = try await run()
    #expect(try await scenes(session) == [])
    #expect(
      await session.refusal(.scene(.load("Verse")))
        == "unknown scene 'Verse' in this session; accepted: none")
    #expect(await session.refusal(.scene(.save(""))).contains("'name' is empty"))
    #expect(
      await session.refusal(.scene(.save("Verse", paths: ["firs"])))
        .contains("did you mean 'first'?"))
    try await save("Verse", in: session)
    #expect(await session.refusal(.scene(.delete("Low"))).contains("accepted: Verse"))
    #expect(await session.end() == nil)
  }

  /// All parts change, and all are restored in one step.
  @Test func aSceneIsTakenBackAndMadeAgainAsAWhole() async throws {
    let session = try await run()
    let first = try await state(session)
    try await save("Verse", in: session)
    for command in [
      SessionCommand.set(path: "first/cutoff", value: .number(5_000)),
      .set(path: "second/resonance", value: .number(7)), .bypass(unit: "second", isOn: true),
      .entry(unit: "keys", .name("Loud")), .disconnect(from: "keys", to: "first"),
      .connect(from: "keys", to: "second"),
    ] { try await session.ask(command) }
    await session.step(4_800)
    let after = try await state(session)
    #expect(zip(first, after).allSatisfy { $0 != $1 || $0.hasPrefix("first ") }, "\(after)")
    try await load("Verse", in: session)
    #expect(try await state(session) == first)
    #expect(try await session.undo() == ["scene 'Verse'"])
    await session.step(4_800)
    #expect(try await state(session) == after)
    #expect(try await session.redo() == ["scene 'Verse'"])
    await session.step(4_800)
    #expect(try await state(session) == first)
    #expect(await session.end() == nil)
  }

  /// The scene's connections are made before its values are sent.
  @Test func aSceneWhoseValuesFindNoRoomChangesNothing() async throws {
    let session = try await run()
    try await save("Verse", in: session)
    try await session.ask(.disconnect(from: "keys", to: "first"))
    try await session.ask(.connect(from: "keys", to: "second"))
    let before = try await state(session)
    let sets = (0..<256).map {
      SessionCommand.set(path: "first/resonance", value: .number(Double($0) / 64))
    }
    let frame = session.frame + 11_000
    for _ in 0..<4 { try await session.ask(.together(sets, frame: frame)) }
    #expect(
      await session.refusal(.scene(.load("Verse")))
        == "unit 'first' has no room for 2 values: too many wait for their frames; accepted: the "
        + "same later, or panic, which forgets them")
    #expect(try await state(session) == before)
    #expect(try await !session.journal().contains { $0.text.contains("Verse\"") })
    await session.step(12_000)
    try await load("Verse", in: session)
    #expect(try await state(session) != before)
    #expect(await session.end() == nil)
  }

  /// The entry is playing already. Values changed since are set to the entry's again.
  @Test func aSceneSetsTheValuesOfItsEntry() async throws {
    let session = try await run()
    try await save("Verse", in: session)
    #expect(try await session.value("keys/gain") == -12)
    try await session.ask(.set(path: "keys/gain", value: .number(3)))
    try await load("Verse", in: session)
    #expect(try await session.value("keys/gain") == -12)
    #expect(try await session.undo() == ["scene 'Verse'"])
    #expect(try await session.value("keys/gain") == 3)
    #expect(await session.end() == nil)
  }

  @Test func partsThatAreNewToASceneStay() async throws {
    let session = try await run()
    try await save("Verse", in: session)
    try await save("Low", "first/cutoff", in: session)
    try await session.ask(.add(unit: "third", component: "filter"))
    try await session.ask(.connect(from: "second", to: "third"))
    try await session.ask(.set(path: "first/cutoff", value: .number(300)))
    try await load("Low", in: session)
    #expect(try await session.value("first/cutoff") == 900)
    try await load("Verse", in: session)
    #expect(
      await session.refusal(.connect(from: "second", to: "third")).contains("is connected to"))
    #expect(await session.end() == nil)
  }

  /// Removed units and connections are removed from the scenes.
  @Test func removedPartsLeaveTheScenesAndUndoRestoresThem() async throws {
    let session = try await run()
    try await save("Verse", in: session)
    try await save("Low", "first/cutoff", in: session)
    let all = try await scenes(session)
    #expect(all.last == "Low 1 0 0 false")
    try await session.ask(.disconnect(from: "keys", to: "first"))
    try await session.ask(.replace(unit: "first", component: "midi"))
    #expect(try await scenes(session) != all)
    _ = try await session.undo(2)
    #expect(try await scenes(session) == all)
    try await session.ask(.remove(unit: "keys"))
    #expect(try await scenes(session).first?.hasSuffix(" 2 0 true") == true)
    try await load("Verse", in: session)
    _ = try await session.undo(2)
    #expect(try await scenes(session) == all)
    try await session.ask(.scene(.delete("Low")))
    #expect(try await scenes(session) == [all[0]])
    #expect(try await session.undo() == ["scene 'Low': deleted"])
    #expect(try await scenes(session) == all)
    #expect(await session.end() == nil)
  }

  /// Scenes are saved in the session's file, and follow it.
  @Test func scenesAreSavedAndFollowed() async throws {
    let session = try await run(followsFile: true)
    try await save("Low", "first/cutoff", in: session)
    let file = directory.file("session.toml")
    let text = try await saved(session, as: file)
    let scene = "parameters = { first.cutoff = 900 }\n"
    #expect(text.contains("[[scene]]\nname = \"Low\"\n" + scene))
    func write(_ parameters: String, until line: String) async throws {
      try Data(text.replacing(scene, with: "parameters = { \(parameters) }\n").utf8)
        .write(to: file)
      // The file's changes are noticed in machine time.
      for _ in 0..<2_000 where !session.log.text.contains(line) {
        try await Task.sleep(for: .milliseconds(1))
        await session.step(2_400)
      }
      #expect(session.log.text.contains(line))
    }
    try await write("first.cutof = 900", until: "unknown parameter 'cutof'")
    try await write("first.cutoff = 400", until: "changed: the scenes")
    try await load("Low", in: session)
    #expect(try await session.value("first/cutoff") == 400)
    #expect(await session.end() == nil)
  }
}
