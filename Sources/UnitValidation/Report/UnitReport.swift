// Results of all checks of a unit.

/// A unit with the results of its checks.
public struct UnitReport: Codable, Sendable {
  public let unit: String
  public let codes: String
  public let name: String
  public let checks: [CheckResult]
  /// Duration of the checks, in seconds.
  public let seconds: Double
  /// Whether warnings count as failures.
  public let isStrict: Bool
  public let status: CheckResult.Status

  /// - Thread: [any]
  public init(
    unit: String, codes: String, name: String, checks: [CheckResult], seconds: Double,
    isStrict: Bool
  ) {
    self.unit = unit
    self.codes = codes
    self.name = name
    self.checks = checks
    self.seconds = seconds
    self.isStrict = isStrict
    let found = Set(checks.map(\.status))
    status =
      if found.contains(.failed) || isStrict && found.contains(.warned) {
        .failed
      } else if found.contains(.warned) {
        .warned
      } else if found.contains(.passed) {
        .passed
      } else {
        .notChecked
      }
  }

  /// Whether a check has failed; if strict, a warning counts too.
  public var hasFailed: Bool { status == .failed }
}
