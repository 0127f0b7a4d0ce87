// Turns of tests with a browser.

import Synchronization
import Testing

extension Trait where Self == BrowserTurns {
  /// Lets few tests of browsers run at once: each Chromium takes a core, and a test waits for its
  /// page a minute at most.
  static var inTurn: Self { BrowserTurns() }
}

struct BrowserTurns: SuiteTrait, TestTrait, TestScoping {
  private struct State {
    var free = 3
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let state = Mutex(State())

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    await withCheckedContinuation { turn in
      let isFree = Self.state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(turn)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { turn.resume() }
    }
    defer {
      let next = Self.state.withLock { state -> CheckedContinuation<Void, Never>? in
        if state.waiting.isEmpty {
          state.free += 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      next?.resume()
    }
    try await body()
  }
}
