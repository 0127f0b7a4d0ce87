// Commands to a session while its schedule changes.

import Foundation
import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct ExchangeTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ more: String = "", period: Int = 64) async throws -> SteppedSession {
    let file = try directory.write(
      """
      [[unit]]
      id = "lowpass"
      component = "filter"
      [[unit]]
      id = "second"
      component = "filter"

      """ + more, to: "session.toml")
    return try await SteppedSession(file, period: period)
  }

  private static let connection = SessionCommand.connect(from: "lowpass:1", to: "second:1")

  @Test func aChangeOnAFrameHoldsUpNoOtherClient() async throws {
    let session = try await run()
    let frame = session.frame + 6_000
    let connecting = await session.begin(.together([Self.connection], frame: frame))
    for place in 0..<3 {
      let value = Double(1_000 + place)
      try await session.askAtOnce(.set(path: "lowpass/cutoff", value: .number(value)))
      try await session.askAtOnce(.bypass(unit: "second", isOn: true))
      try await session.askAtOnce(.undo(steps: 1))
      try await session.askAtOnce(.list(path: nil))
      try await session.askAtOnce(.save(file: nil))
      guard case .parameter(let cutoff) = try await session.askAtOnce(.get(path: "lowpass/cutoff"))
      else { return }
      #expect(cutoff.value == Float(value))
      // Before the change begins, shortly before its frame, and during its fades.
      #expect(!connecting.isThere)
      await session.step(place == 0 ? 5_952 : 64)
    }
    #expect(try await session.wait(for: connecting) == .frame(frame))
    #expect(session.frame <= frame + 512)
    guard case .status(let status) = try await session.askAtOnce(.status) else { return }
    #expect(status.isDirty)
    try await session.askAtOnce(.save(file: directory.file("saved.toml").path))
    let saved = try String(contentsOf: directory.file("saved.toml"), encoding: .utf8)
    #expect(saved.contains("[[connect]]"), "\(saved)")
    #expect(await session.end() == nil)
  }

  @Test func changesDuringAnExchangeAreUndoneAfterIt() async throws {
    let session = try await run()
    let connecting = await session.begin(
      .together([Self.connection], frame: session.frame + 6_000))
    try await session.askAtOnce(.set(path: "lowpass/cutoff", value: .number(500)))
    try await session.wait(for: connecting)
    for text in ["lowpass:1 connected to second:1", "lowpass/cutoff from 20000 to 500"] {
      guard case .changes(let changes) = try await session.ask(.undo(steps: 1)) else { return }
      #expect(changes.map(\.text) == [text])
    }
    #expect(await session.end() == nil)
  }

  @Test func aChangeThatComesWhileATailEndsWaitsForThat() async throws {
    let session = try await run()
    // The session releases units that have rung out 20 times a second, which takes some cycles.
    for round in 0..<40 {
      try await session.ask(
        .add(
          unit: "echo\(round)", component: "delay",
          settings: ["parameters.delay=0.01", "parameters.feedback=0"]))
      try await session.ask(.remove(unit: "echo\(round)", ringsOut: true))
      await session.step(64 * round)
      for command in [Self.connection, .disconnect(from: "lowpass:1", to: "second:1")] {
        guard case .frame = try await session.ask(command) else {
          throw SessionCommandError("none")
        }
      }
    }
    #expect(await session.end() == nil)
  }

  @Test func aPanicReachesAUnitThatIsJustComing() async throws {
    try SoundFontMaker(presets: [.init(name: "One", zones: [.init(sample: .constant())])]).write(
      to: directory.file("a.sf2"))
    let font = directory.file("a.sf2").path
    let session = try await run()
    // The font is read meanwhile, in machine time. If that takes too long, the unit is added later.
    for number in 0..<50 {
      let (piano, frame) = ("piano\(number)", session.frame + 6_400)
      let adding = await session.begin(
        .together(
          [.add(unit: piano, component: "sampler", settings: ["soundfont=\(font)"])], frame: frame))
      for _ in 0..<100 {
        await session.step(32)
        try await Task.sleep(for: .milliseconds(2))
      }
      session.send(
        [TimedMIDI(frame: Int(frame) + 3, bytes: [0x90, 60, 100])], to: "\(piano)_midi_in")
      await session.step(3_264)
      let isComing = !adding.isThere
      try await session.askAtOnce(.panic)
      guard try await session.wait(for: adding) == .frame(frame) else { continue }
      #expect(isComing)
      await session.step(48_000)
      let heard = session.audio("\(piano)_out_1")
      #expect(heard[Int(frame)...].prefix(64).contains { $0 != 0 })
      #expect(heard.suffix(24_000).allSatisfy { $0 == 0 })
      #expect(await session.end() == nil)
      return
    }
    Issue.record("no unit came on its frame")
  }

  @Test func theEndOfTheSessionFinishesIt() async throws {
    let session = try await run()
    let connecting = await session.begin(
      .together([Self.connection], frame: session.frame + 6_000))
    #expect(await session.end() == nil)
    #expect(await eventually { connecting.isThere })
  }
}
