// Time of a session.

import SessionModel

/// The time that passes for a session: the machine's, or a stepped one.
package protocol SessionTime: Sendable {
  var now: ContinuousClock.Instant { get }

  /// - Throws: `CancellationError`.
  func sleep(for duration: Duration) async throws

  /// Calls a body repeatedly, the first time after the interval, until it is cancelled.
  func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void) -> SessionTimer
}

/// A repeated call.
package struct SessionTimer: Sendable {
  let cancel: @Sendable () -> Void

  package init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
}

/// Time of the machine.
package struct MachineTime: SessionTime {
  package init() {}

  package var now: ContinuousClock.Instant { .now }

  package func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

  package func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void) -> SessionTimer {
    let task = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: interval)
        body()
      }
    }
    return SessionTimer { task.cancel() }
  }
}
