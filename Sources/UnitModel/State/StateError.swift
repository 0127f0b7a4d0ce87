// Errors of restoring a state.

/// The reason why a unit refused a state. Nothing of the state was applied, except with
/// `parameter`.
public enum StateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The state belongs to another component.
  case wrongComponent(found: String, expected: String)
  case missingEntry(String)
  case unknownEntry(String)
  /// An entry has a value of the wrong kind.
  case wrongKind(String, found: String, expected: String)
  case unknownParameter(String, known: [String])
  case valueOutOfRange(String, value: Double, range: ClosedRange<Float>)
  /// The unit's own settings are invalid.
  case invalidSetting(String, reason: String)
  /// The unit refused a value; the values before it are set.
  case parameter(ParameterError)

  public var description: String {
    switch self {
    case .wrongComponent(let found, let expected):
      "the state is of \(found), this unit is \(expected)"
    case .missingEntry(let key):
      "the state has no entry \"\(key)\""
    case .unknownEntry(let key):
      "the state has an entry \"\(key)\" that this unit does not know"
    case .wrongKind(let key, let found, let expected):
      "the state's entry \"\(key)\" is \(found); it must be \(expected)"
    case .unknownParameter(let keyPath, let known):
      "the unit has no parameter \(keyPath); it has \(known.joined(separator: ", "))"
    case .valueOutOfRange(let keyPath, let value, let range):
      "\(keyPath): \(value) is not within \(range.lowerBound) to \(range.upperBound)"
    case .invalidSetting(let key, let reason):
      "setting \"\(key)\": \(reason)"
    case .parameter(let error):
      "\(error)"
    }
  }
}
