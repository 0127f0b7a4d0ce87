// The way into a running session, from any thread.

import Synchronization

/// Brings what others want of a session to the thread that runs it, in the order in which it comes.
/// What comes before the session runs waits for that; what comes behind its end goes.
package final class SessionDoor<Item: Sendable>: Sendable {
  private struct State {
    var send: (@Sendable (Item) -> Void)?
    /// What has come before; nil from then on.
    var early: [Item]? = []
  }

  private let state = Mutex(State())

  package init() {}

  /// - Thread: [any]
  package func post(_ item: Item) {
    let send = state.withLock { state in
      state.early?.append(item)
      return state.send
    }
    send?(item)
  }

  func open(_ send: @escaping @Sendable (Item) -> Void) {
    while true {
      // What comes meanwhile comes behind it.
      let early = state.withLock { state in
        let early = state.early ?? []
        if early.isEmpty { (state.send, state.early) = (send, nil) } else { state.early = [] }
        return early
      }
      if early.isEmpty { return }
      for item in early { send(item) }
    }
  }

  func close() { state.withLock { ($0.send, $0.early) = (nil, nil) } }
}
