// Commands as JSON.

/// A command as one JSON object:
/// `{ "command": "set", "path": "piano/gain", "value": -3, "ramp": 200 }`.
extension SessionCommand: Codable {
  /// - Throws: `SessionCommandError` for an object that is no command.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CommandKey.self)
    let object = CommandObject(container)
    let accepted = CommandForm.all.map(\.name)
    guard let word = object.find("command", String.self) else {
      throw SessionCommandError("a request without a command", accepted: accepted)
    }
    guard let form = CommandForm.all.first(where: { $0.name == word }) else {
      throw SessionCommandError.unknown("command", word, in: "the request", accepted: accepted)
    }
    for key in container.allKeys.map(\.stringValue).sorted()
    where key != "command" && !form.keys.contains(key) {
      throw SessionCommandError.unknown("key", key, in: "'\(word)'", accepted: form.keys)
    }
    self = try form.read(object)
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CommandKey.self)
    let (form, values) = written
    try object.encode(form.name, forKey: CommandKey("command"))
    for case (let key, let value?) in values { try object.encode(value, forKey: CommandKey(key)) }
  }
}
