// What became of all checks of a unit.

/// A unit with the results of its checks.
public struct UnitReport: Codable, Sendable {
  public let unit: String
  public let codes: String
  public let name: String
  public let checks: [CheckResult]
  /// How long it took.
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

  /// Whether a promise is broken, or a warning counts as much.
  public var hasFailed: Bool { status == .failed }
}
