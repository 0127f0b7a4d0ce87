// Values of a configuration as a tree with positions.
import CToml

/// One value of a configuration, with the types of TOML.
///
/// - Thread: [any]
public struct ConfigurationValue: Sendable {
  /// A key of a table with its value.
  public struct Member: Sendable, Equatable {
    public let key: Located<String>
    public var value: ConfigurationValue

    public init(key: Located<String>, value: ConfigurationValue) {
      self.key = key
      self.value = value
    }
  }

  /// The kinds of values.
  public indirect enum Content: Sendable {
    /// The members in the order of the file; their keys are unique.
    case table([Member])
    case array([ConfigurationValue])
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    /// A date or time; no key accepts one.
    case date
  }

  public var content: Content
  /// The position where it was written.
  public let location: SourcePosition

  public init(_ content: Content, at location: SourcePosition = .nowhere) {
    self.content = content
    self.location = location
  }

  /// Makes a table of these keys, which must be unique.
  ///
  /// - Thread: [any]
  public static func table(_ members: [(String, ConfigurationValue)]) -> ConfigurationValue {
    ConfigurationValue(
      .table(members.map { Member(key: Located($0.0, at: .nowhere), value: $0.1) }))
  }

  /// The content's type with its article, for messages.
  var typeName: String {
    switch content {
    case .table: "a table"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a number"
    case .boolean: "a boolean"
    case .date: "a date or time"
    }
  }
}

/// Ignores the order of a table's keys. A whole number equals the integer, however it was written.
extension ConfigurationValue.Content: Equatable {
  public static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.table(let first), .table(let second)):
      first.sorted { $0.key.value < $1.key.value } == second.sorted { $0.key.value < $1.key.value }
    case (.array(let first), .array(let second)): first == second
    case (.string(let first), .string(let second)): first == second
    case (.integer(let first), .integer(let second)): first == second
    case (.float(let first), .float(let second)): first == second
    case (.float(let number), .integer(let whole)), (.integer(let whole), .float(let number)):
      TOMLText.whole(number) == whole
    case (.boolean(let first), .boolean(let second)): first == second
    case (.date, .date): true
    default: false
    }
  }
}

extension ConfigurationValue: Equatable {
  public static func == (first: Self, second: Self) -> Bool { first.content == second.content }
}

extension ConfigurationValue {
  /// Parses the bytes of a document; its root is a table.
  static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ConfigurationValue
  {
    var error = CTomlError()
    let document = bytes.withUnsafeBytes {
      // An empty buffer may have a nil address.
      $0.isEmpty
        ? ctoml_parse("", 0, &error)
        : ctoml_parse($0.assumingMemoryBound(to: CChar.self).baseAddress!, $0.count, &error)
    }
    guard let document else {
      let message = withUnsafeBytes(of: error.message) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw ConfigurationError(
        ConfigurationProblem(
          "not valid TOML: \(printable(message, 200))",
          at: SourcePosition(file: file, line: Int(error.line), column: Int(error.column))))
    }
    defer { ctoml_free(document) }
    var count = 0
    let nodes = UnsafeBufferPointer(start: ctoml_nodes(document, &count), count: count)
    return ConfigurationValue(nodes, at: 0, file: file)
  }

  private init(_ nodes: UnsafeBufferPointer<CTomlNode>, at index: Int, file: String) {
    let node = nodes[index]
    location = SourcePosition(file: file, line: Int(node.line), column: Int(node.column))
    let members = ConfigurationValue.indices(ofMembersOf: index, in: nodes)
    switch node.kind {
    case CTomlTable:
      content = .table(
        members.map {
          let key = Located(
            ConfigurationValue.text(nodes[$0].key, nodes[$0].keyLength),
            at: SourcePosition(
              file: file, line: Int(nodes[$0].keyLine), column: Int(nodes[$0].keyColumn)))
          return Member(key: key, value: ConfigurationValue(nodes, at: $0, file: file))
        })
    case CTomlArray: content = .array(members.map { ConfigurationValue(nodes, at: $0, file: file) })
    case CTomlString: content = .string(ConfigurationValue.text(node.text, node.textLength))
    case CTomlInteger: content = .integer(Int(node.integer))
    case CTomlFloat: content = .float(node.number)
    case CTomlBoolean: content = .boolean(node.boolean != 0)
    default: content = .date
    }
  }

  private static func indices(
    ofMembersOf index: Int, in nodes: UnsafeBufferPointer<CTomlNode>
  ) -> [Int] {
    var members: [Int] = []
    var next = index + 1
    let end = next + Int(nodes[index].subtreeCount)
    while next < end {
      members.append(next)
      next += 1 + Int(nodes[next].subtreeCount)
    }
    return members
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
  }
}
