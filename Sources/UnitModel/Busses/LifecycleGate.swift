// Keeps properties constant while a unit's resources are allocated.

import Synchronization

/// The phase of a unit's lifecycle, shared by the unit and its busses.
final class LifecycleGate: Sendable {
  enum Phase: Sendable {
    case idle
    /// Resources are being allocated or deallocated.
    case changing
    case allocated
  }

  struct State: Sendable {
    var phase = Phase.idle
    /// The number of hosts that hold the unit for rendering.
    var hosts = 0
    /// Whether resources were ever allocated.
    var wasAllocated = false
  }

  let state = Mutex(State())

  /// Makes a change while resources are idle; returns false if they are allocated or changing.
  func whileIdle(_ change: () -> Void) -> Bool {
    state.withLock {
      guard $0.phase == .idle else { return false }
      change()
      return true
    }
  }
}
