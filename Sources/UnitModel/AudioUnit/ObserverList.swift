// Observers of a parameter, a unit or an array of busses.

import Synchronization

/// Identifies one observer, for its removal, and to leave it out of its own changes.
///
/// AUv3: `AUParameterObserverToken`.
public struct ObserverToken: Hashable, Sendable {
  private let number: UInt64
  private static let last = Atomic<UInt64>(0)

  init() { number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Observers, in the order in which they were added.
struct ObserverList<Observer: Sendable>: Sendable {
  private(set) var all: [(token: ObserverToken, observer: Observer)] = []

  mutating func add(_ observer: Observer) -> ObserverToken {
    let token = ObserverToken()
    all.append((token, observer))
    return token
  }

  /// Removes an observer; an unknown token does nothing.
  /// - Returns: the observer, for release outside the caller's lock: it may hold the last reference
  ///   to an object whose `deinit` takes that lock again.
  mutating func remove(_ token: ObserverToken) -> Observer? {
    all.firstIndex { $0.token == token }.map { all.remove(at: $0).observer }
  }
}
