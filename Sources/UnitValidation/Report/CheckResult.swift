// The result of one check of a unit.

/// The findings of a check, or the reason why it was not run.
public struct CheckResult: Codable, Hashable, Sendable {
  public enum Status: String, Codable, Sendable {
    case passed
    /// Only warnings were found.
    case warned
    case failed
    /// The check does not apply, or something that it needs is missing. Not a success.
    case notChecked
  }

  public let check: UnitCheck
  public let status: Status
  public let findings: [Finding]
  /// The reason why the unit was not checked; nil if it was.
  public let reason: String?

  /// - Thread: [any]
  public init(_ check: UnitCheck, findings: [Finding]) {
    self.check = check
    self.findings = findings
    reason = nil
    status =
      findings.contains { $0.severity == .failure }
      ? .failed : findings.isEmpty ? .passed : .warned
  }

  /// - Thread: [any]
  public init(_ check: UnitCheck, notChecked reason: String) {
    self.check = check
    findings = []
    self.reason = reason
    status = .notChecked
  }
}
