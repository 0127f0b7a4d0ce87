// Observers of a parameter, or of all parameters below a group.

extension ParameterNode {
  /// Called with the address and the new value.
  public typealias Observer = @Sendable (ParameterAddress, Float) -> Void
  /// Called with the changes, oldest first.
  public typealias RecordingObserver = @Sendable ([RecordedParameterEvent]) -> Void
  /// Called with the changes and gestures, oldest first.
  public typealias AutomationObserver = @Sendable ([ParameterAutomationEvent]) -> Void

  /// Adds an observer of this parameter, or of every parameter below this group.
  ///
  /// It runs on the thread that made the change, outside any lock, so it may set values and add or
  /// remove observers. Changes that name its own token as their originator do not call it.
  ///
  /// AUv3: `token(byAddingParameterObserver:)`.
  /// - Thread: [control]
  public func token(byAddingParameterObserver observer: @escaping Observer)
    -> ObserverToken
  {
    state.withLock { $0.observers.add(.value(observer)) }
  }

  /// Adds an observer of changes with their times.
  ///
  /// AUv3: `token(byAddingParameterRecordingObserver:)`.
  /// - Thread: [control]
  public func token(byAddingParameterRecordingObserver observer: @escaping RecordingObserver)
    -> ObserverToken
  {
    state.withLock { $0.observers.add(.recording(observer)) }
  }

  /// Adds an observer of changes with their times and gestures.
  ///
  /// AUv3: `token(byAddingParameterAutomationObserver:)`.
  /// - Thread: [control]
  public func token(byAddingParameterAutomationObserver observer: @escaping AutomationObserver)
    -> ObserverToken
  {
    state.withLock { $0.observers.add(.automation(observer)) }
  }

  /// Removes an observer from the node it was added to; an unknown token does nothing.
  ///
  /// A call that another thread has started may still be running when this returns.
  ///
  /// AUv3: `removeParameterObserver(_:)`.
  /// - Thread: [control]
  public func removeParameterObserver(_ token: ObserverToken) {
    _ = state.withLock { $0.observers.remove(token) }
  }

  /// Notifies the observers of this node and of every group above it.
  func notify(_ event: ParameterAutomationEvent, originator: ObserverToken?) {
    var node: ParameterNode? = self
    while let current = node {
      let (observers, parent) = current.state.withLock { ($0.observers.all, $0.parent) }
      for (token, observer) in observers where token != originator { observer.notify(event) }
      node = parent
    }
  }
}

/// The kinds of observers.
enum NodeObserver: Sendable {
  case value(ParameterNode.Observer)
  case recording(ParameterNode.RecordingObserver)
  case automation(ParameterNode.AutomationObserver)

  func notify(_ event: ParameterAutomationEvent) {
    switch self {
    case .value(let observer):
      observer(event.address, event.value)
    case .recording(let observer):
      observer([
        RecordedParameterEvent(
          hostTime: event.hostTime, address: event.address, value: event.value)
      ])
    case .automation(let observer):
      observer([event])
    }
  }
}
