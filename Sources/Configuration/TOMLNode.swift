// A parsed TOML document as a Swift tree that keeps the positions.
import CToml

/// One value of a TOML document.
struct TOMLNode {
  struct Member {
    let key: Located<String>
    let value: TOMLNode
  }

  indirect enum Content {
    case table([Member])
    case array([TOMLNode])
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    case date
  }

  let content: Content
  let location: SourcePosition

  /// The content's type with its article, as a message names it.
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

extension TOMLNode {
  /// Parses a document of any bytes; its root is a table.
  static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> TOMLNode {
    var error = CTomlError()
    let document = bytes.withUnsafeBytes {
      // An empty buffer may have no address.
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
    return TOMLNode(nodes, at: 0, file: file)
  }

  private init(_ nodes: UnsafeBufferPointer<CTomlNode>, at index: Int, file: String) {
    let node = nodes[index]
    location = SourcePosition(file: file, line: Int(node.line), column: Int(node.column))
    let members = TOMLNode.indices(ofMembersOf: index, in: nodes)
    switch node.kind {
    case CTomlTable:
      content = .table(
        members.map {
          let key = Located(
            TOMLNode.text(nodes[$0].key, nodes[$0].keyLength),
            at: SourcePosition(
              file: file, line: Int(nodes[$0].keyLine), column: Int(nodes[$0].keyColumn)))
          return Member(key: key, value: TOMLNode(nodes, at: $0, file: file))
        })
    case CTomlArray: content = .array(members.map { TOMLNode(nodes, at: $0, file: file) })
    case CTomlString: content = .string(TOMLNode.text(node.text, node.textLength))
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
