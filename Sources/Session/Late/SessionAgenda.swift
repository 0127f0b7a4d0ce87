// What is set for frames to come.

import SessionModel
import Synchronization

/// Changes that wait until their frames are near, in the order of these.
///
/// Until then they are no part of what can be taken back.
final class SessionAgenda: Sendable {
  /// How many values and entries may wait.
  static let capacity = 4096

  struct Item: Sendable {
    let frame: Int64
    let command: SessionCommand
    /// What it is about, and what it is, in words.
    let path: String
    let text: String
    /// How many values and entries it is.
    let count: Int
    let author: ChangeAuthor
  }

  private struct State {
    /// By frames; those of one frame in the order in which they came.
    var items: [Item] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// How many values and entries wait.
  var count: Int { state.withLock { $0.count } }

  /// - Throws: that it is full.
  func add(_ item: Item) throws(SessionCommandError) {
    let hasRoom = state.withLock { state in
      guard state.count + item.count <= Self.capacity else { return false }
      var (low, high) = (0, state.items.count)
      while low < high {
        let middle = (low + high) / 2
        if state.items[middle].frame <= item.frame { low = middle + 1 } else { high = middle }
      }
      state.items.insert(item, at: low)
      state.count += item.count
      return true
    }
    guard hasRoom else {
      throw SessionCommandError(
        "there is no room for \(item.count) more values: \(count) of \(Self.capacity) wait for "
          + "their frames", accepted: "the same later, or panic, which forgets them")
    }
  }

  /// Takes what is near enough to be sent to units.
  func takeNear(_ now: SessionClock) -> [Item] {
    state.withLock { state in
      let count = state.items.firstIndex { EditFrame.seconds(until: $0.frame, now) > 0 }
      let near = Array(state.items.prefix(count ?? state.items.count))
      state.items.removeFirst(near.count)
      state.count -= near.reduce(0) { $0 + $1.count }
      return near
    }
  }

  /// Forgets everything.
  @discardableResult
  func removeAll() -> [Item] {
    state.withLock { state in
      defer { state = State() }
      return state.items
    }
  }
}
