// Scenes and presets of a running session, loaded by program changes.

import Foundation
import OfflineHost
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct ProgramChangeSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Writes a session of two filters, and a scene in which one feeds the other.
  private func file() throws -> URL {
    try directory.write(
      """
      [[unit]]
      id = "lowpass"
      component = "filter"
      parameters = { cutoff = 900 }
      [[unit]]
      id = "second"
      component = "filter"
      [[scene]]
      name = "Verse"
      parameters = { lowpass.cutoff = 400, second.resonance = 5 }
      bypass = { second = true }
      connections = [{ from = "lowpass", to = "second" }]
      [[map]]
      scene = "Verse"
      program = 3
      [[map]]
      preset = "lowpass/Bright"
      program = 4
      [[map]]
      preset = "lowpass/Warm"
      program = 5
      channel = 2
      """, to: "session.toml")
  }

  private func run() async throws -> SteppedSession {
    let session = try await SteppedSession(file())
    await session.step(4_800)
    return session
  }

  /// Sends a message, and waits until the changes that it triggers are done.
  ///
  /// - Returns: the log's lines, with "N" for the message's frame.
  private func send(_ bytes: [UInt8], to session: SteppedSession) async throws -> String {
    _ = session.log.take()
    let frame = session.frame + 77
    session.send([TimedMIDI(frame: Int(frame), bytes: bytes)], to: "control_midi_in")
    await session.step(4_800)
    while try await !session.pending().isEmpty { await session.step(session.period) }
    return session.log.take().replacing("\(frame)", with: "N")
  }

  /// Returns the session as it would be saved.
  private func document(_ session: SteppedSession) async throws -> String {
    try await session.ask(.save(file: directory.file("saved.toml").path))
    return try String(contentsOf: directory.file("saved.toml"), encoding: .utf8)
  }

  /// Whatever a program change loads is one step, with its connections.
  @Test func aLoadIsUndoneAsAWhole() async throws {
    let session = try await run()
    try await session.ask(.set(path: "lowpass/cutoff", value: .number(5000)))
    let before = try await document(session)
    #expect(!before.contains("[[connect]]") && !before.contains("bypass = true"))
    #expect(
      try await send([0xC0, 3], to: session)
        == "notice: scene 'Verse' on frame N, by a controller; later than that: connections\n")
    let after = try await document(session)
    for line in ["[[connect]]", "bypass = true", "cutoff = 400", "resonance = 5"] {
      #expect(after.contains(line), "\(line): \(after)")
    }
    #expect(try await session.undo() == ["scene 'Verse'"])
    #expect(try await document(session) == before)
    #expect(try await session.redo() == ["scene 'Verse'"])
    #expect(try await document(session) == after)
    // Together with the step before it.
    #expect(try await session.undo(2).last == "lowpass/cutoff from 900 to 5000")
    #expect(try await session.value("lowpass/cutoff") == 900)
    _ = try await session.redo(2)
    #expect(try await document(session) == after)
    // A preset, too, whose values the render thread has set.
    #expect(
      try await send([0xC0, 4], to: session)
        == "notice: lowpass: preset 'Bright' on frame N, by a controller\n")
    #expect(try await session.value("lowpass/cutoff") == 14_000)
    #expect(try await session.undo() == ["lowpass: preset 'Bright'"])
    #expect(try await document(session) == after)
    #expect(await session.end() == nil)
  }

  @Test func aPresetIsInTheJournalOnTheFrameOfItsMessage() async throws {
    let session = try await run()
    var frames: [Int64] = []
    for bytes in [[0xC0, 4], [0xC1, 5]] as [[UInt8]] {
      frames.append(session.frame + 77)
      _ = try await send(bytes, to: session)
    }
    let changes = try await session.journal()
    #expect(changes.map(\.frame) == frames)
    #expect(changes.map(\.text) == ["lowpass: preset 'Bright'", "lowpass: preset 'Warm'"])
    #expect(changes.allSatisfy { $0.source == .controller && $0.path == "lowpass" })
    #expect(await session.end() == nil)
  }

  @Test func eachProgramChangeLoadsItsMapping() async throws {
    let session = try await run()
    _ = try await send([0xC0, 3], to: session)
    // The scene's connections exist already.
    try await session.ask(.set(path: "lowpass/cutoff", value: .number(5000)))
    #expect(
      try await send([0xC0, 3], to: session)
        == "notice: scene 'Verse' on frame N, by a controller\n")
    #expect(try await session.value("lowpass/cutoff") == 400)
    // Only on its channel.
    #expect(try await send([0xC0, 5], to: session) == "")
    #expect(
      try await send([0xC1, 5], to: session)
        == "notice: lowpass: preset 'Warm' on frame N, by a controller\n")
    #expect(try await session.units().first { $0.id == "lowpass" }?.preset == "Warm")
    // Unknown names are refused.
    #expect(
      await session.refusal(.map(path: "scene=Verze", settings: ["program=1"]))
        .contains("did you mean 'Verse'?"))
    #expect(
      await session.refusal(.map(path: "preset=lowpass/War", settings: ["program=1"]))
        .contains("Warm"))
    try await session.ask(.scene(.delete("Verse")))
    guard case .mappings(let left) = try await session.ask(.mappings) else { return }
    #expect(left.map(\.path) == ["preset=lowpass/Bright", "preset=lowpass/Warm"])
    #expect(await session.end() == nil)
  }

  /// A pending change of the unit's sound is done first.
  @Test(.timeLimit(.minutes(5))) func aPresetWaitsForALoadOfItsUnit() async throws {
    let plan = try await DocumentRig(file()).plan
    let host = try OfflineHost(plan, sampleRate: 48_000, period: 64)
    let log = LogRecorder()
    let session = JackSession(plan, on: host, SteppedTime(), RecentNotices(), log: log.logger)
    session.editor.executeAtOnce()
    let end = DispatchSemaphore(value: 0)
    session.late.begin("a load", .sound(of: "lowpass")) { end.wait() }
    _ = host.render(64, midi: ["control_midi_in": [.init(frame: 7, bytes: [0xC0, 4])]])
    session.executeSetOff()
    #expect(
      session.late.pending.map(\.text) == ["a load", "lowpass: preset 'Bright', by a controller"])
    let late = session.late
    #expect(!(await eventually(within: .milliseconds(50)) { late.count < 2 }))
    end.signal()
    #expect(await eventually { late.count == 0 })
    #expect(log.text == "notice: lowpass: preset 'Bright' on frame 7, by a controller\n")
    #expect(plan.units[0].unit.currentPreset?.name == "Bright")
  }

  /// Starts a session of a sampler with two entries and a filter, with a scene and mappings.
  private func runLiveSet() async throws -> SteppedSession {
    let file = try directory.write(
      directory.writeLiveSet() + """
        [[unit]]
        id = "lowpass"
        component = "filter"
        [[scene]]
        name = "Chorus"
        entries = { keys = "Loud" }
        [[map]]
        scene = "Chorus"
        program = 3
        [[map]]
        preset = "keys/Loud"
        program = 4
        """, to: "session.toml")
    let session = try await SteppedSession(file)
    await session.step(4_800)
    return session
  }

  /// An entry takes over after the program change. If it plays already, its values are set then.
  @Test func theValuesOfAnEntryAreLoadedWithIt() async throws {
    let session = try await runLiveSet()
    let told = "notice: scene 'Chorus' on frame N, by a controller; later than that: "
    #expect(try await send([0xC0, 3], to: session) == told + "entry 4 of keys\n")
    await session.step(4_800)
    #expect(try await session.value("keys/gain") == 6)
    try await session.ask(.set(path: "keys/gain", value: .number(1)))
    #expect(try await send([0xC0, 3], to: session) == told + "values of keys\n")
    #expect(try await session.value("keys/gain") == 6)
    #expect(try await session.undo() == ["scene 'Chorus'"])
    #expect(try await session.value("keys/gain") == 1)
    #expect(try await session.undo(2).last == "scene 'Chorus'")
    await session.step(4_800)
    #expect(try await session.value("keys/gain") == -12)
    #expect(await session.end() == nil)
  }

  /// The preset waits for another change of its unit, which is removed meanwhile.
  @Test func aPresetThatComesTooLateIsNoStep() async throws {
    let session = try await runLiveSet()
    let pipe = try directory.makePipe("slow.wav").path
    let other = await session.begin(
      .together([
        .add(unit: "tune", component: "player", settings: ["file=\(pipe)"]),
        .connect(from: "keys", to: "lowpass"),
      ]))
    session.send(
      [TimedMIDI(frame: Int(session.frame) + 77, bytes: [0xC0, 4])], to: "control_midi_in")
    await session.step(4_800)
    #expect(
      try await session.pending()
        == ["tune: added, keys connected to lowpass", "keys: preset 'Loud', by a controller"])
    try await session.ask(.remove(unit: "keys"))
    let feeder = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "echo no sound >'\(pipe)'"])
    await #expect(throws: SessionCommandError.self) { try await session.wait(for: other) }
    _ = try await feeder.wait()
    while try await !session.pending().isEmpty { await session.step(session.period) }
    #expect(
      session.log.take().contains(
        "error: keys: preset 'Loud', by a controller: unit 'keys' was removed or replaced "
          + "meanwhile; accepted: the same again"))
    #expect(try await session.undo() == ["keys: removed"])
    #expect(await session.refusal(.undo(steps: 1)) == "there is nothing to undo")
    #expect(await session.end() == nil)
  }
}
