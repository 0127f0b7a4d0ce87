// Options of making a unit, and errors of making and registration.

/// The process in which a unit runs. If empty, the component decides.
///
/// AUv3: `AudioComponentInstantiationOptions`, with its raw values.
public struct InstantiationOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  /// - Thread: [any]
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// In a separate process.
  public static let loadOutOfProcess = InstantiationOptions(rawValue: 1)
  /// In the host's process.
  public static let loadInProcess = InstantiationOptions(rawValue: 2)
}

/// The reason why a unit could not be made.
public enum InstantiationError: Error, Sendable, CustomStringConvertible {
  /// No component has this name or these codes.
  case unknownComponent(String, available: [String])
  /// A pattern matches several components.
  case ambiguous(String, matches: [String])
  /// The component runs only in the host's process.
  case outOfProcessUnavailable(String)
  /// Both in-process and out-of-process were requested.
  case contradictingOptions
  /// The component's own error.
  case failed(String, reason: String)

  public var description: String {
    switch self {
    case .unknownComponent(let text, let available):
      "no component \"\(text)\"; there "
        + (available.isEmpty
          ? "are none registered" : "is \(available.joined(separator: ", "))")
    case .ambiguous(let text, let matches):
      "\"\(text)\" names several components: \(matches.joined(separator: ", ")); give one of them"
    case .outOfProcessUnavailable(let name):
      "\(name) runs inside this process only; leave out the option to load it out of process"
    case .contradictingOptions:
      "a unit loads either in process or out of process; give one of the two options"
    case .failed(let name, let reason):
      "\(name) could not be made: \(reason)"
    }
  }
}

/// The reason why a component could not be registered.
public enum RegistrationError: Error, Sendable, Hashable, CustomStringConvertible {
  case incompleteDescription(String)
  case invalidShortName(String)
  /// Another component has these codes or this short name.
  case taken(String, by: String)

  public var description: String {
    switch self {
    case .incompleteDescription(let codes):
      "a component needs type, subtype and manufacturer of four printable characters, not \(codes)"
    case .invalidShortName(let name):
      "short name \"\(name)\": use lower-case letters, digits, - and _, a letter first"
    case .taken(let what, let name):
      "\(what) is already registered, by \(name)"
    }
  }
}
