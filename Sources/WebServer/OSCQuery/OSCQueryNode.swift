// Nodes of the address space.

import OSC

/// An address, and its attributes but for the value.
struct OSCQueryNode: Equatable {
  /// The part of the session at an address.
  enum Target: Hashable {
    case container
    case parameter(String)
    case bypass(String)
    case preset(String)
    case note(String)
    case scene
    case panic
    /// `undo` or `redo`.
    case steps(String)
  }

  /// Attributes of the proposal. Those that no node has are answered, not refused.
  enum Attribute: String, CaseIterable {
    case fullPath = "FULL_PATH"
    case contents = "CONTENTS"
    case type = "TYPE"
    case access = "ACCESS"
    case value = "VALUE"
    case range = "RANGE"
    case description = "DESCRIPTION"
    case unit = "UNIT"
    case clipMode = "CLIPMODE"
    case tags = "TAGS"
    case extendedType = "EXTENDED_TYPE"
    case critical = "CRITICAL"
    case overloads = "OVERLOADS"
    case html = "HTML"

    /// The optional ones that nodes have.
    static let optional: [Attribute] = [.access, .value, .range, .description, .unit, .clipMode]
  }

  let target: Target
  let description: String
  /// The type tags; empty for a container.
  var type = ""
  /// The range of each value.
  var range: [JSONValue] = []
  /// The unit of the value, by the proposal's name for it if it has one.
  var unit: String?
  var isReadable = false
  var isWritable = false

  /// Returns an attribute; nil if the node has none. The contents are the tree's.
  ///
  /// - Parameter value: the current value; nil if there is none.
  func attribute(_ attribute: Attribute, at address: String, value: OSCArgument?) -> JSONValue? {
    switch attribute {
    case .fullPath: .text(address)
    case .type: type.isEmpty ? nil : .text(type)
    case .access: .integer((isReadable ? 1 : 0) + (isWritable ? 2 : 0))
    case .value: value.map { .list([$0.json]) }
    case .range: range.isEmpty ? nil : .list(range)
    case .description: .text(description)
    case .unit: unit.map { .list([.text($0)]) }
    // Values out of range are refused.
    case .clipMode:
      isWritable && (type.contains("f") || type.contains("i"))
        ? .list(type.map { _ in .text("none") }) : nil
    case .contents, .tags, .extendedType, .critical, .overloads, .html: nil
    }
  }
}

extension OSCQueryNode {
  static func container(_ description: String) -> OSCQueryNode {
    OSCQueryNode(target: .container, description: description)
  }

  init(_ parameter: SessionPicture.Parameter, mayWrite: Bool) {
    self.init(
      target: .parameter(parameter.path), description: parameter.display?.name ?? parameter.path,
      type: String(parameter.type), unit: Self.unit(parameter.unit), isReadable: true,
      isWritable: mayWrite && !parameter.isReading)
    switch parameter.type {
    case "s": range = [Self.choice(parameter.values)]
    case "i": range = [Self.whole(parameter.minimum, parameter.maximum)]
    case "f":
      range = [.object(["MIN": .number(parameter.minimum), "MAX": .number(parameter.maximum)])]
    default: break
    }
  }

  /// The range of a value with names.
  static func choice(_ names: [String]) -> JSONValue {
    .object(["VALS": .list(names.map { .text($0) })])
  }

  static func whole(_ minimum: Double, _ maximum: Double) -> JSONValue {
    .object([
      "MIN": .integer(minimum.nearestWhole), "MAX": .integer(maximum.nearestWhole),
    ])
  }

  /// Returns the proposal's name of a unit of measure, or the symbol itself; nil for none.
  private static func unit(_ symbol: String) -> String? {
    let names = [
      "Hz": "time.hz", "s": "time.second", "ms": "time.ms", "cents": "time.cents",
      "BPM": "time.bpm", "frames": "time.samples", "dB": "gain.db", "°": "angle.degree",
      "m": "distance.m", "x": "time.speed",
    ]
    return symbol.isEmpty ? nil : names[symbol] ?? symbol
  }
}

extension OSCArgument {
  fileprivate var json: JSONValue {
    switch self {
    case .int32(let value): .integer(Int64(value))
    case .int64(let value): .integer(value)
    // The shortest text that means the same float.
    case .float(let value): Double("\(value)").map { .number($0) } ?? .null
    case .double(let value): .number(value)
    case .string(let text): .text(text)
    case .boolean(let isOn): .bool(isOn)
    case .other: .null
    }
  }
}
