// Events that describe parameter changes, for recorders and automation.

/// The part of a change in a gesture on a control.
///
/// AUv3: `AUParameterAutomationEventType`, with its raw values.
public enum ParameterAutomationEventType: UInt32, Sendable, Hashable {
  /// A change outside or within a gesture.
  case value = 0
  /// The gesture begins: a finger or a mouse button is pressed.
  case touch = 1
  /// The gesture ends.
  case release = 2
}

/// One change of a parameter, for a recorder.
///
/// AUv3: `AURecordedParameterEvent`.
public struct RecordedParameterEvent: Sendable, Hashable {
  /// The time that the setter passed, in nanoseconds of the monotonic clock, 0 for "now".
  public var hostTime: UInt64
  /// The parameter that changed.
  public var address: ParameterAddress
  /// The value within the parameter's range, in its unit.
  public var value: Float
}

/// One change of a parameter, with its part in a gesture.
///
/// AUv3: `AUParameterAutomationEvent`.
public struct ParameterAutomationEvent: Sendable, Hashable {
  /// The time that the setter passed, in nanoseconds of the monotonic clock, 0 for "now".
  public var hostTime: UInt64
  /// The parameter that changed.
  public var address: ParameterAddress
  /// The value within the parameter's range, in its unit.
  public var value: Float
  /// The change's part in a gesture.
  public var eventType: ParameterAutomationEventType
}
