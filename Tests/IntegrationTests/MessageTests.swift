// Messages: they offer accepted values in the words of configurations, and print no names that move
// a cursor.

import BuiltInUnits
import Configuration
import Foundation
import MediaFiles
import SessionModel
import SessionTestSupport
import TestSupport
import Testing
import Tools

@Suite struct MessageTests {
  /// The error of two units, a sampler `s` and another `u`, and their connections.
  private func problem(_ unit: String, _ rest: String = "") async throws -> String {
    let toml = """
      [[unit]]
      id = "s"
      component = "sampler"
      [[unit]]
      id = "u"
      \(unit)
      \(rest)
      """
    do {
      let configuration = try SessionConfiguration(builtIn: toml, file: "test.toml")
      _ = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
        .build(configuration, file: nil)
      return "none"
    } catch { return "\(error)" }
  }

  private func connection(_ from: String, _ to: String) -> String {
    "[[connect]]\nfrom = \"\(from)\"\nto = \"\(to)\"\n"
  }

  @Test func offeredBussesExist() async throws {
    let filter = "component = \"filter\""
    let effect = "component = \"midi\""
    for (unit, from, to, accepted) in [
      (filter, "s", "u:2", "has no input bus 2; accepted: 1"),
      (filter, "u:3", "physical:outputs", "has no output bus 3; accepted: 1"),
      (filter, "s", "u:sidechain", "accepted: Input, 1"),
      (effect, "s:2", "u", "has no output bus 2; accepted: 1"),
      (effect, "u:out", "s:midi", "unknown bus 'out' in unit 'u'; accepted: midi"),
      (effect, "physical:midi", "u:1", "has no input bus 1; accepted: midi"),
      (effect, "u", "physical:outputs", "the other end MIDI; accepted: 'physical:midi'"),
    ] {
      let problem = try await problem(unit, connection(from, to))
      #expect(problem.hasSuffix(accepted), "\(problem)")
    }
  }

  /// The configuration is checked as a whole, in any order of its connections. Input that a time
  /// effect cannot have is refused at the line of its connection.
  @Test func connectionsBeforeATimeEffectMayComeInAnyOrder() async throws {
    let mixer = "component = \"mixer\"\n[[unit]]\nid = \"speed\"\ncomponent = \"varispeed\"\n"
    let parts = [connection("s", "speed"), connection("s", "u"), connection("u", "speed")]
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
      #expect(try await problem(mixer, order.map { parts[$0] }.joined()) == "none")
    }
    let live = connection("physical:inputs", "u") + connection("speed", "physical:outputs")
    let refused = try await problem(mixer, parts.joined() + live)
    #expect(refused.hasPrefix("test.toml:20:1: the time effect 'speed'"), "\(refused)")
    #expect(refused.contains("'u' would get live input"))
  }

  @Test func keysThatAreOfferedCanBeSet() async throws {
    let stage = { (text: String) in "component = \"midi\"\nmidi = [ { stage = \(text) } ]" }
    // Detected values cannot be set, and numbered keys are offered as one.
    #expect(
      try await problem(stage("\"chord\", x = 1")).hasSuffix(
        "accepted: channels, play, inversion, spread, velocity, spelling, bypass"))
    #expect(
      try await problem(stage("\"channel\", x = 1")).hasSuffix(
        "accepted: channels, mode, merge, map, zones.1…8.channel, zones.1…8.keys, "
          + "zones.1…8.fadeLow, zones.1…8.fadeHigh, bypass"))
    let sampler = "component = \"sampler\"\nmidi = [ { stage = \"chord\" } ]\n"
    let unknown = try await problem(sampler + "parameters = { x = 1 }")
    #expect(unknown.contains("midi.chord.channels.1…16, midi.chord.play"), "\(unknown)")
    #expect(!unknown.contains("midi.chord.root"))
    // Refused in the entry that sets it: in the unit's parameters it is read-only as well.
    let entry = try await problem(
      sampler + "soundfont = \"TimGM6mb.sf2\"\n"
        + "entry = [ { number = 0, name = \"a\", parameters = { midi.chord.root = 1 } } ]")
    #expect(entry.contains("midi.chord.root is read-only"), "\(entry)")
    #expect(!entry.contains("[[unit]]"))
  }

  @Test func errorsShowNumbersAsWritten() async throws {
    for (parameters, expected) in [
      ("pan = 128", "pan = 128 is out of range; accepted: 0 to 127"),
      ("gain = 24.5", "gain = 24.5 is out of range; accepted: -60 to 24 dB"),
      ("reverb.on = 2", "reverb.on = 2 is out of range; accepted: true, false"),
      ("gain = \"\\u001b[2J\"", "gain = '\\u{1b}[2J' is no value of this parameter"),
    ] {
      let problem = try await problem("component = \"sampler\"\nparameters = { \(parameters) }")
      #expect(problem.contains(expected), "\(problem)")
    }
  }

  /// Never suggests that JACK could start one.
  @Test func aServerThatJACKCannotStartIsReportedAsSuch() async throws {
    let directory = try TemporaryDirectory()
    _ = try directory.write("/bin/false\n", to: ".jackdrc")
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let (status, child) = try await auricle(
      ["run", file.path, "--server", absentServer, "--start-server", "default"],
      environment: ["HOME": directory.url.path])
    #expect(status == .exited(1))
    #expect(child.standardError.contains("JACK could not start a server"), "\(child.transcript)")
    #expect(!child.standardError.contains("--start-server default"))
  }

  @Test func lengthsBeyondAllLimitsAreNotOffered() {
    for (seconds, expected) in [
      (25_000, "or what --maximum-length says (--maximum-length 25000)"),
      (1_000_001, "--maximum-length takes up to 1000000 seconds"),
    ] {
      let error = BounceError.tooLong(cause: "x", seconds: Double(seconds), maximum: 21_600)
      #expect("\(error)".contains(expected), "\(error)")
    }
    #expect(
      "\(BounceError.tooLong(cause: "x", seconds: 1_000_001, maximum: 1_000_000))"
        .hasSuffix("the most there is"))
  }

  @Test func namesOfFilesDoNothingToATerminal() async throws {
    let directory = try TemporaryDirectory()
    let name = "a\u{1B}[31m\nauricle: error: b\u{202E}"
    let configuration = try directory.write(Configurations.filter(), to: "session.toml")
    let input = directory.file("in.wav")
    let writer = try AudioFileWriter(url: input, sampleRate: 48000, channelCount: 1)
    try writer.write([[0.5]])
    try writer.finish()
    for arguments in [
      ["bounce", configuration.path, "--input", input.path, "--output", name + ".wav"],
      ["bounce", configuration.path, "--input", input.path, "--output", name],
      ["bounce", configuration.path, "--input", name, "--output", "out.wav"],
      ["bounce", configuration.path, "--midi", name, "--output", "out.wav"],
      ["bounce", name, "--midi", "x", "--output", "out.wav"],
      ["bounce", "./" + name, "--midi", "x", "--output", "out.wav"],
      ["run", name], ["soundfont", name], ["units", name],
    ] {
      let child = try ChildProcess(
        builtProduct("auricle"), arguments, workingDirectory: directory.url)
      _ = try await child.wait()
      let text = child.standardOutput + child.standardError
      #expect(!text.isEmpty)
      let isClean = !text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E }
      #expect(isClean, "\(arguments): \(child.transcript)")
      #expect(!text.contains("\nauricle: error: b"), "\(arguments): \(child.transcript)")
    }
  }
}
