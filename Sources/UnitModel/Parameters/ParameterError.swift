// Errors of setting a parameter.

/// The reason why a parameter refused a value. The parameter keeps its former value.
public enum ParameterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value is not a number.
  case notANumber(keyPath: String)
  /// Only the unit itself writes this parameter.
  case notWritable(keyPath: String)
  /// The unit's event queue has no room until the next render cycle.
  case queueFull(keyPath: String)
  /// The unit itself refused the value.
  case refused(keyPath: String, reason: String)

  public var description: String {
    switch self {
    case .notANumber(let keyPath):
      "\(keyPath): the value is not a number; give a number in the parameter's range"
    case .notWritable(let keyPath):
      "\(keyPath) is read-only: the unit reports it and nothing else sets it"
    case .queueFull(let keyPath):
      "\(keyPath): the unit's event queue is full; set it again after the next render cycle"
    case .refused(let keyPath, let reason):
      "\(keyPath): \(reason)"
    }
  }
}
