// A parser of property lists in XML that trusts no input.

import FoundationEssentials
import Platform

/// A parser of property list elements, without custom entities or a DTD.
struct PropertyListParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ data: Data) { bytes = Array(data) }

  /// Reads the only value of the document.
  mutating func document() throws(PropertyList.Fault) -> PropertyListValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    guard try tag() == Tag(name: "plist", kind: .start) else {
      throw fault("this is not an XML property list")
    }
    let value = try value(tag(), depth: 0)
    guard try tag() == Tag(name: "plist", kind: .end) else { throw fault("</plist> is missing") }
    try skipSpace()
    guard position == bytes.count else { throw fault("there is more after </plist>") }
    return value
  }

  private struct Tag: Equatable {
    enum Kind { case start, end, empty }
    let name: String
    let kind: Kind
  }

  private mutating func value(
    _ tag: Tag, depth: Int
  ) throws(PropertyList.Fault) -> PropertyListValue {
    guard depth < PropertyList.maximumDepth else { throw fault("it is nested too deep") }
    switch (tag.name, tag.kind) {
    case ("true", .empty): return .boolean(true)
    case ("false", .empty): return .boolean(false)
    case ("dict", .empty): return .dictionary([:])
    case ("array", .empty): return .array([])
    case ("string", .empty): return .string("")
    case ("data", .empty): return .data(Data())
    case ("dict", .start): return try dictionary(depth: depth)
    case ("array", .start):
      var values: [PropertyListValue] = []
      while true {
        let next = try self.tag()
        if next == Tag(name: "array", kind: .end) { return .array(values) }
        values.append(try value(next, depth: depth + 1))
      }
    case ("true", .start), ("false", .start):
      guard try text(of: tag.name).isEmpty else { throw fault("<\(tag.name)> is not empty") }
      return .boolean(tag.name == "true")
    case (_, .start):
      return try scalar(tag.name, text(of: tag.name))
    default:
      throw fault("<\(tag.name)> stands where a value belongs")
    }
  }

  private mutating func dictionary(depth: Int) throws(PropertyList.Fault) -> PropertyListValue {
    var values: [String: PropertyListValue] = [:]
    while true {
      let next = try tag()
      if next == Tag(name: "dict", kind: .end) { return .dictionary(values) }
      guard next.name == "key", next.kind != .end else {
        throw fault("<\(next.name)> stands where a key belongs")
      }
      let key = next.kind == .empty ? "" : try text(of: "key")
      guard values[key] == nil else { throw fault("the key \"\(key)\" stands twice") }
      values[key] = try value(tag(), depth: depth + 1)
    }
  }

  private func scalar(
    _ name: String, _ text: String
  ) throws(PropertyList.Fault) -> PropertyListValue {
    let plain = text.trimmed
    switch name {
    case "string":
      return .string(text)
    case "integer":
      if let value = Int(plain) { return .integer(value) }
      if plain.hasPrefix("0x"), let value = Int(plain.dropFirst(2), radix: 16) {
        return .integer(value)
      }
    case "real":
      if let value = Double(plain) { return .real(value) }
    case "data":
      if let value = Data(base64Encoded: plain, options: .ignoreUnknownCharacters) {
        return .data(value)
      }
    case "date":
      if let value = try? Date(plain, strategy: .iso8601) { return .date(value) }
    default:
      throw fault("<\(name)> is no element of a property list")
    }
    throw fault("\"\(plain.prefix(40))\" is no <\(name)>")
  }

  // MARK: Text and tags

  /// Reads the text up to the end tag of `name`, with entities resolved.
  private mutating func text(of name: String) throws(PropertyList.Fault) -> String {
    var text: [UInt8] = []
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "&"):
        try text.append(contentsOf: entity())
      case UInt8(ascii: "<"):
        if skip("<![CDATA[") {
          let start = position
          try skip(past: "]]>")
          text.append(contentsOf: bytes[start..<position - 3])
        } else if skip("<!--") {
          try skip(past: "-->")
        } else {
          guard try tag() == Tag(name: name, kind: .end) else {
            throw fault("</\(name)> is missing")
          }
          guard let string = String(validating: text, as: UTF8.self) else {
            throw fault("the text is not UTF-8")
          }
          return string
        }
      default:
        text.append(bytes[position])
        position += 1
      }
    }
    throw fault("the file ends within <\(name)>")
  }

  private mutating func entity() throws(PropertyList.Fault) -> [UInt8] {
    let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    guard let end else { throw fault("an & has no entity after it") }
    let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
    position = end + 1
    switch name {
    case "amp": return [0x26]
    case "lt": return [0x3C]
    case "gt": return [0x3E]
    case "quot": return [0x22]
    case "apos": return [0x27]
    default:
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16)
        : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      guard let number, let scalar = Unicode.Scalar(number) else {
        throw fault("&\(name); is no entity of a property list")
      }
      return Array(String(scalar).utf8)
    }
  }

  /// Reads the next tag, after white space, comments, processing instructions and the document
  /// type.
  private mutating func tag() throws(PropertyList.Fault) -> Tag {
    try skipSpace()
    guard position < bytes.count else { throw fault("the file ends too early") }
    guard bytes[position] == UInt8(ascii: "<") else {
      throw fault("there is text between elements")
    }
    position += 1
    let isEnd = skip("/")
    let start = position
    while position < bytes.count, Self.isLetter(bytes[position]) { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !name.isEmpty, name.utf8.count <= 16 else { throw fault("< has no element after it") }
    let rest = position
    try skip(past: ">")
    let isEmpty = !isEnd && position - 2 >= rest && bytes[position - 2] == UInt8(ascii: "/")
    return Tag(name: name, kind: isEnd ? .end : isEmpty ? .empty : .start)
  }

  private mutating func skipSpace() throws(PropertyList.Fault) {
    while position < bytes.count {
      if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
        position += 1
      } else if skip("<!--") {
        try skip(past: "-->")
      } else if skip("<?") {
        try skip(past: "?>")
      } else if skip("<!DOCTYPE") {
        let start = position
        try skip(past: ">")
        guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
          throw fault("it brings a document type of its own")
        }
      } else {
        return
      }
    }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
    position += count
    return true
  }

  private mutating func skip(past text: StaticString) throws(PropertyList.Fault) {
    while position < bytes.count {
      if skip(text) { return }
      position += 1
    }
    throw fault("\(text) is missing")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private func fault(_ reason: String) -> PropertyList.Fault {
    let line = bytes.prefix(position).reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    return PropertyList.Fault(line: line, reason: reason)
  }
}
