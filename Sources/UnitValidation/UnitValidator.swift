// Checks a unit.

public import UnitModel

/// Checks what every unit promises of one kind of unit. It renders offline, in this process: a unit
/// that crashes takes the process along, so that commands use one for each unit.
///
/// AUv3: the tool `auval`.
public struct UnitValidator: Sendable {
  /// Makes another unit of the kind, with all that it needs to sound.
  public typealias Make = @Sendable () throws -> AudioUnit
  /// Told what is done next: the last thing before a crash.
  public typealias Progress = @Sendable (String) -> Void

  private let make: Make
  private let flushesDenormals: Bool

  /// - Parameters:
  ///   - flushesDenormals: whether the processor makes 0 of numbers near it, as on the render
  ///     thread; without, a tail is found that goes on for ever below what anybody hears.
  ///   - make: called often, on the thread that runs the check.
  /// - Thread: [any]
  public init(flushesDenormals: Bool = true, make: @escaping Make) {
    self.flushesDenormals = flushesDenormals
    self.make = make
  }

  /// Runs a check from start to end.
  ///
  /// - Thread: [control]
  public func run(_ check: UnitCheck, progress: @escaping Progress = { _ in }) -> CheckResult {
    let trial = Trial(make: make, flushesDenormals: flushesDenormals, tell: progress)
    do {
      try check.run(trial)
    } catch let error as NotChecked {
      guard trial.findings.isEmpty else { return CheckResult(check, findings: trial.found) }
      return CheckResult(check, notChecked: error.reason)
    } catch {
      trial.fail("an error while \(trial.activity): \(error)")
    }
    return CheckResult(check, findings: trial.found)
  }
}
