// Messages of Open Sound Control.

/// A value in a message. What this program has no use for keeps its type alone.
public enum OSCArgument: Sendable, Equatable {
  case int32(Int32)
  case int64(Int64)
  case float(Float)
  case double(Double)
  case string(String)
  case boolean(Bool)
  /// Another type, by its tag.
  case other(Character)
}

/// An address and what is said to it.
public struct OSCMessage: Sendable, Equatable {
  /// Begins with a slash.
  public var address: String
  public var arguments: [OSCArgument]

  public init(_ address: String, _ arguments: [OSCArgument] = []) {
    self.address = address
    self.arguments = arguments
  }
}

/// What is no OSC, and why.
public struct OSCFault: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
