// Progress of a long task, on a terminal.

import Glibc
import Platform

/// A line that is rewritten on a terminal's standard error; without a terminal it is not written.
struct ProgressLine {
  private let work: String
  /// Whether standard error is a terminal.
  let isShown = isatty(STDERR_FILENO) != 0

  init(_ work: String) { self.work = work }

  /// - Parameter part: 0 to 1.
  func show(_ part: Double) { show("\(Int(part * 100)) %") }

  /// - Parameter text: has to fit the rest of a terminal's line.
  func show(_ text: String) {
    guard isShown else { return }
    StandardError.rewriteLine("\(work): \(text)")
  }

  func clear() {
    guard isShown else { return }
    StandardError.rewriteLine("")
  }
}

/// Formats a duration: "03:10", "1:02:00".
func clock(_ seconds: Double) -> String {
  let whole = Int(seconds)
  let minutes = "\((whole / 60 % 60).text(digits: 2)):\((whole % 60).text(digits: 2))"
  return whole < 3600 ? minutes : "\(whole / 3600):\(minutes)"
}
