// How far a long work is, where somebody looks.

import Foundation

/// A line on a terminal's standard error that is written again and again; nothing where that is no
/// terminal.
struct ProgressLine {
  private let work: String
  /// Whether somebody looks.
  let isShown = isatty(STDERR_FILENO) != 0

  init(_ work: String) { self.work = work }

  /// - Parameter part: 0 to 1.
  func show(_ part: Double) { show("\(Int(part * 100)) %") }

  /// - Parameter text: shorter than what is left of a terminal's line.
  func show(_ text: String) {
    guard isShown else { return }
    StandardError.rewriteLine("\(work): \(text)")
  }

  func clear() {
    guard isShown else { return }
    StandardError.rewriteLine("")
  }
}

/// "03:10", "1:02:00".
func clock(_ seconds: Double) -> String {
  let whole = Int(seconds)
  let minutes = String(format: "%02d:%02d", whole / 60 % 60, whole % 60)
  return whole < 3600 ? minutes : "\(whole / 3600):\(minutes)"
}
