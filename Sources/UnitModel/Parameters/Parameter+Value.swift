// Reading and setting the value of a parameter.

extension Parameter {
  /// The value, in the parameter's unit; while a ramp runs, its current value.
  ///
  /// Setting clamps the value to the range. A refused value (not a number, a read-only parameter, a
  /// full queue) leaves the parameter unchanged. The tree counts it in `refusedValueCount`;
  /// `setValue` throws instead.
  ///
  /// AUv3: `value`.
  /// - Thread: [control]
  public var value: Float {
    get {
      if let provider = inherited({ $0.valueProvider }) { return provider(self) }
      return stored.withLock { $0 }
    }
    set {
      do { try setValue(newValue) } catch { tree?.countRefusedValue() }
    }
  }

  /// Sets the value, clamped to the range, and notifies the observers except the originator.
  ///
  /// - Parameters:
  ///   - originator: The observer that makes the change and is not called for it.
  ///   - hostTime: The time of the gesture, in nanoseconds of the monotonic clock, 0 for "now";
  ///     passed to recorders. To change a value at a frame, schedule it on the unit.
  ///   - eventType: The change's part in a gesture.
  /// - Throws: `ParameterError`; the value is then unchanged and no observer is called.
  ///
  /// AUv3: `setValue(_:originator:atHostTime:eventType:)`.
  /// - Thread: [control]
  public func setValue(
    _ value: Float, originator: ObserverToken? = nil, atHostTime hostTime: UInt64 = 0,
    eventType: ParameterAutomationEventType = .value
  ) throws(ParameterError) {
    guard flags.contains(.writable) else { throw .notWritable(keyPath: keyPath) }
    guard !value.isNaN else { throw .notANumber(keyPath: keyPath) }
    let value = min(max(value, range.lowerBound), range.upperBound)
    if let observer = inherited({ $0.valueObserver }) { try observer(self, value) }
    stored.withLock { $0 = value }
    notify(
      ParameterAutomationEvent(
        hostTime: hostTime, address: address, value: value, eventType: eventType),
      originator: originator)
  }

  /// The tree this parameter belongs to; nil before it joins one.
  ///
  /// - Thread: [control]
  public var tree: ParameterTree? {
    var node: ParameterNode = self
    while let parent = node.parent { node = parent }
    return node as? ParameterTree
  }
}
