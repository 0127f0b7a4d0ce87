// The way back from the render side to those who observe parameters.

extension AudioUnit {
  /// Tells the observers of parameters what the render side has moved since the last call: by MIDI,
  /// ramps, scheduled events, or because it measures something.
  ///
  /// Setting a value tells them at once; what a kernel publishes, nobody hears of until somebody
  /// looks. A host calls this at the rate at which views are to follow; a session does so twenty
  /// times a second. Of a value that moved more than once the last one is told, with the host time
  /// 0.
  ///
  /// - Returns: how many parameters have moved.
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
