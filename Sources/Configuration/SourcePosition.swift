// Positions in configuration files.

/// A position in a configuration file.
///
/// Lines and columns count from 1, columns in Unicode scalars; 0 means the file as a whole.
///
/// - Thread: [any]
public struct SourcePosition: Sendable, Hashable, CustomStringConvertible {
  /// The file's name as given, for people to read.
  public let file: String
  public let line: Int
  public let column: Int

  public init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The form `file:line:column`, which editors can open.
  public var description: String {
    let file = printable(self.file, 4096)
    return line == 0 ? file : "\(file):\(line):\(column)"
  }

  /// The position in front of a message, `file:line:column: `; empty for a text in no file.
  package var prefix: String { file.isEmpty ? "" : "\(self): " }
}

extension SourcePosition {
  /// The position of a value that is in no file.
  public static let nowhere = SourcePosition(file: "")
}

/// A value and the position where it was written.
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
  /// Whether the values are equal; the positions are ignored.
  public static func == (first: Located, second: Located) -> Bool { first.value == second.value }
}

/// A position that comparisons ignore.
///
/// - Thread: [any]
@propertyWrapper public struct Uncompared: Sendable, Equatable {
  public var wrappedValue: SourcePosition

  public init(wrappedValue: SourcePosition) { self.wrappedValue = wrappedValue }

  public static func == (first: Uncompared, second: Uncompared) -> Bool { true }
}
