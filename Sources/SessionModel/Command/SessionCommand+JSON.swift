// Commands as JSON.

import Configuration

/// A command as one object of JSON:
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

  /// The keys that a command has beside its name.
  private static func keys(of name: Name) -> [Key] {
    switch name {
    case .list, .get: [.path]
    case .set: [.path, .value, .ramp, .frame, .tellFrame]
    case .watch: [.paths]
    case .bypass: [.unit, .on]
    case .preset: [.unit, .action, .name]
    case .soundfont: [.unit, .file, .bank, .program]
    case .entry: [.unit, .entry, .frame]
    case .connect, .disconnect: [.from, .to, .frame]
    case .add, .replace: [.unit, .component, .settings, .frame]
    case .remove: [.unit, .ringOut, .frame]
    case .map: [.path, .settings, .frame]
    case .unmap: [.path, .frame]
    case .journal: [.since]
    case .hello: [.name]
    case .scene: [.action, .name, .paths, .frame]
    case .learn: [.path, .settings, .timeout, .notes]
    case .together: [.commands, .frame]
    case .panic, .status: []
    case .save: [.file]
    case .undo, .redo: [.steps]
    }
  }

  /// - Throws: `SessionCommandError` for what is none.
  public init(from decoder: any Decoder) throws {
    let object = CommandObject(try decoder.container(keyedBy: Key.self))
    let accepted = Name.allCases.map(\.rawValue)
    guard let word = object.find(.command, String.self) else {
      throw SessionCommandError("a request without a command", accepted: accepted)
    }
    guard let name = Name(rawValue: word) else {
      throw SessionCommandError.unknown("command", word, in: "the request", accepted: accepted)
    }
    let keys = Self.keys(of: name).map(\.rawValue)
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    where key != Key.command.rawValue && !keys.contains(key) {
      throw SessionCommandError.unknown("key", key, in: "'\(word)'", accepted: keys)
    }
    switch name {
    case .hello: self = .hello(name: try object.text(.name))
    case .list: self = .list(path: try object.given(.path, String.self, "a text"))
    case .get: self = .get(path: try object.text(.path))
    case .set:
      self = .set(
        path: try object.text(.path),
        value: try object.needed(.value, JSONSetting.self, "a number, a text, true or false").value,
        rampMilliseconds: try object.given(.ramp, Double.self, "a number of milliseconds"),
        frame: try object.given(.frame, Int64.self, "a whole number"),
        tellsFrame: try object.given(.tellFrame, Bool.self, "true or false") ?? false)
    case .watch: self = .watch(paths: try object.needed(.paths, [String].self, "a list of texts"))
    case .bypass:
      self = .bypass(
        unit: try object.text(.unit), isOn: try object.needed(.on, Bool.self, "true or false"))
    case .preset: self = .preset(unit: try object.text(.unit), try PresetAction(object))
    case .soundfont:
      self = .soundFont(
        unit: try object.text(.unit), file: try object.text(.file),
        bank: try object.given(.bank, Int.self, "a whole number"),
        program: try object.given(.program, Int.self, "a whole number"))
    case .entry:
      let number = object.find(.entry, Int.self)
      self = .entry(
        unit: try object.text(.unit),
        try number.map { .number($0) }
          ?? .name(try object.needed(.entry, String.self, "a name or a number")),
        frame: try object.given(.frame, Int64.self, "a whole number"))
    case .connect: self = .connect(from: try object.text(.from), to: try object.text(.to))
    case .disconnect:
      self = .disconnect(from: try object.text(.from), to: try object.text(.to))
    case .add, .replace:
      let unit = try object.text(.unit)
      let component = try object.text(.component)
      let settings =
        try object.given(.settings, [String].self, "a list of texts KEY=VALUE") ?? []
      self =
        name == .add
        ? .add(unit: unit, component: component, settings: settings)
        : .replace(unit: unit, component: component, settings: settings)
    case .remove:
      self = .remove(
        unit: try object.text(.unit),
        ringsOut: try object.given(.ringOut, Bool.self, "true or false") ?? false)
    case .map:
      let settings = try object.given(.settings, [String].self, "a list of texts KEY=VALUE")
      if let path = try object.given(.path, String.self, "a text") {
        self = .map(path: path, settings: settings ?? [])
      } else if settings == nil {
        self = .mappings
      } else {
        throw SessionCommandError("a 'path' is needed", accepted: "a text")
      }
    case .unmap: self = .unmap(path: try object.text(.path))
    case .scene: self = .scene(try SceneAction(object))
    case .journal: self = .journal(since: try object.given(.since, Int64.self, "a whole number"))
    case .learn:
      self = .learn(
        path: try object.text(.path),
        settings: try object.given(.settings, [String].self, "a list of texts KEY=VALUE") ?? [],
        LearnOptions(
          timeoutSeconds: try object.given(.timeout, Int.self, "a whole number of seconds"),
          takesNotes: try object.given(.notes, Bool.self, "true or false") ?? false))
    case .together:
      self = .together(
        try object.commands(.commands),
        frame: try object.given(.frame, Int64.self, "a whole number"))
    case .panic: self = .panic
    case .status: self = .status
    case .save: self = .save(file: try object.given(.file, String.self, "a text"))
    case .undo: self = .undo(steps: try object.given(.steps, Int.self, "a whole number") ?? 1)
    case .redo: self = .redo(steps: try object.given(.steps, Int.self, "a whole number") ?? 1)
    }
    guard [.connect, .disconnect, .add, .replace, .remove, .map, .unmap].contains(name) else {
      return
    }
    // On a frame it is a change of its own.
    if let frame = try object.given(.frame, Int64.self, "a whole number") {
      self = .together([self], frame: frame)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    func put(_ name: Name) throws { try object.encode(name.rawValue, forKey: .command) }
    func put(_ value: (some Encodable)?, _ key: Key) throws {
      try object.encodeIfPresent(value, forKey: key)
    }
    switch self {
    case .hello(let name):
      try put(.hello)
      try put(name, .name)
    case .list(let path):
      try put(.list)
      try put(path, .path)
    case .get(let path):
      try put(.get)
      try put(path, .path)
    case .set(let path, let value, let ramp, let frame, let tellsFrame):
      try put(.set)
      try put(path, .path)
      try put(JSONSetting(value: value), .value)
      try put(ramp, .ramp)
      try put(frame, .frame)
      try put(tellsFrame ? true : nil, .tellFrame)
    case .watch(let paths):
      try put(.watch)
      try put(paths, .paths)
    case .bypass(let unit, let isOn):
      try put(.bypass)
      try put(unit, .unit)
      try put(isOn, .on)
    case .preset(let unit, let action):
      try put(.preset)
      try put(unit, .unit)
      try put(action.words.action.rawValue, .action)
      try put(action.words.name, .name)
    case .soundFont(let unit, let file, let bank, let program):
      try put(.soundfont)
      try put(unit, .unit)
      try put(file, .file)
      try put(bank, .bank)
      try put(program, .program)
    case .entry(let unit, let entry, let frame):
      try put(.entry)
      try put(unit, .unit)
      switch entry {
      case .name(let name): try put(name, .entry)
      case .number(let number): try put(number, .entry)
      }
      try put(frame, .frame)
    case .connect(let from, let to):
      try put(.connect)
      try put(from, .from)
      try put(to, .to)
    case .disconnect(let from, let to):
      try put(.disconnect)
      try put(from, .from)
      try put(to, .to)
    case .add(let unit, let component, let settings):
      try put(.add)
      try put(unit, .unit)
      try put(component, .component)
      try put(settings, .settings)
    case .replace(let unit, let component, let settings):
      try put(.replace)
      try put(unit, .unit)
      try put(component, .component)
      try put(settings, .settings)
    case .remove(let unit, let ringsOut):
      try put(.remove)
      try put(unit, .unit)
      try put(ringsOut ? true : nil, .ringOut)
    case .mappings: try put(.map)
    case .map(let path, let settings):
      try put(.map)
      try put(path, .path)
      try put(settings, .settings)
    case .unmap(let path):
      try put(.unmap)
      try put(path, .path)
    case .journal(let frame):
      try put(.journal)
      try put(frame, .since)
    case .scene(let action):
      try put(.scene)
      try put(action.words.action.rawValue, .action)
      try put(action.words.name, .name)
      if case .save(_, let paths) = action, !paths.isEmpty { try put(paths, .paths) }
      if case .load(_, let frame) = action { try put(frame, .frame) }
    case .together(let commands, let frame):
      try put(.together)
      try put(commands, .commands)
      try put(frame, .frame)
    case .learn(let path, let settings, let options):
      try put(.learn)
      try put(path, .path)
      try put(settings, .settings)
      try put(options.timeoutSeconds, .timeout)
      try put(options.takesNotes, .notes)
    case .panic: try put(.panic)
    case .status: try put(.status)
    case .save(let file):
      try put(.save)
      try put(file, .file)
    case .undo(let steps):
      try put(.undo)
      try put(steps, .steps)
    case .redo(let steps):
      try put(.redo)
      try put(steps, .steps)
    }
  }
}

extension SessionCommand.PresetAction {
  fileprivate var words: (action: SessionCommand.Action, name: String?) {
    switch self {
    case .list: (.list, nil)
    case .load(let name): (.load, name)
    case .save(let name): (.save, name)
    case .delete(let name): (.delete, name)
    }
  }

  fileprivate init(_ object: CommandObject) throws(SessionCommandError) {
    switch try SessionCommand.Action(object, of: "preset") {
    case .list: self = .list
    case .load: self = .load(try object.text(.name))
    case .save: self = .save(try object.text(.name))
    case .delete: self = .delete(try object.text(.name))
    }
  }
}

extension SessionCommand.SceneAction {
  fileprivate var words: (action: SessionCommand.Action, name: String?) {
    switch self {
    case .list: (.list, nil)
    case .load(let name, _): (.load, name)
    case .save(let name, _): (.save, name)
    case .delete(let name): (.delete, name)
    }
  }

  fileprivate init(_ object: CommandObject) throws(SessionCommandError) {
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
