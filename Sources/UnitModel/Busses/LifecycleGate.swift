// Keeps what rendering relies on from changing while a unit's resources are allocated.

import Synchronization

/// Where a unit is in its life, shared by the unit and its busses.
final class LifecycleGate: Sendable {
  enum Phase: Sendable {
    case idle
    /// Resources are being allocated or deallocated.
    case changing
    case allocated
  }

  struct State: Sendable {
    var phase = Phase.idle
    /// How many hosts hold the unit for rendering.
    var hosts = 0
    /// Whether resources were allocated at any time.
    var wasAllocated = false
  }

  let state = Mutex(State())

  /// Does something while no resources are allocated and none can be; false if they are.
  func whileIdle(_ change: () -> Void) -> Bool {
    state.withLock {
      guard $0.phase == .idle else { return false }
      change()
      return true
    }
  }
}
