// Notifying parameter observers of changes made by the render side.

extension AudioUnit {
  /// Notifies parameter observers of values the render side changed since the last call: by MIDI,
  /// ramps, scheduled events, or because the parameter is a meter.
  ///
  /// Setting a value notifies them at once; values that a kernel publishes are reported only by
  /// this call. A host calls it at the rate at which views should follow; a session does so twenty
  /// times a second. If a value moved more than once, only the last one is reported, with the host
  /// time 0.
  ///
  /// - Returns: the number of parameters that have moved.
  /// - Thread: [control]; observers run within the call. - Complexity: O(parameters)
  @discardableResult
  public func notifyMovedParameters() -> Int {
    let moved = backing.takeMoved(in: parameterTree)
    for (parameter, value) in moved {
      parameter.notify(
        ParameterAutomationEvent(
          hostTime: 0, address: parameter.address, value: value, eventType: .value),
        originator: nil)
    }
    return moved.count
  }
}
