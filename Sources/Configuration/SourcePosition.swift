// Where in which file something was written.

/// A place in a configuration file.
///
/// Lines and columns count from 1, columns in Unicode scalars; 0 stands for the file as a whole.
///
/// - Thread: [any]
public struct SourcePosition: Sendable, Hashable, CustomStringConvertible {
  /// The file's name as it was given, for people to read.
  public let file: String
  public let line: Int
  public let column: Int

  public init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `file:line:column`, the form that editors jump to.
  public var description: String {
    let file = printable(self.file, 4096)
    return line == 0 ? file : "\(file):\(line):\(column)"
  }
}

extension SourcePosition {
  /// The place of what was written nowhere.
  public static let nowhere = SourcePosition(file: "")
}

/// A value and the place where it was written.
///
/// - Thread: [any]
public struct Located<Value: Sendable>: Sendable {
  public let value: Value
  public let location: SourcePosition

  public init(_ value: Value, at location: SourcePosition) {
    self.value = value
    self.location = location
  }
}

extension Located: Equatable where Value: Equatable {
  /// Whether the values are equal, wherever they were written.
  public static func == (first: Located, second: Located) -> Bool { first.value == second.value }
}

/// A place that does not count when two of what has it are compared.
///
/// - Thread: [any]
@propertyWrapper public struct Uncompared: Sendable, Equatable {
  public var wrappedValue: SourcePosition

  public init(wrappedValue: SourcePosition) { self.wrappedValue = wrappedValue }

  public static func == (first: Uncompared, second: Uncompared) -> Bool { true }
}
