// The arguments of an OSC message.

import Configuration
import OSC
import SessionModel

/// Reads arguments as the expected types. Numbers may be of any type.
struct OSCValues {
  private let arguments: [OSCArgument]

  init(_ message: OSCMessage) { arguments = message.arguments }

  var isEmpty: Bool { arguments.isEmpty }
  var count: Int { arguments.count }

  func count(in range: ClosedRange<Int>, _ accepted: String) throws(SessionCommandError) {
    guard range.contains(count) else {
      throw SessionCommandError("\(count) arguments", accepted: accepted)
    }
  }

  private func number(_ index: Int) -> Double? {
    switch arguments[index] {
    case .int32(let value): Double(value)
    case .int64(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .string, .boolean, .other: nil
    }
  }

  func number(_ index: Int, _ accepted: String) throws(SessionCommandError) -> Double {
    guard let number = number(index), number.isFinite else {
      throw wrong(index, accepted)
    }
    return number
  }

  func flag(_ index: Int) throws(SessionCommandError) -> Bool {
    if case .boolean(let isOn) = arguments[index] { return isOn }
    return try number(index, "1, 0, true or false") != 0
  }

  func text(_ index: Int, _ accepted: String) throws(SessionCommandError) -> String {
    guard case .string(let text) = arguments[index] else { throw wrong(index, accepted) }
    return text
  }

  func entry(_ index: Int) throws(SessionCommandError) -> SessionCommand.EntryName {
    if case .string(let name) = arguments[index] { return .name(name) }
    guard let number = Int(exactly: try number(index, "an entry's name or number")) else {
      throw wrong(index, "an entry's name or number")
    }
    return .number(number)
  }

  /// Reads a key, a velocity and a channel.
  func note(for unit: String) throws(SessionCommandError) -> PlayedNote {
    let accepted = "a key and a velocity, 0 to 127, and a channel, 1 to 16"
    try count(in: 2...3, accepted)
    func whole(_ index: Int, _ range: ClosedRange<Int>) throws(SessionCommandError) -> UInt8 {
      // Faders have no whole numbers.
      let number = try number(index, accepted).rounded()
      guard let whole = Int(exactly: number), range.contains(whole) else {
        throw wrong(index, accepted)
      }
      return UInt8(whole)
    }
    return PlayedNote(
      unit: unit, channel: count > 2 ? try whole(2, 1...16) - 1 : 0, key: try whole(0, 0...127),
      velocity: try whole(1, 0...127))
  }

  func steps(_ index: Int) throws(SessionCommandError) -> Int {
    guard let number = Int(exactly: try number(index, "a number of steps")) else {
      throw wrong(index, "a number of steps")
    }
    return number
  }

  func setting(_ index: Int) throws(SessionCommandError) -> SettingValue {
    switch arguments[index] {
    case .string(let text): .string(text)
    case .boolean(let isOn): .boolean(isOn)
    default: .number(try number(index, "a finite number, true, false or a text"))
    }
  }

  /// Reads a path with or without a slash before it.
  func path(_ index: Int) throws(SessionCommandError) -> String {
    let path = try text(index, "a path, such as piano/gain")
    return path.hasPrefix("/") ? String(path.dropFirst()) : path
  }

  /// Reads paths, and a port if there is a number among them.
  func pathsAndPort() throws(SessionCommandError) -> ([String], Int?) {
    var paths: [String] = []
    var port: Int?
    for index in arguments.indices {
      guard let number = number(index) else {
        paths.append(try path(index))
        continue
      }
      guard let whole = Int(exactly: number), OSCConfiguration.ports.contains(whole) else {
        throw wrong(index, "a port, 1 to 65535")
      }
      port = whole
    }
    return (paths, port)
  }

  private func wrong(_ index: Int, _ accepted: String) -> SessionCommandError {
    let found =
      switch arguments[index] {
      case .int32(let value): "\(value)"
      case .int64(let value): "\(value)"
      case .float(let value): "\(value)"
      case .double(let value): "\(value)"
      case .string(let text): quoted(text)
      case .boolean(let isOn): "\(isOn)"
      case .other(let tag): "a value of type '\(tag)'"
      }
    return SessionCommandError("argument \(index + 1) is \(found)", accepted: accepted)
  }
}
