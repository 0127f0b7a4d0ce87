// Messages of Open Sound Control.

/// An argument of a message. Types that are not supported keep only their tag.
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

/// An address with its arguments.
public struct OSCMessage: Sendable, Equatable {
  /// The address, which begins with a slash.
  public var address: String
  public var arguments: [OSCArgument]

  public init(_ address: String, _ arguments: [OSCArgument] = []) {
    self.address = address
    self.arguments = arguments
  }
}

/// A fault in received OSC data.
public struct OSCFault: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
