// How far a long work is, where somebody looks.

import Foundation

/// A line on a terminal's standard error that is written again and again; nothing where that is no
/// terminal.
struct ProgressLine {
  private let work: String
  private let isShown = isatty(STDERR_FILENO) != 0

  init(_ work: String) { self.work = work }

  /// - Parameter part: 0 to 1.
  func show(_ part: Double) { show("\(Int(part * 100)) %") }

  /// - Parameter text: shorter than what is left of a terminal's line.
  func show(_ text: String) {
    guard isShown else { return }
    StandardError.writePart("\r\(work): \(text)\u{1B}[K")
  }

  func clear() {
    guard isShown else { return }
    StandardError.writePart("\r\u{1B}[K")
  }
}
