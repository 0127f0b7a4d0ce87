// Observers of the busses of an array.

/// The properties of a bus that may change.
///
/// AUv3: the key paths of a bus's key-value observing.
public enum BusProperty: Sendable, Hashable, CaseIterable {
  case name
  case format
  case isEnabled
}

extension BusArray {
  /// Called with the bus and the property that changed.
  public typealias BusObserver = @Sendable (Bus, BusProperty) -> Void

  /// Adds an observer of all busses, including busses added later. It runs on the thread that made
  /// the change, outside any lock.
  ///
  /// AUv3: `addObserver(toAllBusses:forKeyPath:options:context:)`.
  /// - Thread: [control]
  public func token(byAddingBusObserver observer: @escaping BusObserver) -> ObserverToken {
    state.withLock { $0.busObservers.add(observer) }
  }

  /// Removes an observer; an unknown token does nothing.
  ///
  /// AUv3: `removeObserver(fromAllBusses:forKeyPath:)`.
  /// - Thread: [control]
  public func removeBusObserver(_ token: ObserverToken) {
    _ = state.withLock { $0.busObservers.remove(token) }
  }

  func notify(_ bus: Bus, _ property: BusProperty) {
    for (_, observer) in state.withLock({ $0.busObservers.all }) { observer(bus, property) }
  }
}
