// Findings of a check.

/// A defect or weakness of a unit.
public struct Finding: Codable, Hashable, Sendable, CustomStringConvertible {
  public enum Severity: String, Codable, Sendable {
    /// A broken promise.
    case failure
    /// A possible improvement; a strict validation fails it.
    case warning
  }

  public var severity: Severity
  /// Description of the defect.
  public var message: String
  /// The correct behaviour or value; nil if not stated.
  public var expected: String?
  /// The frame, counted from the start of rendering; nil if it is about no frame.
  public var frame: Int?
  /// The key path of the parameter concerned; nil for none.
  public var parameter: String?
  /// The value that was set or read; nil for none.
  public var value: String?

  /// - Thread: [any]
  public init(
    _ severity: Severity, _ message: String, expected: String? = nil, frame: Int? = nil,
    parameter: String? = nil, value: String? = nil
  ) {
    self.severity = severity
    self.message = message
    self.expected = expected
    self.frame = frame
    self.parameter = parameter
    self.value = value
  }

  /// One line: the position, the defect and the expected value.
  ///
  /// - Thread: [any]
  public var description: String {
    var position: [String] = []
    if let parameter { position.append(value.map { "\(parameter) = \($0)" } ?? parameter) }
    if let frame { position.append("frame \(frame)") }
    let start = position.isEmpty ? "" : position.joined(separator: ", ") + ": "
    return start + message + (expected.map { "; expected: \($0)" } ?? "")
  }
}
