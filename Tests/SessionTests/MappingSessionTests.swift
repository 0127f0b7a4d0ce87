// Mappings of a running session, added, changed and removed.

import Foundation
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite struct MappingSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run() async throws -> SteppedSession {
    let file = try directory.write(
      """
      [[unit]]
      id = "lowpass"
      component = "filter"
      parameters = { cutoff = 900 }
      """, to: "session.toml")
    return try await SteppedSession(file, followsFile: true)
  }

  /// Sends a control's message.
  ///
  /// - Returns: the parameter's value after it.
  private func move(
    _ bytes: [UInt8], _ path: String, in session: SteppedSession
  ) async throws -> Float? {
    session.send([TimedMIDI(frame: Int(session.frame) + 5, bytes: bytes)], to: "control_midi_in")
    await session.step(4_800)
    return try await session.value(path)
  }

  private func mappings(_ session: SteppedSession) async throws -> [String] {
    guard case .mappings(let mappings) = try await session.ask(.mappings) else { return [] }
    return mappings.map { "\($0.path)  \($0.settings.joined(separator: " "))" }
  }

  private static let cutoff = SessionCommand.map(
    path: "lowpass/cutoff", settings: ["controller=74", "range=[200, 8000]"])

  @Test func wrongMappingsAreRefused() async throws {
    let session = try await run()
    for (path, settings, message) in [
      ("lowpass/cutof", ["controller=74"], "did you mean 'lowpass/cutoff'?"),
      ("lowpass/cutoff", ["controler=74"], "[[map]] says no controller"),
      ("lowpass/cutoff", ["range"], "KEY=VALUE"),
    ] {
      let refusal = await session.refusal(.map(path: path, settings: settings))
      #expect(refusal.contains(message), "\(refusal)")
    }
    #expect(await session.refusal(.unmap(path: "lowpass/cutoff")).contains("nothing moves"))
    #expect(
      await session.refusal(.connect(from: "physical:midi", to: "control"))
        .contains("there is no [[map]]"))
    try await session.ask(Self.cutoff)
    #expect(await session.refusal(Self.cutoff).contains("mapped so already"))
    #expect(await session.end() == nil)
  }

  @Test func theyAreTakenBackAndGoWithTheirUnit() async throws {
    let session = try await run()
    #expect(try await mappings(session) == [])
    try await session.ask(Self.cutoff)
    #expect(try await mappings(session) == ["lowpass/cutoff  controller=74 range=[200, 8000]"])
    #expect(try await move([0xB0, 74, 127], "lowpass/cutoff", in: session) == 8000)
    try await session.ask(.map(path: "lowpass/resonance", settings: ["note=C4", "mode=toggle"]))
    #expect(try await move([0x90, 60, 1], "lowpass/resonance", in: session) == 20)
    #expect(try await session.undo() == ["lowpass/resonance note=C4 mode=toggle: mapped"])
    #expect(try await move([0x90, 60, 1], "lowpass/resonance", in: session) == 20)
    #expect(try await move([0xB0, 74, 0], "lowpass/cutoff", in: session) == 200)
    _ = try await session.redo()

    try await session.ask(.add(unit: "second", component: "filter"))
    try await session.ask(.map(path: "second/cutoff", settings: ["bend=true", "channel=2"]))
    #expect(try await move([0xE1, 127, 127], "second/cutoff", in: session) == 20_000)
    #expect(
      await session.refusal(.replace(unit: "second", component: "midi", settings: []))
        .contains("unknown parameter 'second/cutoff' in [[map]]"))
    try await session.ask(.remove(unit: "second"))
    #expect(try await mappings(session).count == 2)
    _ = try await session.undo()
    #expect(try await mappings(session).last == "second/cutoff  bend=true channel=2")
    #expect(try await move([0xE1, 0, 0], "second/cutoff", in: session) == 12)
    // The mapping also moves a unit that replaces its unit.
    try await session.ask(
      .replace(unit: "second", component: "filter", settings: ["parameters.cutoff=400"]))
    #expect(try await move([0xE1, 127, 127], "second/cutoff", in: session) == 20_000)
    _ = try await session.undo()
    #expect(try await move([0xE1, 0, 0], "second/cutoff", in: session) == 12)
    #expect(await session.end() == nil)
  }

  @Test func theyAreInTheFileAndFollowIt() async throws {
    let session = try await run()
    try await session.ask(Self.cutoff)
    let file = directory.file("mapped.toml")
    try await session.ask(.save(file: file.path))
    var text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("from = \"physical:midi\"\nto = \"control\""))
    /// Writes the file, and waits until the log contains a text.
    func write(_ text: String, told: String) async throws {
      try Data(text.utf8).write(to: file)
      for _ in 0..<1_000 where !session.log.text.contains(told) {
        await session.step(4_800)
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(session.log.text.contains(told), "\(session.log.text)")
    }
    text = text.replacing("range = [200, 8000]", with: "range = [8000, 200]")
    try await write(
      text + "\n[[map]]\nparameter = \"lowpass/x\"\nbend = true\n",
      told: "unknown parameter 'lowpass/x'")
    #expect(try await move([0xB0, 74, 127], "lowpass/cutoff", in: session) == 8000)
    try await write(text, told: "changed: the mappings")
    #expect(try await move([0xB0, 74, 127], "lowpass/cutoff", in: session) == 200)
    #expect(await session.end() == nil)
  }
}
