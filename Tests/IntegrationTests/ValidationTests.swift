// `auricle validate`: every unit in a separate process, whatever happens to it.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct ValidationTests {
  private func probe(_ arguments: [String]) async throws -> (Int32, ChildProcess) {
    let child = try ChildProcess(
      builtProduct("ValidationProbe"), ["validate"] + arguments, expectsSanitizerReport: true)
    guard case .exited(let status) = try await child.wait() else { return (-1, child) }
    return (status, child)
  }

  private struct Report: Decodable {
    struct Check: Decodable {
      struct Finding: Decodable { let message: String }
      let check: String
      let status: String
      let findings: [Finding]
      let reason: String?
    }

    let unit: String
    let status: String
    let checks: [Check]
  }

  private func reports(_ child: ChildProcess) throws -> [Report] {
    try child.standardOutput.split(separator: "\n").map {
      try JSONDecoder().decode(Report.self, from: Data($0.utf8))
    }
  }

  @Test func aCrashAndAHangAreReportedAndTheOthersAreChecked() async throws {
    let (status, child) = try await probe([
      "trap-fault", "hang-fault", "none-fault", "--check", "cycles", "--check", "reset",
      "--time-limit", "8", "--json",
    ])
    #expect(status == 1, "\(child.transcript)")
    let reports = try reports(child)
    #expect(reports.map(\.unit) == ["trap-fault", "hang-fault", "none-fault"])
    #expect(reports.map(\.status) == ["failed", "failed", "passed"])
    let crash = try #require(reports[0].checks.first)
    let message = try #require(crash.findings.first?.message)
    #expect(message.hasPrefix("crashed with signal SIG"))
    #expect(message.hasSuffix("while: rendering cycles of 1 frame"))
    // It continues after the check in which it crashed.
    #expect(reports[0].checks.map(\.status) == ["failed", "passed"])
    #expect(
      reports[1].checks[0].findings.map(\.message) == [
        "was not done after 8 seconds, while: rendering cycles of 1 frame"
      ])
    #expect(reports[1].checks[1].reason == "the time was over")
    #expect(child.standardError.contains("2 of 3 units failed: trap-fault, hang-fault"))
  }

  @Test func leaksOfUnitsAreFound() async throws {
    let (status, child) = try await probe([
      "leak-fault", "descriptor-fault", "none-fault", "--check", "memory", "--json",
    ])
    #expect(status == 1, "\(child.transcript)")
    let reports = try reports(child)
    let messages = reports.map { $0.checks[0].findings.map(\.message).joined() }
    #expect(messages[0].contains("bytes of memory are left behind by each unit"))
    #expect(messages[1].contains("units leave 20 open files behind"))
    #expect(messages[2] == "" && reports[2].status == "passed")
  }

  /// Runs in separate processes, where nothing else allocates.
  @Test func noUnitThatComesWithAuricleLeavesAnythingBehind() async throws {
    let (status, child) = try await auricle(["validate", "all", "--check", "memory"])
    #expect(status == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput.contains("units: "))
  }

  @Test func warningsFailWhereTheyAreToCountAsFailures() async throws {
    let (mild, _) = try await probe(["click-fault", "--check", "bypass"])
    #expect(mild == 0)
    let (strict, child) = try await probe(["click-fault", "--check", "bypass", "--strict"])
    #expect(strict == 1)
    #expect(child.standardOutput.contains("warning: frame "))
    #expect(child.standardOutput.contains("with a click"))
  }

  @Test func aUnitOfWhichNothingIsCheckedIsNoSuccess() async throws {
    let (alone, child) = try await auricle(["validate", "recorder", "--check", "presets"])
    #expect(alone == .exited(1), "\(child.transcript)")
    #expect(child.standardOutput.contains("recorder: not checked: 0 passed, 1 not checked"))
    #expect(child.standardError.contains("nothing was checked: recorder"))

    let (both, second) = try await auricle(["validate", "filter", "recorder", "--check", "presets"])
    #expect(both == .exited(0), "\(second.transcript)")
    #expect(second.standardOutput.contains("2 units: 1 kept, 0 failed, 1 not checked"))
  }

  @Test(arguments: [[], ["--key", "encoding = \"24\""], ["--in-process"]])
  func aRecorderIsCheckedWithTakesInAFolderThatIsRemoved(options: [String]) async throws {
    let folder = try TemporaryDirectory()
    let (status, child) = try await auricle(
      ["validate", "recorder", "--check", "life", "--check", "period"] + options,
      environment: ["TMPDIR": folder.url.path])
    #expect(status == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput.contains("recorder: kept: 2 passed"), "\(child.transcript)")
    #expect(try names(in: folder) == [])
  }

  @Test func anEndedValidationRemovesItsTakes() async throws {
    let folder = try TemporaryDirectory()
    let child = try ChildProcess(
      builtProduct("auricle"), ["validate", "recorder"], environment: ["TMPDIR": folder.url.path])
    #expect(await eventually { (try? names(in: folder))?.isEmpty == false })
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(1), "\(child.transcript)")
    #expect(try names(in: folder) == [])
  }

  @Test func takesInAFileOfTheUsersAreKept() async throws {
    let folder = try TemporaryDirectory()
    let (status, child) = try await auricle(
      [
        "validate", "recorder", "--check", "events", "--key",
        "file = \"\(folder.file("take.wav").path)\"",
      ], environment: ["TMPDIR": "/none"])
    #expect(status == .exited(0), "\(child.transcript)")
    #expect(try names(in: folder).contains("take.wav"))
  }

  private func names(in folder: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }

  @Test func aUnitThatPassesIsReportedInLines() async throws {
    let (status, child) = try await auricle(["validate", "filter", "--strict"])
    #expect(status == .exited(0), "\(child.transcript)")
    let lines = child.standardOutput.split(separator: "\n")
    #expect(lines.first?.hasPrefix("filter  aufx/lpas/Aurc") == true)
    #expect(lines.count == 20)
    #expect(lines.last?.hasPrefix("filter: kept: 1") == true, "\(lines)")
  }

  @Test(arguments: [
    ["nonsense"], ["filter", "--check", "nonsense"], ["filter", "--time-limit", "0"],
    ["sampler", "--soundfont", "/none.sf2"],
  ])
  func badUsageIsStatus2(arguments: [String]) async throws {
    let (status, child) = try await auricle(["validate"] + arguments)
    #expect(status == .exited(2))
    #expect(!child.standardError.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGKILL])
  func theUnitsProcessEndsWithTheCommand(signal: Int32) async throws {
    let command = try ChildProcess(
      builtProduct("ValidationProbe"), ["validate", "hang-fault", "--check", "cycles"])
    let parent = command.processIdentifier
    #expect(await eventually { !children(of: parent, running: "ValidationProbe").isEmpty })
    let unit = try #require(children(of: parent, running: "ValidationProbe").first)
    command.signal(signal)
    let status = try await command.wait()
    #expect(signal == SIGKILL ? status == .signalled(SIGKILL) : status == .exited(1))
    #expect(await eventually { !isAlive(unit) })
  }
}
