// Graph, state and load for those who watch them.

import SessionTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct WatchTopicTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A tone before a filter, an arpeggio before a sampler, and a mapping.
  private func run(settings: [String] = []) async throws -> SteppedSession {
    try SoundFontMaker.endless().write(to: directory.file("a.sf2"))
    return try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "tone"
        component = "tone"
        [[unit]]
        id = "lowpass"
        component = "filter"
        [[unit]]
        id = "arp"
        component = "midi"
        [[unit]]
        id = "keys"
        component = "sampler"
        soundfont = "a.sf2"
        [[connect]]
        from = "tone"
        to = "lowpass"
        [[connect]]
        from = "arp"
        to = "keys:midi"
        [[connect]]
        from = "lowpass"
        to = "system:playback_*"
        [[connect]]
        from = "system:midi_*"
        to = "arp:midi"
        [[map]]
        controller = 74
        parameter = "lowpass/cutoff"
        [[scene]]
        name = "Verse"
        parameters = { lowpass = { cutoff = 500 } }
        """, to: "session.toml"), settings: settings)
  }

  private func graphs(_ notices: SteppedSession.Notices) -> [GraphReading] {
    notices.take().compactMap { if case .graph(let reading) = $0 { reading } else { nil } }
  }

  private func states(_ notices: SteppedSession.Notices) -> [SessionReading] {
    notices.take().compactMap { if case .session(let reading) = $0 { reading } else { nil } }
  }

  /// The ends of its connections are those that `disconnect` and `connect` take.
  @Test func theGraphIsSentAtFirstAndAfterEachChange() async throws {
    let session = try await run()
    let notices = await session.watch(topics: [.graph])
    await session.step(4_800)
    let graph = try #require(graphs(notices).first)
    #expect(graph.units.map(\.id) == ["tone", "lowpass", "arp", "keys", "control"])
    #expect(graph.units.map(\.component) == ["tone", "filter", "midi", "sampler", "control"])
    let filter = graph.units[1]
    #expect(filter.inputs.map(\.end) == ["lowpass:1"] && filter.outputs.map(\.channels) == [2])
    #expect(filter.ports.map(\.name) == ["lowpass_out_1", "lowpass_out_2"])
    #expect(graph.units.map(\.takesMIDI) == [true, false, true, true, true])
    #expect(graph.units[2].sendsMIDI && !graph.units[3].sendsMIDI)
    #expect(
      Set(graph.connections.map { "\($0.from) \($0.to) \($0.kind)" }) == [
        "tone:1 lowpass:1 audio", "arp:midi keys:midi midi", "lowpass:1 system:playback_* audio",
        "system:midi_* arp:midi midi", "control lowpass parameters",
      ])
    await session.step(48_000)
    #expect(graphs(notices).isEmpty)
    for connection in graph.connections where connection.kind != .parameters {
      try await session.ask(.disconnect(from: connection.from, to: connection.to))
      await session.step(4_800)
      let without = graphs(notices)
      #expect(without.last.map { !$0.connections.contains(connection) } == true)
      try await session.ask(.connect(from: connection.from, to: connection.to))
      await session.step(4_800)
      #expect(graphs(notices).last.map { $0.connections.contains(connection) } == true)
    }
    try await session.ask(.remove(unit: "tone"))
    await session.step(4_800)
    #expect(graphs(notices).last?.units.map(\.id).first == "lowpass")
    notices.end()
    try await session.ask(.remove(unit: "keys"))
    await session.step(4_800)
    #expect(graphs(notices).isEmpty)
    #expect(await session.end() == nil)
  }

  @Test func theStateIsSentAtFirstAndAfterEachChange() async throws {
    let session = try await run()
    let notices = await session.watch(topics: [.session])
    await session.step(4_800)
    let first = try #require(states(notices).first)
    #expect(first.file?.hasSuffix("session.toml") == true && !first.isDirty && first.changes == 0)
    #expect(first.scenes == ["Verse"] && first.mappings.map(\.path) == ["lowpass/cutoff"])
    #expect(first.units.map(\.id) == ["tone", "lowpass", "arp", "keys"])
    await session.step(48_000)
    #expect(states(notices).isEmpty)
    try await session.ask(.bypass(unit: "lowpass", isOn: true))
    await session.step(4_800)
    let second = try #require(states(notices).last)
    #expect(second.isDirty && second.changes == 1 && second.units[1].isBypassed)
    // The journal from there on has no other change.
    guard case .journal(let journal) = try await session.ask(.journal(from: first.changes)) else {
      return
    }
    #expect(journal.changes.map(\.number) == [0] && journal.changes[0].path == "lowpass")
    try await session.ask(.scene(.save("Chorus")))
    await session.step(4_800)
    #expect(states(notices).last?.scenes.sorted() == ["Chorus", "Verse"])
    #expect(await session.end() == nil)
  }

  /// The topic and the status say that the session is not as its file.
  @Test func ownSettingsAreUnsaved() async throws {
    for settings in [[], ["tone/frequency=300"]] {
      let session = try await run(settings: settings)
      let notices = await session.watch(topics: [.session])
      await session.step(4_800)
      #expect(states(notices).first.map { $0.isDirty == !settings.isEmpty } == true)
      guard case .status(let status) = try await session.ask(.status) else { return }
      #expect(status.isDirty == !settings.isEmpty)
      #expect(await session.end() == nil)
    }
  }

  @Test func theLoadIsSentOnceASecond() async throws {
    let session = try await run()
    let notices = await session.watch(topics: [.load])
    await session.step(48_000 * 5)
    let loads = notices.take().compactMap {
      if case .load(let reading) = $0 { reading } else { nil }
    }
    #expect((5...6).contains(loads.count))
    #expect(loads.last?.units["lowpass"].map { $0.worstLoad >= $0.load && $0.load > 0 } == true)
    #expect(loads.last?.sampleRate == 48_000 && loads.last?.period == 256)
    #expect(await session.end() == nil)
  }

  /// A watch of all units has also those that come.
  @Test func allUnitsCanBeWatched() async throws {
    let session = try await run()
    let notices = await session.watch(["*"])
    func changed() -> Set<String> {
      Set(
        notices.take().compactMap {
          if case .change(let reading) = $0 { reading.path } else { nil }
        })
    }
    _ = changed()
    try await session.ask(.set(path: "lowpass/cutoff", value: .number(900)))
    #expect(changed() == ["lowpass/cutoff"])
    try await session.ask(.add(unit: "echo", component: "delay"))
    #expect(changed().contains("echo/mix"))
    try await session.ask(.set(path: "echo/mix", value: .number(10)))
    #expect(changed() == ["echo/mix"])
    guard case .parameters(let all) = try await session.ask(.watch(paths: ["*", "tone"])) else {
      return
    }
    #expect(
      Set(all.map { String($0.path.prefix { $0 != "/" }) }) == ["tone", "lowpass", "keys", "echo"])
    #expect(all.allSatisfy { $0.display != nil })
    #expect(await session.end() == nil)
  }

  @Test func parametersTellTheirDisplay() async throws {
    let session = try await run()
    guard
      case .parameter(let cutoff) = try await session.ask(.get(path: "lowpass/cutoff")),
      case .parameters(let all) = try await session.ask(.list(path: "lowpass"))
    else { return }
    let display = try #require(cutoff.display)
    #expect(display.name == "Cutoff" && display.isLogarithmic && !display.isWhole)
    #expect(display.standard >= cutoff.minimum && display.standard <= cutoff.maximum)
    #expect(all.contains(cutoff) && all.allSatisfy { $0.display != nil })
    #expect(await session.end() == nil)
  }
}
