// The journal of a running session.

import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct JournalSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let configuration = """
    [[unit]]
    id = "first"
    component = "filter"
    [[unit]]
    id = "second"
    component = "filter"
    [[scene]]
    name = "Verse"
    parameters = { first.cutoff = 300, second.cutoff = 300 }
    """

  private static func cutoff(
    of unit: String, _ value: Double, ramp: Double? = nil
  ) -> SessionCommand {
    .set(path: "\(unit)/cutoff", value: .number(value), rampMilliseconds: ramp)
  }

  @Test func eachChangeHasItsFrameAndItsAuthor() async throws {
    let session = try await SteppedSession(
      try directory.write(Self.configuration, to: "session.toml"))
    await session.step(4_800)
    #expect(try await session.journal().isEmpty)
    let commands: [SessionCommand] = [
      Self.cutoff(of: "first", 900), Self.cutoff(of: "first", 700, ramp: 20),
      .bypass(unit: "second", isOn: true), .connect(from: "first", to: "second"),
      .scene(.load("Verse")), .preset(unit: "first", .load("Warm")), .undo(steps: 1),
      .redo(steps: 1), .panic, .undo(steps: 4), Self.cutoff(of: "second", 500),
    ]
    var starts: [Int64] = []
    for command in commands {
      starts.append(session.frame)
      try await session.ask(command)
      await session.step(2 * session.period)
    }
    // A pending value is no change yet.
    try await session.ask(
      .set(path: "first/cutoff", value: .number(500), frame: session.frame + 480_000))
    let changes = try await session.journal()
    let expected: [(command: Int, source: ChangeSource, text: String)] = [
      (0, .ctl, "first/cutoff from 20000 to 900"), (1, .ctl, "first/cutoff from 900 to 700"),
      (2, .ctl, "second: bypass on"), (3, .ctl, "first connected to second"),
      (4, .ctl, "scene 'Verse'"), (5, .ctl, "first: preset 'Warm'"),
      (6, .undo, "first: preset 'Warm'"), (7, .redo, "first: preset 'Warm'"), (8, .ctl, "panic"),
      (9, .undo, "first: preset 'Warm'"), (9, .undo, "scene 'Verse'"),
      (9, .undo, "first connected to second"), (9, .undo, "second: bypass on"),
      (10, .ctl, "second/cutoff from 20000 to 500"),
    ]
    #expect(changes.map(\.text) == expected.map(\.text))
    #expect(changes.map(\.source) == expected.map(\.source))
    #expect(changes.allSatisfy { $0.server == 0 })
    let frames = changes.compactMap(\.frame)
    #expect(frames.count == changes.count && frames == frames.sorted(), "\(frames)")
    // Each frame lies between its command and the next one.
    for (frame, change) in zip(frames, expected) {
      let end = starts.indices.contains(change.command + 1) ? starts[change.command + 1] : .max
      #expect((starts[change.command]..<end).contains(frame), "\(change.text) on \(frame)")
    }
    #expect(try await session.journal(since: frames[3]).count == changes.count - 3)
    #expect(await session.end() == nil)
  }

  /// Values set together are one change, on the frame of the answer.
  @Test func valuesTogetherAreOnTheirFrame() async throws {
    let session = try await SteppedSession(
      try directory.write(Self.configuration, to: "session.toml"))
    await session.step(4_800)
    var answered: [Int64] = []
    for (ahead, value) in [(nil, 900.0), (30_037, 700)] as [(Int64?, Double)] {
      let wanted = ahead.map { session.frame + $0 }
      let answer = try await session.ask(
        .together(
          [Self.cutoff(of: "first", value), Self.cutoff(of: "second", value)], frame: wanted))
      guard case .frame(let frame) = answer else { return }
      if let wanted { #expect(frame == wanted) }
      answered.append(frame)
      await session.step(48_000)
    }
    #expect(try await session.journal().map(\.frame) == answered)
    #expect(await session.end() == nil)
  }
}
