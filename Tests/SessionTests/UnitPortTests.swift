// Ports of a session's units in its status.

import SessionTestSupport
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct UnitPortTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Returns the ports of a chain from keys to a filter, with further connections.
  private func ports(_ connections: [(from: String, to: String)]) async throws -> [String] {
    try SoundFontMaker(presets: [.init(name: "One", zones: [.init(sample: .constant())])]).write(
      to: directory.file("a.sf2"))
    let inside = [("keys", "piano"), ("piano", "lowpass")]
    let file = try directory.write(
      """
      [[unit]]
      id = "keys"
      component = "midi"
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "a.sf2"
      [[unit]]
      id = "lowpass"
      component = "filter"

      """
        + (inside + connections).map { Configurations.connection(from: $0, to: $1) }.joined(),
      to: "session.toml")
    let session = try await SteppedSession(file)
    guard case .status(let status) = try await session.ask(.status) else { return [] }
    #expect(await session.end() == nil)
    return (status.unitStatus ?? []).flatMap(\.ports).map {
      "\($0.name) \($0.isMIDI ? "MIDI" : "audio") \($0.isInput ? "in" : "out")"
    }
  }

  @Test func internalConnectionsAddNoPorts() async throws {
    #expect(
      try await ports([]) == [
        "keys_midi_in MIDI in", "lowpass_out_1 audio out", "lowpass_out_2 audio out",
      ])
  }

  /// Ports of connections to other clients, in addition to those inside the session.
  @Test(arguments: [
    ("keys", "other:in", ["keys_midi_out MIDI out"]),
    ("other:out", "piano", ["piano_midi_in MIDI in"]),
    ("piano", "other:in", ["piano_out_1 audio out", "piano_out_2 audio out"]),
    ("other:out", "lowpass", ["lowpass_in_1 audio in", "lowpass_in_2 audio in"]),
  ])
  func externalConnectionsAddTheirPorts(
    from: String, to: String, expected: [String]
  ) async throws {
    let all = try await ports([(from, to)])
    #expect(try await Set(all).subtracting(ports([])) == Set(expected))
    #expect(all.count == 3 + expected.count)
  }
}
