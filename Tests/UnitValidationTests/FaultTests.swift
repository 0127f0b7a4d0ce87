// Each check finds the faults that it is made for.

import CHeap
import FaultyUnits
import Testing
import UnitModel
import UnitValidation

/// Faults of memory are found in a separate process: ValidationTests.
@Suite struct FaultTests {
  private func result(_ check: UnitCheck, _ fault: Fault) -> CheckResult {
    UnitValidator { try FaultyUnit(fault) }.run(check)
  }

  static let faults: [(Fault, UnitCheck, String)] = [
    (.life, .life, "does not sound as fresh"),
    (.reading, .parameters, "a cycle after it was set to"),
    (.text, .parameters, "written as \"loud\""),
    (.ramp, .automation, "in a ramp of 1000 frames"),
    (.preset, .presets, "gain = 100.0: the preset \"Loud\" sets it out of its range"),
    (.unknown, .presets, "gian: the preset \"Loud\" sets it, and there is none"),
    (.state, .state, "does not bring back the settings"),
    (.channels, .formats, "[3] channels in and [3] out, which it declares"),
    (.rate, .formats, "cannot be allocated at 44100 Hz"),
    (.overrun, .cycles, "wrote behind the last of an output's 1 frames"),
    (.input, .cycles, "wrote to its input"),
    (.status, .cycles, "the render call returned -1, in cycles of 13 frames"),
    (.period, .period, "in cycles of 1 frame it differs from cycles of 1024"),
    (.early, .events, "gain = 4.0, frame 768: a change on frame 1000 is heard on frame 768"),
    (.kept, .faults, "it makes NaN or infinity in"),
    (.reset, .reset, "after a reset it still sounds"),
    (.latency, .latency, "the output is 0 frames late, whatever the settings"),
    (.tail, .tail, "still sounds"),
    (.note, .midi, "a note goes on when all were let go"),
    (.uninitialized, .determinism, "another unit of the kind gives something else"),
    (.shared, .determinism, "gives something else"),
  ]

  /// A sanitizer's allocator fills memory in its own way.
  @Test(arguments: faults.filter { $0.0 != .uninitialized || heapIsGlibc() != 0 })
  func aFaultIsFoundByItsCheck(fault: Fault, check: UnitCheck, message: String) {
    let result = result(check, fault)
    #expect(result.status == .failed)
    #expect(
      result.findings.contains { $0.severity == .failure && "\($0)".contains(message) },
      "\(result.findings)")
  }

  /// Without a fault the checks pass, so they fail because of the fault.
  @Test(
    arguments: UnitCheck.allCases.filter { ![.midi, .realtime, .memory].contains($0) })
  func aUnitWithoutTheFaultsIsPassed(check: UnitCheck) {
    #expect(result(check, .none).status == .passed, "\(result(check, .none))")
  }

  @Test func aBypassThatClicksIsAWarning() {
    let result = result(.bypass, .click)
    #expect(result.status == .warned)
    let messages = result.findings.map(\.message)
    #expect(messages.contains { $0.contains("comes with a click: a step of") }, "\(messages)")
    #expect(messages.contains { $0.contains("goes with a click: above 8 kHz") }, "\(messages)")
  }

  @Test func aBypassThatChangesItsInputIsFound() {
    let result = result(.bypass, .bypass)
    #expect(
      result.findings.contains {
        $0.severity == .failure && $0.message.contains("bypassed from frame 6400 on")
      }, "\(result.findings)")
  }

  @Test func aUnitThatCannotBeMadeFailsAllChecks() {
    struct Refusal: Error {}
    let validator = UnitValidator { throw Refusal() }
    for check in UnitCheck.allCases where check != .realtime {
      let result = validator.run(check)
      #expect(result.status == .failed, "\(check)")
      #expect(result.findings.first?.message.contains("Refusal") == true)
    }
  }

  @Test func stepsAreReportedBeforeTheyBegin() {
    let steps = StepRecorder()
    _ = UnitValidator { try FaultyUnit(.none) }.run(.cycles) { steps.add($0) }
    #expect(steps.all.contains("rendering cycles of 1 frame"))
    #expect(steps.all.contains("rendering with the output in the input's memory"))
  }
}
