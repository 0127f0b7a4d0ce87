// Rules for the names of JACK clients and units.

/// The error of an invalid name, with the accepted form.
///
/// - Thread: [any]
public struct NameError: Error, Sendable, Hashable, CustomStringConvertible {
  public let message: String
  public let accepted: String

  /// `message; accepted: …`, on one line.
  public var description: String { "\(message); accepted: \(accepted)" }

  func problem(at location: SourcePosition) -> ConfigurationProblem {
    ConfigurationProblem(message, accepted: accepted, at: location)
  }
}

/// A valid name of a JACK client.
///
/// - Thread: [any]
public struct ClientName: Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of bytes of a name in JACK2: its `jack_client_name_size()` is 64, with the
  /// terminating zero.
  public static let maximumBytes = 63

  public let text: String

  /// Accepts 1 to `maximumBytes` bytes of UTF-8. A colon would end the client's part of a port
  /// name, a slash that of a file name.
  ///
  /// - Parameter maximumBytes: the maximum of the JACK library in use.
  /// - Throws: `NameError` for an empty or longer text, and one with a colon, a slash or a control
  ///   character.
  public init(_ text: String, maximumBytes: Int = Self.maximumBytes) throws(NameError) {
    let accepted = "1 to \(maximumBytes) bytes without ':', '/' and control characters"
    let count = text.utf8.count
    guard count > 0, count <= maximumBytes else {
      throw NameError(
        message: "\(quoted(text)) cannot name a JACK client: it has \(count) bytes",
        accepted: accepted)
    }
    let isName = text.unicodeScalars.allSatisfy {
      $0 != ":" && $0 != "/" && $0.properties.generalCategory != .control
    }
    guard isName else {
      throw NameError(message: "\(quoted(text)) cannot name a JACK client", accepted: accepted)
    }
    self.text = text
  }

  public var description: String { text }
}

/// A valid id of a unit of a session.
///
/// - Thread: [any]
public struct UnitName: Sendable, Hashable, CustomStringConvertible {
  /// The maximum length; the rest of JACK's 255 bytes is for the names of client and port.
  public static let maximumLength = 64
  /// A description of the accepted names.
  public static let accepted = "1 to \(maximumLength) letters, digits, '-' and '_'"

  /// Names that connections use for something else, with their meanings.
  package static let reserved = [
    SessionConfiguration.controlID: "where the controllers of [[map]] come in",
    PhysicalPorts.head: "how connections name the machine's own ports",
  ]

  public let text: String

  /// Accepts 1 to 64 ASCII letters, digits, hyphens and underscores.
  ///
  /// - Throws: `NameError` for another text, and for the reserved names `control` and `physical`.
  public init(_ text: String) throws(NameError) {
    let fits = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard fits, (1...Self.maximumLength).contains(text.utf8.count) else {
      throw NameError(message: "\(quoted(text)) cannot name ports", accepted: Self.accepted)
    }
    if let meaning = Self.reserved[text] {
      throw NameError(message: "'\(text)' is \(meaning)", accepted: "another id")
    }
    self.text = text
  }

  public var description: String { text }
}

extension ConfigurationValue {
  /// Returns a string that `make` accepts as a name.
  func name<Name>(
    _ key: String, _ make: (String) throws(NameError) -> Name
  ) throws(ConfigurationProblem) -> Located<String> {
    let text = try string(key)
    do throws(NameError) { _ = try make(text.value) } catch {
      throw error.problem(at: text.location)
    }
    return text
  }
}
