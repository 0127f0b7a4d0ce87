// Changes set for future frames.

import SessionModel
import Synchronization

/// Changes that wait until their frames are near, in the order of the frames.
///
/// Until then they cannot be undone.
final class SessionAgenda: Sendable {
  /// Maximum number of waiting values and entries.
  static let capacity = 4096

  struct Item: Sendable {
    let frame: Int64
    let command: SessionCommand
    /// Path of its subject, and its description.
    let path: String
    let text: String
    /// Number of values and entries in it.
    let count: Int
    let author: ChangeAuthor
  }

  private struct State {
    /// Items by frame; those of one frame in the order of their arrival.
    var items: [Item] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// Number of waiting values and entries.
  var count: Int { state.withLock { $0.count } }

  /// - Throws: an error if it is full.
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

  /// Removes the items that are near enough to be sent to units, and returns them.
  func takeNear(_ now: SessionClock) -> [Item] {
    state.withLock { state in
      let count = state.items.firstIndex { EditFrame.seconds(until: $0.frame, now) > 0 }
      let near = Array(state.items.prefix(count ?? state.items.count))
      state.items.removeFirst(near.count)
      state.count -= near.reduce(0) { $0 + $1.count }
      return near
    }
  }

  /// Removes all items, and returns them.
  @discardableResult
  func removeAll() -> [Item] {
    state.withLock { state in
      defer { state = State() }
      return state.items
    }
  }
}
