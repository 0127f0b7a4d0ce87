// Controller gestures: they are in the journal, and are no undo steps.

import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct PlayedGestureTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run() async throws -> SteppedSession {
    let file = try directory.write(
      """
      [[unit]]
      id = "first"
      component = "filter"
      [[unit]]
      id = "second"
      component = "filter"
      [[map]]
      parameter = "first/resonance"
      controller = 20
      [[map]]
      parameter = "second/resonance"
      controller = 21
      """, to: "session.toml")
    return try await SteppedSession(file)
  }

  private static func move(_ controller: UInt8, to value: UInt8, at frame: Int64) -> TimedMIDI {
    TimedMIDI(frame: Int(frame), bytes: [0xB0, controller, value])
  }

  @Test func aGestureIsRecordedOnceWithItsFrames() async throws {
    let session = try await run()
    await session.step(4_800)
    let start = session.frame + 100
    session.send(
      (0..<20).map { Self.move(20, to: UInt8(100 + $0), at: start + Int64($0) * 4_001) },
      to: "control_midi_in")
    session.send([Self.move(21, to: 0, at: start + 5)], to: "control_midi_in")
    // The second one has been at rest for a second before the first one is.
    await session.step(4 * 48_000)
    let changes = try await session.journal()
    #expect(changes.map(\.path) == ["second/resonance", "first/resonance"])
    #expect(changes.map(\.source) == [.controller, .controller])
    #expect(changes.map(\.frame) == [start + 5, start])
    #expect(changes.map(\.lastFrame) == [start + 5, start + 19 * 4_001])
    #expect(
      changes.last?.text.wholeMatch(of: /first\/resonance from 0.* to .*/) != nil, "\(changes)")
    guard case .status(let status) = try await session.ask(.status) else { return }
    #expect(!status.isDirty)
    #expect(await session.refusal(.undo(steps: 1)).contains("there is nothing to undo"))
    #expect(await session.end() == nil)
  }

  @Test func aGestureBetweenTwoValuesSeparatesThem() async throws {
    let session = try await run()
    let path = "first/resonance"
    try await session.ask(.set(path: path, value: .number(1)))
    await session.step(4_800)
    let frame = session.frame + 10
    session.send([Self.move(20, to: 127, at: frame)], to: "control_midi_in")
    await session.step(4_800)
    let played = try #require(try await session.value(path))
    #expect(played > 1)
    try await session.ask(.set(path: path, value: .number(2)))
    await session.step(4_800)
    let changes = try await session.journal()
    #expect(changes.map(\.source) == [.ctl, .controller, .ctl])
    let frames = changes.compactMap(\.frame)
    #expect(frames.count == 3 && frames == frames.sorted() && frames[1] == frame)
    try await session.ask(.undo(steps: 1))
    await session.step(4_800)
    #expect(try await session.value(path) == played)
    try await session.ask(.undo(steps: 1))
    await session.step(4_800)
    #expect(try await session.value(path) == 0)
    #expect(await session.end() == nil)
  }

  /// A gesture is no undo step. It counts as unsaved, so that no crash loses it.
  @Test func aGestureIsKeptForACrash() async throws {
    let history = SessionHistory()
    #expect(!history.isUnsaved)
    history.notePlayed("first/resonance")
    #expect(history.isUnsaved && !history.isDirty)
    let point = history.point
    history.notePlayed("first/resonance")
    history.didSave(point)
    #expect(history.isUnsaved)
    history.didSave(history.point)
    #expect(!history.isUnsaved)
  }
}
