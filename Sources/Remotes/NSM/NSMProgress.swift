// The progress of opening a project.

import FoundationEssentials
import Synchronization

/// Combines the progress of several files, read one after the other, into one, 0 to 1.
final class NSMProgress: Sendable {
  private struct State {
    var count: Int
    var done = 0
    var file: URL?
    var reported: Float = 0
  }

  /// The smallest progress to report.
  private static let step: Float = 0.01

  private let state: Mutex<State>

  /// - Parameter count: the number of files.
  init(of count: Int) { state = Mutex(State(count: count)) }

  /// Records that a part of a file, 0 to 1, has been read.
  ///
  /// - Returns: the progress of all files; nil if it is less than a step beyond the last one.
  /// - Thread: [any]
  func take(_ file: URL, _ part: Double) -> Float? {
    state.withLock { state in
      if let last = state.file, last != file { state.done += 1 }
      state.file = file
      let all = max(state.count, state.done + 1)
      let progress = (Float(state.done) + Float(min(max(part, 0), 1))) / Float(all)
      guard progress >= state.reported + Self.step else { return nil }
      state.reported = progress
      return progress
    }
  }
}
