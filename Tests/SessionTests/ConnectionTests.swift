// Connections of a session: equal ones and wrong ones.

import TestSupport
import Testing

@testable import Session
@testable import SessionModel

@Suite struct ConnectionTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func units(_ units: (id: String, component: String)...) -> String {
    units.map { "[[unit]]\nid = \"\($0.id)\"\ncomponent = \"\($0.component)\"\n" }.joined()
  }

  /// A connection without an input is to the first one, not to another input with a name.
  @Test func aSideChainIsAnotherInput() async throws {
    let file = try folder.write(
      units(("voice", "filter"), ("press", "compressor")), to: "session.toml")
    let rig = DocumentRig.editable(try await DocumentRig(file).plan)
    try await rig.ask(now: .connect(from: "voice", to: "press:Side-chain"))
    await #expect {
      try await rig.ask(now: .disconnect(from: "voice", to: "press"))
    } throws: {
      "\($0)" == "'voice' is not connected to 'press'; accepted: voice press:Side-chain"
    }
    try await rig.ask(now: .connect(from: "voice", to: "press"))
    let connections = rig.control.store?.origin.configuration.connections ?? []
    #expect(connections.map { $0.to.value.text } == ["press:Side-chain", "press"])
  }

  /// The ends of a connection have several names.
  @Test func aConnectionIsRemovedByAnyNameOfItsEnds() async throws {
    let file = try folder.write(
      units(("keys", "midi"), ("voice", "tone"), ("press", "compressor")), to: "session.toml")
    let rig = DocumentRig.editable(try await DocumentRig(file).plan)
    func connections() -> [String] {
      (rig.control.store?.origin.configuration.connections ?? []).map {
        "\($0.from.value.text) \($0.to.value.text)"
      }
    }
    try await rig.ask(now: .connect(from: "voice", to: "press"))
    try await rig.ask(now: .connect(from: "voice:out", to: "press:Side-chain"))
    try await rig.ask(now: .connect(from: "keys", to: "voice:midi"))
    // No other connection is taken for it.
    for (from, to) in [("voice:midi", "press"), ("keys:1", "voice"), ("press", "voice")] {
      await #expect(throws: SessionCommandError.self) {
        try await rig.ask(now: .disconnect(from: from, to: to))
      }
    }
    #expect(connections() == ["voice press", "voice:out press:Side-chain", "keys voice:midi"])
    try await rig.ask(now: .disconnect(from: "voice", to: "press:2"))
    #expect(connections() == ["voice press", "keys voice:midi"])
    try await rig.ask(now: .disconnect(from: "voice:1", to: "press:in"))
    #expect(connections() == ["keys voice:midi"])
    try await rig.ask(now: .disconnect(from: "keys:midi", to: "voice"))
    #expect(connections() == [])
  }

  /// A mixer numbers its inputs. A connection without an input is to the existing one.
  @Test func anInputThatWasNumberedIsTheOneThatIsMeant() async throws {
    let file = try folder.write(units(("voice", "filter"), ("desk", "mixer")), to: "session.toml")
    let rig = DocumentRig.editable(try await DocumentRig(file).plan)
    try await rig.ask(now: .connect(from: "voice", to: "desk"))
    await #expect {
      try await rig.ask(now: .connect(from: "voice", to: "desk"))
    } throws: {
      "\($0)" == "'voice' is connected to 'desk' already"
    }
    try await rig.ask(now: .disconnect(from: "voice", to: "desk"))
    #expect(rig.control.store?.origin.configuration.connections == [])
  }

  /// The error names the last connection without which there would be no such problem.
  @Test(arguments: [
    (
      [("voice", "tape"), ("system:capture_1", "voice"), ("other", "voice"), ("tape", "second")],
      1, "'voice' would get live input"
    ),
    (
      [("system:capture_1", "voice"), ("other", "voice"), ("voice", "tape"), ("tape", "second")],
      2, "'voice' would get live input"
    ),
    (
      [("voice", "tape"), ("other", "voice"), ("other", "second"), ("tape", "last")],
      2, "'other' feeds it and 'second' as well"
    ),
  ])
  func theConnectionThatATimeEffectCannotHaveIsNamed(
    connections: [(String, String)], wrong: Int, reason: String
  ) async throws {
    let units = units(
      ("other", "filter"), ("voice", "filter"), ("tape", "varispeed"), ("second", "filter"),
      ("last", "filter"))
    let text =
      units + connections.map { Configurations.connection(from: $0, to: $1) }.joined()
    var refusal = "none"
    do { _ = try await DocumentRig(folder.write(text, to: "session.toml")) } catch {
      refusal = "\(error)"
    }
    // Each connection is three lines long.
    let line = units.count { $0 == "\n" } + 3 * wrong + 1
    #expect(refusal.contains("session.toml:\(line):1: the time effect 'tape'"), "\(refusal)")
    #expect(refusal.contains(reason), "\(refusal)")
  }

  /// The numbered inputs are audio inputs.
  @Test(arguments: ["keys:midi", "physical:midi"])
  func midiConnectionsToAMixerAreRefused(from: String) async throws {
    let file = try folder.write(
      units(("keys", "midi"), ("desk", "mixer"))
        + Configurations.connection(from: from, to: "desk"), to: "session.toml")
    await #expect {
      _ = try await DocumentRig(file)
    } throws: {
      "\($0)".hasSuffix("unit 'desk' does not take MIDI")
    }
  }
}
