// Names that an engine refuses before it connects to a server.

import AudioEngine
import Effects
import Session
import Testing

@Suite struct EngineNameTests {
  private func refusal(of engine: Engine) async -> String {
    do {
      try await engine.start()
      await engine.stop()
      return "none"
    } catch { return "\(error)" }
  }

  private static let options = JackSession.Options(server: "there-is-no-such-server")

  @Test(arguments: ["a:b", "a/b", "", String(repeating: "n", count: 80)])
  func anEngineDoesNotStartWithANameThatNoClientCanHave(name: String) async throws {
    let reason = await refusal(of: try Engine(name: name, .jack(Self.options)))
    #expect(reason.hasPrefix("the argument 'name': "), "\(reason)")
    #expect(reason.contains("cannot name a JACK client"), "\(reason)")
    #expect(reason.contains("it has 80 bytes") == (name.count == 80), "\(reason)")
    var options = Self.options
    options.clientName = name
    let other = await refusal(of: try Engine(name: "fine", .jack(options)))
    #expect(other.hasPrefix("the argument 'clientName': "), "\(other)")
  }

  @Test func anEngineWithANameAsksForItsServer() async throws {
    let reason = await refusal(
      of: try Engine(name: String(repeating: "n", count: 63), .jack(Self.options)))
    #expect(reason.hasPrefix("no JACK server 'there-is-no-such-server' runs"), "\(reason)")
  }

  @Test(arguments: ["control", "physical", "output", "a b", String(repeating: "n", count: 65)])
  func aUnitIsNotAttachedByANameThatNoneCanHave(id: String) throws {
    let engine = try Engine(.offline(sampleRate: 48_000))
    #expect { try engine.attach(try DelayUnit(), id: id) } throws: {
      guard case EngineError.badName = $0 else { return false }
      return "\($0)".contains("1 to 64 letters, digits, '-' and '_'")
    }
  }

  /// A program has no configuration file, so an error names no line of one.
  @Test func anErrorNamesNoLineOfAFile() async throws {
    let engine = try Engine(.offline(sampleRate: 48_000))
    let speed = try VarispeedUnit()
    try engine.attach(speed)
    try await engine.connect(speed, to: engine.outputNode)
    try await engine.start()
    do {
      try await engine.connect(engine.inputNode, to: speed)
      Issue.record("live input feeds a time effect")
    } catch {
      #expect(!"\(error)".contains("the program"), "\(error)")
      #expect("\(error)".contains("varispeed"), "\(error)")
    }
  }
}
