// The key `outputs`: the ports it makes, and how a mistake is told.

import Configuration
import Graph
import SamplerUnit
import Session
import Testing

@Suite struct SamplerOutputTests {
  func plan(_ unit: String) async throws -> SessionPlan {
    let configuration = try SessionConfiguration(
      toml: "[[unit]]\nid = \"a\"\n" + unit, file: "test.toml")
    return try await SessionBuilder(registry: BuiltInComponents.makeRegistry())
      .build(configuration, file: nil)
  }

  func problem(_ unit: String) async throws -> String {
    do {
      _ = try await plan(unit)
      return ""
    } catch let error as ConfigurationError {
      return error.description
    }
  }

  @Test(arguments: [("", 2), ("stereo", 2), ("channels", 34), ("dry+effects", 6)])
  func everyBusBecomesTwoPorts(_ outputs: String, _ ports: Int) async throws {
    let key = outputs.isEmpty ? "" : "outputs = \"\(outputs)\""
    let plan = try await plan("component = \"sampler\"\n" + key)
    let compiled = try plan.graph.compile(CompileOptions(sampleRate: 48_000, maximumFrames: 64))
    #expect(compiled.ports.audioOutputs.map(\.name) == (1...ports).map { "a_out_\($0)" })
  }

  @Test func otherWordsAreToldWithWhatIsAccepted() async throws {
    let problem = try await problem("component = \"sampler\"\noutputs = \"chanels\"")
    #expect(
      problem.hasPrefix(
        "test.toml:4:11: unknown layout 'chanels' in 'outputs': did you mean 'channels'?"))
    #expect(problem.hasSuffix("Accepted: stereo, channels, dry+effects"))
    #expect(
      try await self.problem("component = \"filter\"\noutputs = \"stereo\"").hasPrefix(
        "test.toml:4:11: component 'filter' has no 'outputs'"))
  }
}
