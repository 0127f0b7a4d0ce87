// `auricle new`: a configuration of one's own.

import BuiltInUnits
import Configuration
import Foundation
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite struct NewTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The folder of the user's configurations.
  private var own: URL { folder.file("config/auricle") }

  private func new(_ arguments: [String]) async throws -> (ChildProcess.ExitStatus, ChildProcess) {
    try await auricle(
      ["new"] + arguments,
      environment: ["XDG_CONFIG_HOME": folder.file("config").path])
  }

  private func put(_ text: String, as name: String) throws -> String {
    try folder.write(text, to: name).path
  }

  @Test func aCopyHasItsNameAndRuns() async throws {
    let shipped = ReadyConfigurations.folder.appendingPathComponent("filter.toml")
    let (status, child) = try await new(["my-filter", "--from", shipped.path])
    #expect(status == .exited(0), "\(child.transcript)")
    let file = own.appendingPathComponent("my-filter.toml")
    #expect(
      child.standardOutput == "\(file.path)\nedit it, then: auricle run my-filter\n")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("auricle run my-filter") && !text.contains("config/filter.toml"))
    let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(contentsOf: file)
    #expect(plan.document.configuration.clientName?.value == "my-filter")
    #expect(
      ConfigurationLocator(environment: ["XDG_CONFIG_HOME": folder.file("config").path]).names
        .contains("my-filter"))
  }

  @Test func portsInTheCommentsOfACopyHaveItsName() async throws {
    let source = try put(
      """
      # jack_connect keys:midi_out layers:bass_midi_in, my-layers:in, layers: two
      [client]
      name = "layers"    # layers:lead_midi_in
      [[unit]]
      # layers:bass_out_1
      id = "layers:x"
      """, as: "source.toml")
    #expect(try await new(["stage", "--from", source]).0 == .exited(0))
    #expect(
      try String(contentsOf: own.appendingPathComponent("stage.toml"), encoding: .utf8)
        == """
        # jack_connect keys:midi_out stage:bass_midi_in, my-layers:in, layers: two
        [client]
        name = "stage"
        [[unit]]
        # stage:bass_out_1
        id = "layers:x"
        """)
  }

  @Test func theListHasTheFirstLineOfEachConfiguration() async throws {
    _ = try put("# An organ of my own.\n#\n[client]\n", as: "config/auricle/organ.toml")
    _ = try put("[client]\n", as: "config/auricle/untitled.toml")
    let (status, child) = try await auricle(
      ["run", "--list"], environment: ["XDG_CONFIG_HOME": folder.file("config").path])
    #expect(status == .exited(0))
    let lines = child.standardOutput.split(separator: "\n").map {
      $0.split(separator: " ", maxSplits: 1).map { $0.drop { $0 == " " } }
    }
    #expect(lines.contains(["organ", "An organ of my own"]), "\(child.transcript)")
    #expect(lines.contains { $0[0] == "untitled" && $0[1].hasSuffix("auricle/untitled.toml") })
    #expect(lines.map { $0[0] } == lines.map { $0[0] }.sorted())
  }

  @Test func aConfigurationIsNeverReplaced() async throws {
    let source = try put("[client]\nname = \"a\"\n", as: "source.toml")
    #expect(try await new(["mine", "--from", source]).0 == .exited(0))
    let file = own.appendingPathComponent("mine.toml")
    try Data("edited".utf8).write(to: file)
    let (status, child) = try await new(["mine.toml", "--from", source])
    #expect(status == .exited(1))
    #expect(child.standardError.contains("exists already"), "\(child.transcript)")
    #expect(try String(contentsOf: file, encoding: .utf8) == "edited")
  }

  @Test(arguments: [
    (["a/b"], "NAME takes letters"), ([".a"], "NAME takes letters"), (["a\"b"], "NAME takes"),
    (["mine", "--from", "nothing-like-it"], "there is no such configuration"),
  ])
  func namesThatCannotBeAreRefused(arguments: [String], message: String) async throws {
    let (status, child) = try await new(arguments)
    #expect(status == .exited(2))
    #expect(child.standardError.contains(message), "\(child.transcript)")
    #expect(!FileManager.default.fileExists(atPath: own.path))
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() async throws {
    _ = try put("a file", as: "config")
    let (status, child) = try await new(["mine", "--from", put("", as: "source.toml")])
    #expect(status == .exited(1))
    #expect(child.standardError.contains("mine.toml cannot be written"), "\(child.transcript)")
  }
}
