// Observers of the busses of an array.

import Synchronization

/// The properties of a bus that may change.
///
/// AUv3: the key paths of a bus's key-value observing.
public enum BusProperty: Sendable, Hashable, CaseIterable {
  case name
  case format
  case isEnabled
}

/// Identifies one observer of an array's busses.
public struct BusObserverToken: Hashable, Sendable {
  private let number: UInt64
  private static let last = Atomic<UInt64>(0)
  init() { number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension BusArray {
  /// Called with the bus and the property that changed.
  public typealias BusObserver = @Sendable (Bus, BusProperty) -> Void

  /// Adds an observer of all busses, including busses added later. It runs on the thread that made
  /// the change, outside any lock.
  ///
  /// AUv3: `addObserver(toAllBusses:forKeyPath:options:context:)`.
  /// - Thread: [control]
  public func token(byAddingBusObserver observer: @escaping BusObserver) -> BusObserverToken {
    let token = BusObserverToken()
    state.withLock { $0.busObservers.append((token, observer)) }
    return token
  }

  /// Removes an observer; an unknown token does nothing.
  ///
  /// AUv3: `removeObserver(fromAllBusses:forKeyPath:)`.
  /// - Thread: [control]
  public func removeBusObserver(_ token: BusObserverToken) {
    // Release the closure outside the lock.
    _ = state.withLock { state -> BusObserver? in
      guard let index = state.busObservers.firstIndex(where: { $0.token == token }) else {
        return nil
      }
      return state.busObservers.remove(at: index).observer
    }
  }

  func notify(_ bus: Bus, _ property: BusProperty) {
    for (_, observer) in state.withLock({ $0.busObservers }) { observer(bus, property) }
  }
}
