// Observers of a unit's properties other than its parameters.

/// The properties of a unit that may change.
///
/// AUv3: the key paths of key-value observing.
public enum AudioUnitProperty: Sendable, Hashable, CaseIterable {
  /// Many parameters changed at once: a preset or a state was loaded.
  case allParameterValues
  /// The tree was replaced. Observers of the old tree's parameters are not called any more.
  case parameterTree
  case currentPreset
  case userPresets
  case latency
  case tailTime
  case shouldBypassEffect
  case renderResourcesAllocated
}

extension AudioUnit {
  /// Called with the property that changed.
  public typealias PropertyObserver = @Sendable (AudioUnitProperty) -> Void

  /// Adds an observer; it runs on the thread that made the change, outside any lock.
  ///
  /// AUv3: `addObserver(_:forKeyPath:…)`.
  /// - Thread: [control]
  public func token(byAddingPropertyObserver observer: @escaping PropertyObserver)
    -> ObserverToken
  {
    state.withLock { $0.observers.add(observer) }
  }

  /// Removes an observer; an unknown token does nothing.
  ///
  /// - Thread: [control]
  public func removePropertyObserver(_ token: ObserverToken) {
    _ = state.withLock { $0.observers.remove(token) }
  }

  /// Notifies observers of a change. A subclass calls it when its latency or its tail changes, or
  /// when it has replaced its parameter tree.
  ///
  /// - Thread: [control]
  public func notify(_ property: AudioUnitProperty) {
    for (_, observer) in state.withLock({ $0.observers.all }) { observer(property) }
  }
}
