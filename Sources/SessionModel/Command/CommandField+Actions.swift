// The actions of `preset` and `scene`.

extension CommandField<SessionCommand.PresetAction> {
  static var presetAction: CommandField {
    CommandField(keys: ["action", "name"]) {
      switch try $0.action(of: "preset") {
      case .list: .list
      case .load: .load(try $0.text("name"))
      case .save: .save(try $0.text("name"))
      case .delete: .delete(try $0.text("name"))
      }
    } write: {
      switch $0 {
      case .list: ["action": "list"]
      case .load(let name): ["action": "load", "name": name]
      case .save(let name): ["action": "save", "name": name]
      case .delete(let name): ["action": "delete", "name": name]
      }
    }
  }
}

extension CommandField<SessionCommand.SceneAction> {
  static var sceneAction: CommandField {
    CommandField(keys: ["action", "name", "paths", "frame"]) { object in
      let paths = try object.given("paths", [String].self, "a list of texts")
      let action = try object.action(of: "scene")
      if paths != nil, action != .save {
        throw SessionCommandError("'paths' say what is saved", accepted: "'save', or no 'paths'")
      }
      let frame = try CommandField<Int64?>.frame.read(object)
      if frame != nil, action != .load {
        throw SessionCommandError(
          "'frame' says when it is loaded", accepted: "'load', or no 'frame'")
      }
      return switch action {
      case .list: .list
      case .load: .load(try object.text("name"), frame: frame)
      case .save: .save(try object.text("name"), paths: paths ?? [])
      case .delete: .delete(try object.text("name"))
      }
    } write: {
      switch $0 {
      case .list: ["action": "list"]
      case .load(let name, let frame): ["action": "load", "name": name, "frame": frame]
      case .save(let name, let paths):
        ["action": "save", "name": name, "paths": paths.isEmpty ? nil : paths]
      case .delete(let name): ["action": "delete", "name": name]
      }
    }
  }
}

private enum Action: String, CaseIterable {
  case list, load, save, delete
}

extension CommandObject {
  fileprivate func action(of command: String) throws(SessionCommandError) -> Action {
    let word = try text("action")
    guard let action = Action(rawValue: word) else {
      throw .unknown(
        "action", word, in: "'\(command)'", accepted: Action.allCases.map(\.rawValue))
    }
    return action
  }
}
