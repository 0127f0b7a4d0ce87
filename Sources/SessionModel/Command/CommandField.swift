// The keys of commands, and how their values are read and written.

/// A value of a command, with its keys in JSON: usually one.
struct CommandField<Value: Sendable>: Sendable {
  let keys: [String]
  let read: @Sendable (CommandObject) throws -> Value
  let write: @Sendable (Value) -> CommandForm.Values
}

/// Values with one key.
///
/// - Parameter accepted: the accepted values as text, for the error.
extension CommandField where Value: Codable {
  static func needed(_ key: String, _ accepted: String) -> CommandField {
    CommandField(
      keys: [key], read: { try $0.needed(key, Value.self, accepted) }, write: { [key: $0] })
  }

  static func optional<Wrapped: Codable & Sendable>(
    _ key: String, _ accepted: String
  ) -> CommandField where Value == Wrapped? {
    CommandField(
      keys: [key], read: { try $0.given(key, Wrapped.self, accepted) }, write: { [key: $0] })
  }

  /// - Parameter standard: the value if the key is missing.
  static func optional(_ key: String, _ accepted: String, or standard: Value) -> CommandField {
    CommandField(
      keys: [key], read: { try $0.given(key, Value.self, accepted) ?? standard },
      write: { [key: $0] })
  }
}

extension CommandField<String> {
  static func text(_ key: String) -> CommandField { .needed(key, "a text") }
}

extension CommandField<Bool> {
  /// A value that is written only if it is true.
  static func flag(_ key: String) -> CommandField {
    let field = optional(key, "true or false", or: false)
    return CommandField(keys: [key], read: field.read) { $0 ? [key: true] : [:] }
  }
}

extension CommandField<Int64?> {
  static var frame: CommandField { .optional("frame", "a whole number") }
}

extension CommandField<[String]> {
  static var settings: CommandField { .optional("settings", settingsText, or: []) }

  /// Units in a watch. Written only if there are any.
  static func units(_ key: String) -> CommandField {
    let field = optional(key, "a list of texts", or: [])
    return CommandField(keys: field.keys, read: field.read) { $0.isEmpty ? [:] : field.write($0) }
  }
}

extension CommandField<[SessionCommand.WatchTopic]> {
  static var topics: CommandField {
    let names = SessionCommand.WatchTopic.allCases.map(\.rawValue).joined(separator: ", ")
    let field = optional("topics", "a list of \(names)", or: [])
    return CommandField(keys: field.keys, read: field.read) { $0.isEmpty ? [:] : field.write($0) }
  }
}

extension CommandField<[SessionCommand]> {
  static var commands: CommandField {
    CommandField(
      keys: ["commands"], read: { try $0.commands("commands") }, write: { ["commands": $0] })
  }
}

extension CommandField<SessionCommand.EntryName> {
  static var entry: CommandField {
    CommandField(keys: ["entry"]) { object in
      try object.find("entry", Int.self).map { .number($0) }
        ?? .name(try object.needed("entry", String.self, "a name or a number"))
    } write: {
      switch $0 {
      case .name(let name): ["entry": name]
      case .number(let number): ["entry": number]
      }
    }
  }
}

extension CommandField<SessionCommand> {
  /// `map`, which lists the mappings if it has no keys.
  static var mapping: CommandField {
    CommandField(keys: ["path", "settings"]) { object in
      let settings = try object.given("settings", [String].self, settingsText)
      let path =
        try settings == nil
        ? object.given("path", String.self, "a text") : object.text("path")
      return path.map { .map(path: $0, settings: settings ?? []) } ?? .mappings
    } write: {
      if case .map(let path, let settings) = $0 {
        ["path": path, "settings": settings]
      } else {
        [:]
      }
    }
  }
}

private let settingsText = "a list of texts KEY=VALUE"
