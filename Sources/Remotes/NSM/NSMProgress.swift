// How far a project is opened.

import Foundation
import Synchronization

/// Makes one progress, 0 to 1, of those of several files that are read one after the other.
final class NSMProgress: Sendable {
  private struct State {
    var count: Int
    var done = 0
    var file: URL?
    var told: Float = 0
  }

  /// What is not worth a message.
  private static let step: Float = 0.01

  private let state: Mutex<State>

  /// - Parameter count: how many files there are.
  init(of count: Int) { state = Mutex(State(count: count)) }

  /// Takes in that a part of a file, 0 to 1, is read.
  ///
  /// - Returns: how far all is, nil where that is about as far as before.
  /// - Thread: [any]
  func take(_ file: URL, _ part: Double) -> Float? {
    state.withLock { state in
      if let last = state.file, last != file { state.done += 1 }
      state.file = file
      let all = max(state.count, state.done + 1)
      let progress = (Float(state.done) + Float(min(max(part, 0), 1))) / Float(all)
      guard progress >= state.told + Self.step else { return nil }
      state.told = progress
      return progress
    }
  }
}
