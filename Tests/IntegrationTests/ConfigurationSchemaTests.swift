// The JSON schema of configurations, checked by another program: python3-jsonschema.

import Foundation
import TestSupport
import Testing

@Suite struct ConfigurationSchemaTests {
  private static let schema = Page.root.appendingPathComponent("schema/session.schema.json")

  /// Prints a line for each problem of each file.
  private func check(_ files: [URL]) async throws -> [String] {
    let program = """
      import json, sys, tomllib, jsonschema
      schema = json.load(open(sys.argv[1], 'rb'))
      jsonschema.Draft7Validator.check_schema(schema)
      for name in sys.argv[2:]:
          for error in jsonschema.Draft7Validator(schema).iter_errors(tomllib.load(open(name, 'rb'))):
              print(name, list(error.absolute_path), error.message)
      """
    let child = try ChildProcess(
      try #require(installedProgram("python3")),
      ["-c", program, Self.schema.path] + files.map(\.path))
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    return child.standardOutput.split(separator: "\n").map(String.init)
  }

  /// `make reference` renews it.
  @Test func theSchemaIsUpToDate() async throws {
    let copy = try TemporaryDirectory().file("copy.schema.json")
    let (status, child) = try await auricle(["reference", copy.path])
    #expect(status == .exited(0), "\(child.transcript)")
    #expect(try Data(contentsOf: copy) == Data(contentsOf: Self.schema))
  }

  @Test func theShippedConfigurationsAndThePagesFit() async throws {
    let directory = try TemporaryDirectory()
    var files = try FileManager.default.contentsOfDirectory(
      at: Page.root.appendingPathComponent("config"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "toml" }
    #expect(files.count > 20)
    for page in try Page.pages(in: "docs") {
      for block in page.text.matches(of: /(?s)```toml\n(.*?)```/)
      where block.1.contains("[[unit]]") {
        files.append(try directory.write(String(block.1), to: "page-\(files.count).toml"))
      }
    }
    #expect(files.count > 40)
    #expect(try await check(files) == [])
  }

  @Test(
    arguments: [
      "nonsense = 1", "[client]\nnam = \"x\"", "[[connect]]\nfrom = \"a\"",
      "[[unit]]\nid = \"b\"\ncomponent = \"filtr\"", "[[unit]]\nid = \"b\"",
      "[[unit]]\nid = \"b c\"\ncomponent = \"filter\"",
      "[[unit]]\nid = \"b\"\ncomponent = \"filter\"\nbypas = true",
      "[[unit]]\nid = \"b\"\ncomponent = \"filter\"\nparameters = { cutoff = 1e9 }",
      "[[unit]]\nid = \"b\"\ncomponent = \"sampler\"\nparameters = { chorus.type = \"Square\" }",
    ])
  func mistakesAreFound(text: String) async throws {
    let directory = try TemporaryDirectory()
    let right = "[[unit]]\nid = \"a\"\ncomponent = \"filter\"\n"
    let file = try directory.write(
      text.hasPrefix("nonsense") ? text + "\n" + right : right + text, to: "session.toml")
    #expect(try await check([file]).count >= 1)
    let fine = try directory.write(right, to: "fine.toml")
    #expect(try await check([fine]) == [])
  }
}
