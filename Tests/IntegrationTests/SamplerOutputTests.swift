// The key `outputs`: its ports, and errors.

import BuiltInUnits
import Configuration
import Graph
import SamplerUnit
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite struct SamplerOutputTests {
  func plan(_ unit: String) async throws -> SessionPlan {
    let configuration = try SessionConfiguration(
      builtIn: "[[unit]]\nid = \"a\"\n" + unit, file: "test.toml")
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

  @Test func connectionsUseTheDefaultNamesOfBusses() async throws {
    let directory = try TemporaryDirectory()
    let font = try SoundFontMaker(presets: [
      .init(program: 0, name: "Sine", zones: [.init(sample: .sine())])
    ]).write(to: directory.file("sine.sf2"))
    let plan = try await plan(
      """
      component = "sampler"
      soundfont = "\(font.path)"
      outputs = "channels"
      [[unit]]
      id = "lowpass"
      component = "filter"
      [[connect]]
      from = "a:channel 2"
      to = "lowpass:Input"
      """)
    #expect(plan.graph.nodes[0].unit.outputBusses[1].name == "Ch 2: Sine")
    let compiled = try plan.graph.compile(CompileOptions(sampleRate: 48_000, maximumFrames: 64))
    // All but the second bus, and the filter.
    #expect(compiled.ports.audioOutputs.count == 34)
    #expect(compiled.ports.audioInputs.isEmpty)
  }

  /// With --verbose the command reports the current names of its outputs. The ports keep the names
  /// that sessions connect by.
  @Test func programChangesAreReportedAndPortsKeepTheirNames() async throws {
    let directory = try TemporaryDirectory()
    let font = try SoundFontMaker(presets: [
      .init(program: 0, name: "Sine", zones: [.init(sample: .sine())]),
      .init(program: 1, name: "Noise", zones: [.init(sample: .noise(seed: 1))]),
    ]).write(to: directory.file("test.sf2"))
    let server = try await JackServer.start(period: 256)
    let auricle = try await RunningAuricle(
      """
      [[unit]]
      id = "a"
      component = "sampler"
      soundfont = "\(font.path)"
      outputs = "channels"
      """, on: server, arguments: ["--verbose"])
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:a_midi_in")
    _ = try await auricle.child.waitForLine(
      containing: "a: output 16 is Ch 16: Sine", in: .standardError)
    player.script.midi = [TimedMIDI(frame: 10, bytes: [0xC4, 1])]
    _ = try await JackTestClient.run([player], frames: 1024)
    _ = try await auricle.child.waitForLine(
      containing: "a: output 5 is Ch 5: Noise", in: .standardError)
    let outputs = player.ports(matching: "auricle:a_out")
    #expect(outputs == (1...34).map { "auricle:a_out_\($0)" })
    try await auricle.expectEnd()
  }

  @Test func unknownLayoutsAreRefusedWithTheAcceptedOnes() async throws {
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
