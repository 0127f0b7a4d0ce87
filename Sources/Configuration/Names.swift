// Names of JACK clients and of units: the rules for both.

/// Why a text is no name: what is wrong with it, and what would be accepted.
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

/// A name that a JACK client can have.
///
/// - Thread: [any]
public struct ClientName: Sendable, Hashable, CustomStringConvertible {
  /// The most bytes that JACK2 has room for: its `jack_client_name_size()` is 64, with the
  /// terminating zero.
  public static let maximumBytes = 63

  public let text: String

  /// Takes 1 to `maximumBytes` bytes of UTF-8. A colon would end a client's name in the names of
  /// its ports, a slash a file's.
  ///
  /// - Parameter maximumBytes: the most that the JACK library in use has room for.
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

/// A name that a unit of a session can have: its id.
///
/// - Thread: [any]
public struct UnitName: Sendable, Hashable, CustomStringConvertible {
  /// The rest of JACK's 255 bytes are for the client's name and the port's.
  public static let maximumLength = 64
  /// The characters that are accepted, in words.
  public static let accepted = "1 to \(maximumLength) letters, digits, '-' and '_'"

  /// By which connections name something else, and that.
  package static let reserved = [
    SessionConfiguration.controlID: "where the controllers of [[map]] come in",
    PhysicalPorts.head: "how connections name the machine's own ports",
  ]

  public let text: String

  /// Takes 1 to 64 ASCII letters, digits, hyphens and underscores.
  ///
  /// - Throws: `NameError` for another text, and for `control` and `physical`, by which connections
  ///   name something else.
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
  /// A string that names what `Name` makes names of.
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
