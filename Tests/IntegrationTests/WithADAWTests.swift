// A session next to Ardour, which plays its instruments, records them and exports them.

import Foundation
import TestSupport
import Testing

@Suite struct WithADAWTests {
  /// Held so that no other test of this process runs a server meanwhile: two cores are few.
  private let slot: ServerSlot

  init() async throws { slot = try await ServerSlot.acquire() }

  /// The script compares each figure, and ends all its processes with itself.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["AURICLE_ARDOUR"] != nil,
      "Ardour is a large package and takes minutes: make ardour"))
  func theSoundReturnsOnTheFramesThatThePageStates() async throws {
    let script = Page.root.appendingPathComponent("scripts/with-ardour.sh")
    let child = try ChildProcess(script, [builtProduct("auricle").path, "256"])
    #expect(try await child.wait(within: .seconds(1_200)) == .exited(0), "\(child.transcript)")
    let lines = child.standardOutput.split(separator: "\n")
    #expect(lines.count == 15, "\(child.transcript)")
    // The table of the page has the figures of the script.
    let table = try #require(
      try Page("docs/WithADAW.md").tables.first { $0.title == "## Figures" })
    let column = try #require(table.rows.first?.firstIndex(of: "256"))
    for row in table.rows.dropFirst() {
      let line = try #require(lines.first { $0.contains(row[0]) }, "\(row[0])")
      let words = line.split(separator: " ").filter { $0 != "frames" && $0 != "late" }
      #expect(words.last.map(String.init) == row[column], "\(line)")
    }
  }

  /// Without Ardour, the script names the package.
  @Test func theScriptNamesAMissingPackage() async throws {
    let script = Page.root.appendingPathComponent("scripts/with-ardour.sh")
    let folder = try TemporaryDirectory()
    for name in ["dirname", "realpath"] {
      let program = try #require(installedProgram(name))
      try FileManager.default.createSymbolicLink(
        at: folder.file(name), withDestinationURL: program)
    }
    let child = try ChildProcess(
      try #require(installedProgram("bash")), [script.path], environment: ["PATH": folder.url.path])
    #expect(try await child.wait() == .exited(2))
    #expect(child.standardError.contains("ardour7-lua is missing"), "\(child.transcript)")
    #expect(child.standardError.contains("apt install"), "\(child.transcript)")
  }
}
