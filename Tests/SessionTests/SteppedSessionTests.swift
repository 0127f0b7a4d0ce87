// Changes of a session on their frames, at any period.

import Foundation
import SessionTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct SteppedSessionTests {
  private static let periods = [16, 256, 2048]
  private let directory: TemporaryDirectory
  private let font: URL

  init() throws {
    directory = try TemporaryDirectory()
    font = directory.file("font.sf2")
    try SoundFontMaker.endless(releaseSeconds: 60).write(to: font)
  }

  /// Starts a session of samplers that sound for ever, with further configuration.
  private func run(
    _ ids: [String], _ others: String = "", period: Int
  ) async throws -> SteppedSession {
    let units = ids.map {
      """
      [[unit]]
      id = "\($0)"
      component = "sampler"
      soundfont = "\(font.path)"

      """
    }.joined()
    let session = try await SteppedSession(
      try directory.write(units + others, to: "session.toml"), period: period)
    for id in ids {
      session.send([TimedMIDI(frame: 0, bytes: [0x90, 60, 127])], to: "\(id)_midi_in")
    }
    await session.step(9_600)
    return session
  }

  /// Returns the first frame after `frame` with another sample than that on `frame`; nil if there
  /// is none.
  private func change(_ session: SteppedSession, _ port: String, from frame: Int64) -> Int64? {
    let audio = session.audio(port)
    return (Int(frame)..<audio.count).first { audio[$0] != audio[Int(frame)] }
      .map { Int64($0) }
  }

  private func gains(_ ids: [String], _ gain: Double) -> [SessionCommand] {
    ids.map { .set(path: "\($0)/gain", value: .number(gain)) }
  }

  @Test(arguments: periods)
  func valuesOfSeveralUnitsTakeEffectOnOneFrame(period: Int) async throws {
    let ids = ["a", "b", "c", "d"]
    let session = try await run(ids, period: period)
    let frame = session.frame + 30_037
    #expect(try await session.ask(.together(gains(ids, -40), frame: frame)) == .frame(frame))
    let start = session.frame
    await session.step(48_000)
    #expect(ids.map { change(session, "\($0)_out_1", from: start) } == ids.map { _ in frame })

    // One change, one undo step.
    for gain in [0.0, -20, -60] { try await session.ask(.together(gains(ids, gain), frame: nil)) }
    try await session.ask(.undo(steps: 1))
    await session.step(period)
    for id in ids { #expect(try await session.value("\(id)/gain") == -20) }
    try await session.ask(.redo(steps: 1))
    await session.step(period)
    for id in ids { #expect(try await session.value("\(id)/gain") == -60) }
    #expect(await session.end() == nil)
  }

  /// A redo repeats the ramp.
  @Test(arguments: periods)
  func aRampThatIsMadeAgainIsARamp(period: Int) async throws {
    let session = try await run(["keys"], period: period)
    try await session.ask(
      .set(path: "keys/gain", value: .number(-40), rampMilliseconds: 1_000))
    await session.step(60_000)
    try await session.ask(.undo(steps: 1))
    await session.step(4_800)
    #expect(try await session.value("keys/gain") == 0)
    try await session.ask(.redo(steps: 1))
    await session.step(24_000)
    let half = try #require(try await session.value("keys/gain"))
    #expect((-25 ... -15).contains(half), "\(half)")
    await session.step(36_000)
    #expect(try await session.value("keys/gain") == -40)
    #expect(await session.end() == nil)
  }

  @Test(arguments: periods)
  func aSceneTakesEffectOnOneFrame(period: Int) async throws {
    let ids = ["a", "b", "c"]
    let session = try await run(
      ids,
      """
      [[unit]]
      id = "low"
      component = "filter"
      parameters = { cutoff = 20 }
      [[connect]]
      from = "a"
      to = "low"
      [[scene]]
      name = "Quiet"
      bypass = { low = true }
      parameters = { a.gain = -40, b.gain = -40, c.gain = -40 }
      """, period: period)
    let start = session.frame
    guard case .frame(let frame) = try await session.ask(.scene(.load("Quiet"))) else { return }
    await session.step(9_600)
    #expect(["b", "c"].map { change(session, "\($0)_out_1", from: start) } == [frame, frame])
    try await session.ask(.undo(steps: 1))
    await session.step(2 * period)
    for id in ids { #expect(try await session.value("\(id)/gain") == 0) }
    #expect(await session.end() == nil)
  }

  /// A value and a new edge on one frame.
  @Test(arguments: periods)
  func aSceneTakesEffectOnTheFrameThatIsGiven(period: Int) async throws {
    let session = try await run(
      ["keys", "value"],
      """
      [[unit]]
      id = "edge"
      component = "mixer"
      [[unit]]
      id = "other"
      component = "mixer"
      [[connect]]
      from = "keys"
      to = "other"
      [[scene]]
      name = "Both"
      parameters = { value.gain = -40 }
      connections = [{ from = "keys", to = "other" }, { from = "keys", to = "edge" }]
      """, period: period)
    let start = session.frame
    let wanted = start + 48_037
    #expect(try await session.ask(.scene(.load("Both", frame: wanted))) == .frame(wanted))
    await session.step(9_600)
    #expect(change(session, "value_out_1", from: start) == wanted)
    #expect(session.audio("edge_out_1").firstIndex { $0 != 0 } == Int(wanted))
    let told = try await session.journal(since: wanted)
    #expect(told.allSatisfy { $0.frame == wanted } && !told.isEmpty)
    try await session.ask(.undo(steps: 1))
    await session.step(period)
    #expect(try await session.value("value/gain") == 0)
    #expect(
      await session.refusal(.scene(.load("Both", frame: 9_000_000_000)))
        .contains("60 seconds ahead"))
    #expect(await session.end() == nil)
  }

  /// Independent of how long the session has run.
  @Test func aChangeMayBeAMinuteAheadAndNoMore() async throws {
    let session = try await run(["a", "b"], period: 256)
    guard case .status(let status) = try await session.askAtOnce(.status) else { return }
    let now = try #require(status.frame)
    let last = now + 60 * 48_000
    let remove = [SessionCommand.remove(unit: "b")]
    #expect(
      await session.refusal(.together(remove, frame: last + 1))
        == "frame \(last + 1) is more than 60 seconds ahead; accepted: \(now + 1) to \(last)")
    #expect(
      await session.refusal(.together(remove, frame: now))
        == "frame \(now) has passed: the session is at \(now); accepted: \(now + 1) to \(last)")
    #expect(await session.end() == nil)
  }

  @Test(arguments: periods)
  func theReportedFrameIsTheOneOnWhichItSounds(period: Int) async throws {
    let session = try await run(["keys"], period: period)
    for gain in [-6.0, 0, -12, 0, -6] {
      let start = session.frame
      let answer = try await session.ask(
        .set(path: "keys/gain", value: .number(gain), reportsFrame: true))
      await session.step(4_800)
      guard case .frame(let frame) = answer else { throw Missing() }
      // The first frame of the ramp still has the former value.
      #expect(change(session, "keys_out_1", from: start) == frame + 1)
    }
    #expect(await session.end() == nil)
  }

  private struct Missing: Error {}
}

/// The first change may be posted before the session runs.
@Suite struct EarlyErrandTests {
  private let refused = Flag()

  private var task: SessionTask {
    let answer = OneAnswer<Void> { [refused] _ in refused.set() }
    return .program { _ in answer.give(.success(())) }
  }

  @Test func aTaskWaitsForTheSessionToRun() {
    let come = Flag()
    let editor = SessionEditor([])
    editor.door.post(task)
    #expect(!refused.isSet)
    let kept = Mutex<[SessionTask]>([])
    editor.door.open { task in
      come.set()
      kept.withLock { $0.append(task) }
    }
    #expect(come.isSet && !refused.isSet)
    // The waiting caller is notified once the task has been released.
    kept.withLock { $0 = [] }
    #expect(refused.isSet)
  }

  @Test func aTaskAfterTheEndIsRefused() {
    let editor = SessionEditor([])
    editor.door.open { _ in }
    editor.door.close()
    editor.door.post(task)
    #expect(refused.isSet)
  }
}
