// What a check has found.

/// One thing that is not as it should be.
public struct Finding: Codable, Hashable, Sendable, CustomStringConvertible {
  public enum Severity: String, Codable, Sendable {
    /// A promise is broken.
    case failure
    /// It works, and could be better; a strict validation fails it.
    case warning
  }

  public var severity: Severity
  /// What was found.
  public var message: String
  /// What would have been right.
  public var expected: String?
  /// Frames from the start of what was rendered.
  public var frame: Int?
  /// The key path of the parameter that it is about.
  public var parameter: String?
  /// The value that was set or found there.
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

  /// One line: where, what, and what was expected.
  ///
  /// - Thread: [any]
  public var description: String {
    var place: [String] = []
    if let parameter { place.append(value.map { "\(parameter) = \($0)" } ?? parameter) }
    if let frame { place.append("frame \(frame)") }
    let start = place.isEmpty ? "" : place.joined(separator: ", ") + ": "
    return start + message + (expected.map { "; expected: \($0)" } ?? "")
  }
}
