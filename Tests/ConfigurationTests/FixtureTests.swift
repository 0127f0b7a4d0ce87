// Faulty configurations: each folder of Tests/Fixtures has one fault and its expected messages.

import Configuration
import Foundation
import SamplerUnit
import Testing

struct FixtureTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures", isDirectory: true)

  static let faults: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter {
      FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("\($0)/config.toml").path)
    }
  }()

  @Test func fixturesExist() {
    #expect(Self.faults.count > 50)
  }

  /// `expected.txt` has a line for each problem, in order: its line number and a part of its text.
  @Test(arguments: faults)
  func aFaultIsReportedWithLineAndRemedy(_ fault: String) throws {
    let file = Self.folder.appendingPathComponent("\(fault)/config.toml")
    let expected = try String(
      contentsOf: Self.folder.appendingPathComponent("\(fault)/expected.txt"), encoding: .utf8)
    let error = try #require(throws: ConfigurationError.self) {
      try SessionConfiguration(contentsOf: file, kinds: [SamplerUnit.component])
    }
    let lines = expected.split(separator: "\n")
    #expect(error.problems.count == lines.count, "\(error)")
    for (line, problem) in zip(lines, error.problems) {
      let parts = line.split(separator: ": ", maxSplits: 1)
      #expect("\(problem.location.line)" == parts[0], "\(problem)")
      #expect(problem.description.contains(parts[1]), "\(problem)")
      #expect(problem.location.file.hasSuffix("\(fault)/config.toml"))
      #expect(problem.location.column > 0)
    }
  }
}
