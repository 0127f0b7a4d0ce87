// Pending changes of a session, and commands of others meanwhile.

import Foundation
import MediaFiles
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct PendingSessionTests {
  private let directory: TemporaryDirectory
  private let pipe: String

  init() throws {
    directory = try TemporaryDirectory()
    pipe = try directory.makePipe("pipe.wav").path
  }

  private func run() async throws -> SteppedSession {
    let file = try directory.write(
      """
      [client]
      name = "patient"
      [[unit]]
      id = "lowpass"
      component = "filter"
      parameters = { cutoff = 900.0 }
      [[unit]]
      id = "second"
      component = "filter"
      [[connect]]
      from = "lowpass:1"
      to = "second:1"
      """, to: "session.toml")
    return try await SteppedSession(file, environment: ["XDG_DATA_HOME": directory.url.path])
  }

  /// Sends commands while a change is pending. All are answered, before a frame passes unless
  /// connections fade.
  private func changeOthers(_ session: SteppedSession) async throws {
    func undone(_ answer: SessionAnswer) -> [String] {
      guard case .changes(let changes) = answer else { return [] }
      return changes.map(\.text)
    }
    try await session.askAtOnce(.set(path: "lowpass/cutoff", value: .number(1234)))
    try await session.askAtOnce(.bypass(unit: "second", isOn: true))
    #expect(undone(try await session.askAtOnce(.undo(steps: 1))) == ["second: bypass on"])
    let value = undone(try await session.askAtOnce(.undo(steps: 1)))
    #expect(value.first?.hasPrefix("lowpass/cutoff from 900") == true, "\(value)")
    #expect(undone(try await session.askAtOnce(.redo(steps: 1))) == value)
    try await session.ask(.disconnect(from: "lowpass:1", to: "second:1"))
    try await session.ask(.add(unit: "third", component: "filter"))
    try await session.ask(.connect(from: "lowpass:1", to: "third:1"))
    try await session.ask(.scene(.save("one")))
    try await session.ask(.scene(.load("one")))
    try await session.askAtOnce(.preset(unit: "third", .load("Warm")))
    try await session.askAtOnce(.save(file: directory.file("saved.toml").path))
  }

  private var saved: String {
    (try? String(contentsOf: directory.file("saved.toml"), encoding: .utf8)) ?? ""
  }

  @Test func aFileThatHangsHoldsUpNoOtherChange() async throws {
    let session = try await run()
    let adding = await session.begin(
      .add(unit: "tune", component: "player", settings: ["file=\(pipe)"]))
    #expect(try await session.pending() == ["tune: added"])
    try await changeOthers(session)
    #expect(!adding.isThere)
    #expect(saved.contains("third") && !saved.contains("tune"))
    // The unit is added to the session's present state.
    let writer = try AudioFileWriter(
      url: directory.file("tone.wav"), sampleRate: 48_000, channelCount: 1)
    try writer.write([Signal.noise(frames: 1000, seed: 1, amplitude: 0.5)])
    try writer.finish()
    let feeder = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "cat '\(directory.file("tone.wav").path)' >'\(pipe)'"])
    try await session.wait(for: adding)
    #expect(try await feeder.wait() == .exited(0))
    guard case .units(let units) = try await session.ask(.list(path: nil)) else { return }
    #expect(units.map(\.id) == ["lowpass", "second", "third", "tune"])
    try await session.ask(.undo(steps: 1))
    guard case .units(let rest) = try await session.ask(.list(path: nil)) else { return }
    #expect(rest.map(\.id) == ["lowpass", "second", "third"])
    #expect(try await session.pending() == [])
    #expect(await session.end() == nil)
  }

  @Test func aConnectionOfALaterFrameHoldsUpNoOtherChange() async throws {
    let session = try await run()
    let frame = session.frame + 50 * 48_000
    let cutting = await session.begin(
      .together([.disconnect(from: "lowpass:1", to: "second:1")], frame: frame))
    #expect(
      try await session.pending() == ["lowpass:1 disconnected from second:1 on frame \(frame)"])
    try await changeOthers(session)
    #expect(!cutting.isThere)
    // The connection is gone by now. The change is refused shortly before its frame, not earlier.
    await session.step(Int(frame - session.frame) - 24_000)
    #expect(!cutting.isThere)
    await #expect(throws: SessionCommandError.self) { try await session.wait(for: cutting) }
    #expect(session.frame < frame)
    #expect(await session.end() == nil)
  }
}
