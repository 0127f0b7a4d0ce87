// What became of one check of a unit.

/// A check's findings, or why it says nothing.
public struct CheckResult: Codable, Hashable, Sendable {
  public enum Status: String, Codable, Sendable {
    case passed
    /// Nothing but warnings.
    case warned
    case failed
    /// It does not apply, or something that it needs was missing; it counts as no success.
    case notChecked
  }

  public let check: UnitCheck
  public let status: Status
  public let findings: [Finding]
  /// Why it was not checked.
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
