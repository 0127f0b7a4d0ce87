// Validation of units.

public import UnitModel

/// The checks of units' promises, for one kind of unit. It renders offline, in this process. A unit
/// that crashes ends the process, so commands use one process a unit.
///
/// AUv3: the tool `auval`.
public struct UnitValidator: Sendable {
  /// Makes a new unit of the kind, with everything that it needs to sound.
  public typealias Make = @Sendable () throws -> AudioUnit
  /// Receives each next activity; the last one before a crash shows its cause.
  public typealias Progress = @Sendable (String) -> Void

  private let make: Make
  private let flushesDenormals: Bool

  /// - Parameters:
  ///   - flushesDenormals: whether the processor flushes denormals to 0, as on the render thread.
  ///     If not, a tail is found that continues endlessly at inaudible levels.
  ///   - make: called often, on the thread that runs the check.
  /// - Thread: [any]
  public init(flushesDenormals: Bool = true, make: @escaping Make) {
    self.flushesDenormals = flushesDenormals
    self.make = make
  }

  /// Runs a check.
  ///
  /// - Thread: [control]
  public func run(_ check: UnitCheck, progress: @escaping Progress = { _ in }) -> CheckResult {
    let trial = Trial(make: make, flushesDenormals: flushesDenormals, notify: progress)
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
