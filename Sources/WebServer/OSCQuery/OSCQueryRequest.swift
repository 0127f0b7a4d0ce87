// Requests in messages.

import OSC

/// Requests of the control protocol in messages, as docs/OSC.md describes these.
enum OSCQueryRequest {
  /// - Returns: the request; nil for a button that is released.
  static func read(
    _ arguments: [OSCArgument], _ node: OSCQueryNode
  ) throws(RequestRefusal) -> [String: JSONValue]? {
    let first = arguments.first
    switch node.target {
    case .parameter(let path):
      guard let value = first.flatMap({ value($0, isWhole: node.type == "i") }),
        arguments.count < 3, arguments.count == 1 || arguments[1].number != nil
      else { throw wrong("a value, and a ramp in milliseconds") }
      var request: [String: JSONValue] = ["command": "set", "path": .text(path), "value": value]
      if arguments.count > 1 { request["ramp"] = arguments[1].number.map { .number($0) } }
      return request
    case .bypass(let id):
      guard let isOn = first?.flag, arguments.count == 1 else {
        throw wrong("1, 0, true or false")
      }
      return ["command": "bypass", "unit": .text(id), "on": .bool(isOn)]
    case .preset(let id):
      return [
        "command": "preset", "unit": .text(id), "action": "load", "name": try name(arguments),
      ]
    case .scene: return ["command": "scene", "action": "load", "name": try name(arguments)]
    case .panic:
      guard arguments.count < 2, let isOn = first.map(\.flag) ?? true else {
        throw wrong("nothing, or 1")
      }
      return isOn ? ["command": "panic"] : nil
    case .steps(let command):
      guard arguments.count < 2, let steps = first.map(\.whole) ?? 1 else {
        throw wrong("nothing, or a number of steps")
      }
      return ["command": .text(command), "steps": .integer(steps)]
    case .note(let id):
      let numbers = arguments.compactMap(\.whole)
      guard (2...3).contains(numbers.count), numbers.count == arguments.count,
        numbers.prefix(2).allSatisfy({ (0...127).contains($0) }),
        numbers.count < 3 || (1...16).contains(numbers[2])
      else { throw wrong("a key and a velocity, 0 to 127, and a channel, 1 to 16") }
      let channel = numbers.count > 2 ? numbers[2] - 1 : 0
      let bytes = [0x90 + channel, numbers[0], numbers[1]]
      return [
        "command": "midi", "unit": .text(id), "bytes": .list(bytes.map { .integer($0) }),
      ]
    case .container: throw wrong("the addresses within it")
    }
  }

  private static func wrong(_ accepted: String) -> RequestRefusal {
    RequestRefusal(message: "wrong arguments", accepted: accepted)
  }

  private static func name(_ arguments: [OSCArgument]) throws(RequestRefusal) -> JSONValue {
    guard arguments.count == 1, case .string(let name) = arguments[0] else { throw wrong("a name") }
    return .text(name)
  }

  /// Faders have no whole numbers: the nearest is set.
  private static func value(_ argument: OSCArgument, isWhole: Bool) -> JSONValue? {
    switch argument {
    case .string(let text): .text(text)
    case .boolean(let isOn): .bool(isOn)
    default: argument.number.map { .number(isWhole ? $0.rounded() : $0) }
    }
  }
}

extension OSCArgument {
  /// The finite number.
  fileprivate var number: Double? {
    let number: Double? =
      switch self {
      case .int32(let value): Double(value)
      case .int64(let value): Double(value)
      case .float(let value): Double("\(value)")
      case .double(let value): value
      case .string, .boolean, .other: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  fileprivate var whole: Int64? { number.flatMap { Int64(exactly: $0.rounded()) } }

  fileprivate var flag: Bool? {
    if case .boolean(let isOn) = self { isOn } else { number.map { $0 != 0 } }
  }
}
