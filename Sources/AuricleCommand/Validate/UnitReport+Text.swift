// Reports of a validation as text and as JSON.

import FoundationEssentials
import Platform
import UnitValidation

extension UnitReport {
  /// The report as text: a line for each check, followed by its findings, and a summary.
  var text: String {
    var lines = ["\(unit)  \(codes)  \(name)"]
    for result in checks {
      let title = result.check.rawValue.padded(to: 13)
      switch result.status {
      case .passed: lines.append("  ok       \(title)\(result.check.promise)")
      case .notChecked: lines.append("  -        \(title)not checked: \(result.reason ?? "")")
      case .failed, .warned:
        let isFailure = result.status == .failed || isStrict
        lines.append("  \(isFailure ? "FAILED " : "warning")  \(title)\(result.check.promise)")
        for finding in result.findings {
          let kind = finding.severity == .warning ? "warning: " : ""
          lines.append("             \(kind)\(finding)")
        }
      }
    }
    func count(_ status: CheckResult.Status) -> Int { checks.count { $0.status == status } }
    var parts = ["\(count(.passed)) passed"]
    for (status, word) in [
      (CheckResult.Status.failed, "failed"), (.warned, "with warnings"),
      (.notChecked, "not checked"),
    ] where count(status) > 0 {
      parts.append("\(count(status)) \(word)")
    }
    let verdict = hasFailed ? "FAILED" : status == .notChecked ? "not checked" : "kept"
    lines.append(
      "\(unit): \(verdict): \(parts.joined(separator: ", ")) (\(seconds.text(decimals: 1)) s)"
    )
    return lines.joined(separator: "\n")
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
