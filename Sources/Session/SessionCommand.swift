// What a running session can be asked to do.

public import Configuration
import Foundation

/// One act on a running session, whoever asks for it: the shell, a controller, another program.
///
/// Units are named by their ids; paths are a unit's id and the key path of a parameter or a group of it, with slashes:
/// `piano/midi/transpose/semitones`.
public enum SessionCommand: Sendable, Equatable {
  /// Tells the units, or the parameters below a path.
  case list(path: String?)
  /// Tells the value of a parameter.
  case get(path: String)
  /// Sets a parameter: at once, or on a frame of the session; at once too, or in a ramp.
  case set(path: String, value: SettingValue, rampMilliseconds: Double? = nil, frame: Int64? = nil)
  /// Tells how the session does.
  case status

  /// The words that name commands.
  public static let names = Name.allCases.map(\.rawValue)

  enum Name: String, CaseIterable {
    case list, get, set, status
  }
}

/// A command as one object of JSON: `{ "command": "set", "path": "piano/gain", "value": -3, "ramp": 200 }`.
extension SessionCommand: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case command, path, value, ramp, frame
  }

  /// Any key.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The keys that a command has beside its name.
  private static func keys(of name: Name) -> Set<Key> {
    switch name {
    case .list, .get: [.path]
    case .set: [.path, .value, .ramp, .frame]
    case .status: []
    }
  }

  /// - Throws: `SessionCommandError` for what is none.
  public init(from decoder: any Decoder) throws {
    let all = try decoder.container(keyedBy: AnyKey.self)
    let object = try decoder.container(keyedBy: Key.self)
    guard let word = try? object.decode(String.self, forKey: .command) else {
      throw SessionCommandError("a request without a command", accepted: Self.names)
    }
    guard let name = Name(rawValue: word) else {
      throw SessionCommandError.unknown("command", word, in: "the request", accepted: Self.names)
    }
    let keys = Self.keys(of: name)
    for key in all.allKeys.map(\.stringValue).sorted() where key != Key.command.rawValue {
      guard keys.contains(where: { $0.rawValue == key }) else {
        throw SessionCommandError.unknown(
          "key", key, in: "'\(word)'", accepted: keys.map(\.rawValue).sorted())
      }
    }
    func text(_ key: Key) throws -> String {
      guard let text = try? object.decode(String.self, forKey: key) else {
        throw SessionCommandError("'\(word)' needs a text as its '\(key.rawValue)'")
      }
      return text
    }
    /// Nil where the key is not there.
    func number<Number: Decodable>(_ key: Key, _ type: Number.Type, _ what: String) throws
      -> Number?
    {
      guard object.contains(key) else { return nil }
      guard let number = try? object.decode(type, forKey: key) else {
        throw SessionCommandError("'\(key.rawValue)' of '\(word)' is \(what)")
      }
      return number
    }
    switch name {
    case .list: self = .list(path: object.contains(.path) ? try text(.path) : nil)
    case .get: self = .get(path: try text(.path))
    case .set:
      guard let value = try? object.decode(JSONSetting.self, forKey: .value) else {
        throw SessionCommandError("'set' needs a number, a text, true or false as its 'value'")
      }
      self = .set(
        path: try text(.path), value: value.value,
        rampMilliseconds: try number(.ramp, Double.self, "a number of milliseconds"),
        frame: try number(.frame, Int64.self, "a whole number"))
    case .status: self = .status
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    func name(_ name: Name) throws { try object.encode(name.rawValue, forKey: .command) }
    switch self {
    case .list(let path):
      try name(.list)
      try object.encodeIfPresent(path, forKey: .path)
    case .get(let path):
      try name(.get)
      try object.encode(path, forKey: .path)
    case .set(let path, let value, let ramp, let frame):
      try name(.set)
      try object.encode(path, forKey: .path)
      try object.encode(JSONSetting(value: value), forKey: .value)
      try object.encodeIfPresent(ramp, forKey: .ramp)
      try object.encodeIfPresent(frame, forKey: .frame)
    case .status: try name(.status)
    }
  }
}

/// A value of a parameter as JSON has it.
private struct JSONSetting: Codable {
  let value: SettingValue

  init(value: SettingValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let isOn = try? single.decode(Bool.self) {
      value = .boolean(isOn)
    } else if let number = try? single.decode(Double.self) {
      value = .number(number)
    } else {
      value = .string(try single.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch value {
    case .boolean(let isOn): try single.encode(isOn)
    case .number(let number): try single.encode(number)
    case .string(let text): try single.encode(text)
    }
  }
}
