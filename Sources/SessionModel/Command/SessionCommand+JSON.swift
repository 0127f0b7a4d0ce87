// Commands as JSON.

import Configuration

/// A command as one JSON object:
/// `{ "command": "set", "path": "piano/gain", "value": -3, "ramp": 200 }`.
extension SessionCommand: Codable {
  enum Name: String, CaseIterable {
    case list, get, set, watch, bypass, preset, soundfont, entry, panic, status
    case save, undo, redo
    case connect, disconnect, add, replace, remove, together
    case map, unmap, learn, scene, journal, hello
  }

  package enum Key: String, CodingKey, CaseIterable {
    case command, path, paths, value, ramp, frame, unit, on, action, name, file, bank, program,
      entry, steps, from, to, component, settings, timeout, notes, commands, ringOut,
      since, tellFrame
  }

  enum Action: String, CaseIterable {
    case list, load, save, delete
  }

  /// - Throws: `SessionCommandError` for an object that is no command.
  public init(from decoder: any Decoder) throws {
    let object = CommandObject(try decoder.container(keyedBy: Key.self))
    let accepted = Name.allCases.map(\.rawValue)
    guard let word = object.find(.command, String.self) else {
      throw SessionCommandError("a request without a command", accepted: accepted)
    }
    guard let form = Name(rawValue: word).flatMap({ CommandForm.all[$0] }) else {
      throw SessionCommandError.unknown("command", word, in: "the request", accepted: accepted)
    }
    let keys = form.keys.map(\.rawValue)
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    where key != Key.command.rawValue && !keys.contains(key) {
      throw SessionCommandError.unknown("key", key, in: "'\(word)'", accepted: keys)
    }
    self = try form.read(object)
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    let words = words
    try object.encode(words.name.rawValue, forKey: .command)
    for (key, value) in words.values { try object.encode(value, forKey: key) }
  }
}

extension SessionCommand.PresetAction {
  var words: (action: SessionCommand.Action, name: String?) {
    switch self {
    case .list: (.list, nil)
    case .load(let name): (.load, name)
    case .save(let name): (.save, name)
    case .delete(let name): (.delete, name)
    }
  }

  init(_ object: CommandObject) throws(SessionCommandError) {
    switch try SessionCommand.Action(object, of: "preset") {
    case .list: self = .list
    case .load: self = .load(try object.text(.name))
    case .save: self = .save(try object.text(.name))
    case .delete: self = .delete(try object.text(.name))
    }
  }
}

extension SessionCommand.SceneAction {
  var words: (action: SessionCommand.Action, name: String?) {
    switch self {
    case .list: (.list, nil)
    case .load(let name, _): (.load, name)
    case .save(let name, _): (.save, name)
    case .delete(let name): (.delete, name)
    }
  }

  init(_ object: CommandObject) throws(SessionCommandError) {
    let paths = try object.given(.paths, [String].self, "a list of texts")
    let action = try SessionCommand.Action(object, of: "scene")
    if paths != nil, action != .save {
      throw SessionCommandError("'paths' say what is saved", accepted: "'save', or no 'paths'")
    }
    let frame = try object.given(.frame, Int64.self, "a whole number")
    if frame != nil, action != .load {
      throw SessionCommandError("'frame' says when it is loaded", accepted: "'load', or no 'frame'")
    }
    switch action {
    case .list: self = .list
    case .load: self = .load(try object.text(.name), frame: frame)
    case .save: self = .save(try object.text(.name), paths: paths ?? [])
    case .delete: self = .delete(try object.text(.name))
    }
  }
}

extension SessionCommand.Action {
  fileprivate init(_ object: CommandObject, of command: String) throws(SessionCommandError) {
    let word = try object.text(.action)
    guard let action = SessionCommand.Action(rawValue: word) else {
      throw .unknown(
        "action", word, in: "'\(command)'",
        accepted: SessionCommand.Action.allCases.map(\.rawValue))
    }
    self = action
  }
}
