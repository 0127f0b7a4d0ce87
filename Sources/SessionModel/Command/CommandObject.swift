// The object of JSON that a command is read from.

import Configuration

/// Reads the values of a command, and throws an error for a missing or wrong one.
struct CommandObject {
  private let object: KeyedDecodingContainer<CommandKey>

  init(_ object: KeyedDecodingContainer<CommandKey>) { self.object = object }

  /// Returns the value of a key; nil if it is missing or of another type.
  func find<Value: Decodable>(_ key: String, _ type: Value.Type) -> Value? {
    try? object.decode(type, forKey: CommandKey(key))
  }

  /// - Parameter what: the accepted value as text, for the error.
  func needed<Value: Decodable>(
    _ key: String, _ type: Value.Type, _ what: String
  ) throws(SessionCommandError) -> Value {
    guard let value = find(key, type) else {
      throw SessionCommandError("a '\(key)' is needed", accepted: what)
    }
    return value
  }

  /// Returns the value of a key; nil if it is missing.
  func given<Value: Decodable>(
    _ key: String, _ type: Value.Type, _ what: String
  ) throws(SessionCommandError) -> Value? {
    object.contains(CommandKey(key)) ? try needed(key, type, what) : nil
  }

  /// - Throws: also the error of a command in the list.
  func commands(_ key: String) throws -> [SessionCommand] {
    guard object.contains(CommandKey(key)) else {
      throw SessionCommandError("a '\(key)' is needed", accepted: "a list of commands")
    }
    do { return try object.decode([SessionCommand].self, forKey: CommandKey(key)) } catch {
      guard let error = error as? SessionCommandError else {
        throw SessionCommandError("'\(key)' is none", accepted: "a list of commands")
      }
      throw error
    }
  }

  func text(_ key: String) throws(SessionCommandError) -> String {
    try needed(key, String.self, "a text")
  }
}

/// A key of a command.
struct CommandKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ key: String) { stringValue = key }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// A parameter value in its JSON form.
struct JSONSetting: Codable {
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
