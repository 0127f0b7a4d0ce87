// Mappings learnt from the controls that are moved, in a running session.

import SessionTestSupport
import TestSupport
import Testing

@testable import SessionModel

@Suite struct LearnSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run() async throws -> SteppedSession {
    try await SteppedSession(
      try directory.write(
        "[[unit]]\nid = \"lowpass\"\ncomponent = \"filter\"\n", to: "session.toml"))
  }

  private static func learn(
    _ parameter: String, _ settings: [String] = [], _ options: SessionCommand.LearnOptions = .init()
  ) -> SessionCommand {
    .learn(path: "lowpass/\(parameter)", settings: settings, options)
  }

  /// Returns the mappings learnt while messages arrive.
  private func heard(
    _ command: SessionCommand, _ messages: [[UInt8]], in session: SteppedSession
  ) async throws -> [String] {
    let answer = await session.begin(command)
    while try await !session.pending().isEmpty { await session.step(session.period) }
    // Until the session listens.
    await session.step(4_800)
    session.send(
      messages.enumerated().map { TimedMIDI(frame: Int(session.frame) + $0 * 40, bytes: $1) },
      to: "control_midi_in")
    guard case .mappings(let made) = try await session.wait(for: answer) else { return [] }
    return made.map { "\($0.path)  \($0.settings.joined(separator: " "))" }
  }

  @Test func theControlThatIsMovedIsFound() async throws {
    let session = try await run()
    #expect(
      try await heard(
        Self.learn("cutoff", ["range=[200,8000]"]), [[0x91, 60, 1], [0xB1, 74, 5]], in: session)
        == ["lowpass/cutoff  controller=74 channel=2 range=[200, 8000]"])
    #expect(
      try await heard(
        Self.learn("resonance"), [[0xB0, 3, 5], [0xB0, 35, 6], [0xE0, 0, 1]], in: session)
        == ["lowpass/resonance  controller14=3 channel=1"])
    // In either order of the two halves.
    #expect(
      try await heard(Self.learn("cutoff"), [[0xB2, 37, 6], [0xB2, 5, 5]], in: session)
        == ["lowpass/cutoff  controller14=5 channel=3"])
    #expect(
      try await heard(
        Self.learn("resonance", ["channel=4"]),
        [[0xB0, 99, 1], [0xB0, 98, 2], [0xB0, 6, 3], [0xB0, 38, 4]], in: session)
        == ["lowpass/resonance  nrpn=130 channel=4"])
    #expect(
      try await heard(
        Self.learn("resonance", ["mode=toggle"], .init(takesNotes: true)), [[0x90, 60, 1]],
        in: session) == ["lowpass/resonance  note=C4 channel=1 mode=toggle"])
    guard case .mappings(let all) = try await session.ask(.mappings) else { return }
    #expect(all.count == 5)
    _ = try await session.undo(5)
    #expect(try await session.ask(.mappings) == .mappings([]))
    #expect(await session.end() == nil)
  }

  @Test func learningEndsWithItsClient() async throws {
    let session = try await run()
    let answer = await session.begin(Self.learn("cutoff"))
    while try await !session.pending().isEmpty { await session.step(session.period) }
    await session.step(4_800)
    answer.abandon()
    session.send(
      [TimedMIDI(frame: Int(session.frame) + 40, bytes: [0xB0, 74, 5])], to: "control_midi_in")
    await session.step(48_000)
    while try await !session.pending().isEmpty { await session.step(session.period) }
    #expect(answer.isThere)
    #expect(try await session.ask(.mappings) == .mappings([]))
    #expect(!session.isUnsaved)
    // Another one can begin at once.
    #expect(
      try await heard(Self.learn("cutoff"), [[0xB0, 74, 5]], in: session)
        == ["lowpass/cutoff  controller=74 channel=1"])
    #expect(await session.end() == nil)
  }

  @Test func whereNothingIsLearntAllIsAsItWas() async throws {
    let session = try await run()
    #expect(await session.refusal(Self.learn("cutof")).contains("did you mean 'lowpass/cutoff'?"))
    #expect(
      await session.refusal(Self.learn("cutoff", ["controller=1"])).contains("which control"))
    let start = session.frame
    #expect(
      await session.refusal(Self.learn("cutoff", [], .init(timeoutSeconds: 1)))
        .contains("no control was moved in time"))
    #expect((48_000...62_400).contains(session.frame - start), "\(session.frame - start)")
    #expect(try await session.ask(.mappings) == .mappings([]))
    #expect(!session.isUnsaved)
    #expect(await session.end() == nil)
  }
}
