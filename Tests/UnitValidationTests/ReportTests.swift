// A report's results, with errors and warnings of its checks.

import Testing
import UnitValidation

@Suite struct ReportTests {
  private func report(_ results: [CheckResult], isStrict: Bool = false) -> UnitReport {
    UnitReport(
      unit: "x", codes: "aufx/x/y", name: "X", checks: results, seconds: 1, isStrict: isStrict)
  }

  private let warned = CheckResult(.tail, findings: [Finding(.warning, "its tail is infinite")])
  private let failed = CheckResult(.life, findings: [Finding(.failure, "it is dead")])
  private let passed = CheckResult(.state, findings: [])
  private let unchecked = CheckResult(.midi, notChecked: "it takes no MIDI")

  @Test func theWorstCheckCounts() {
    #expect(report([passed, unchecked]).status == .passed)
    #expect(report([passed, warned]).status == .warned)
    #expect(report([passed, warned, failed]).status == .failed)
    #expect(report([passed, warned], isStrict: true).hasFailed)
    #expect(!report([passed, warned]).hasFailed)
    #expect(report([unchecked]).status == .notChecked)
  }

  @Test func aFindingNamesThePositionAndTheExpectedValue() {
    let finding = Finding(
      .failure, "it is late", expected: "0 frames", frame: 3, parameter: "gain", value: "2.0")
    #expect("\(finding)" == "gain = 2.0, frame 3: it is late; expected: 0 frames")
  }
}
