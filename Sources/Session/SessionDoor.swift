// Delivery of items to a running session, from any thread.

import Synchronization

/// Brings items to the thread that runs a session, in the order of their arrival. Items from before
/// the run wait for it; items from after its end are dropped.
package final class SessionDoor<Item: Sendable>: Sendable {
  private struct State {
    var send: (@Sendable (Item) -> Void)?
    /// Items that arrived before `open`; nil after it.
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
      // Items that arrive meanwhile are sent after these.
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
