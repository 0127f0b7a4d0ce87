// The JSON object of each command: its keys and how they are read.

import Configuration

/// The keys of a command, and the function that reads it.
struct CommandForm: Sendable {
  typealias Key = SessionCommand.Key
  typealias Read = @Sendable (CommandObject) throws -> SessionCommand

  /// The keys other than the command's name.
  let keys: [Key]
  let read: Read

  init(_ keys: Key..., read: @escaping Read) { (self.keys, self.read) = (keys, read) }

  /// Returns the form of a command with a `frame` key, which makes it a `together` of its own.
  static func onFrame(_ keys: Key..., read: @escaping Read) -> CommandForm {
    CommandForm(keys: keys + [.frame]) { object in
      let command = try read(object)
      return try object.frame.map { .together([command], frame: $0) } ?? command
    }
  }

  private init(keys: [Key], read: @escaping Read) { (self.keys, self.read) = (keys, read) }

  static let all = values.merging(sounds) { $1 }.merging(structure) { $1 }.merging(session) { $1 }

  /// Commands that list the session or read and set its values.
  private static let values: [SessionCommand.Name: CommandForm] = [
    .list: CommandForm(.path) { .list(path: try $0.given(.path, String.self, "a text")) },
    .get: CommandForm(.path) { .get(path: try $0.text(.path)) },
    .set: CommandForm(.path, .value, .ramp, .frame, .tellFrame) {
      .set(
        path: try $0.text(.path),
        value: try $0.needed(.value, JSONSetting.self, "a number, a text, true or false").value,
        rampMilliseconds: try $0.given(.ramp, Double.self, "a number of milliseconds"),
        frame: try $0.frame, reportsFrame: try $0.isOn(.tellFrame))
    },
    .watch: CommandForm(.paths) {
      .watch(paths: try $0.needed(.paths, [String].self, "a list of texts"))
    },
    .bypass: CommandForm(.unit, .on) {
      .bypass(unit: try $0.text(.unit), isOn: try $0.needed(.on, Bool.self, "true or false"))
    },
    .panic: CommandForm { _ in .panic },
    .status: CommandForm { _ in .status },
  ]

  private static let sounds: [SessionCommand.Name: CommandForm] = [
    .preset: CommandForm(.unit, .action, .name) {
      .preset(unit: try $0.text(.unit), try SessionCommand.PresetAction($0))
    },
    .soundfont: CommandForm(.unit, .file, .bank, .program) {
      .soundFont(
        unit: try $0.text(.unit), file: try $0.text(.file), bank: try $0.whole(.bank),
        program: try $0.whole(.program))
    },
    .entry: CommandForm(.unit, .entry, .frame) { object in
      let number = object.find(.entry, Int.self)
      return .entry(
        unit: try object.text(.unit),
        try number.map { .number($0) }
          ?? .name(try object.needed(.entry, String.self, "a name or a number")),
        frame: try object.frame)
    },
    .scene: CommandForm(.action, .name, .paths, .frame) {
      .scene(try SessionCommand.SceneAction($0))
    },
  ]

  private static let structure: [SessionCommand.Name: CommandForm] = [
    .connect: onFrame(.from, .to) { .connect(from: try $0.text(.from), to: try $0.text(.to)) },
    .disconnect: onFrame(.from, .to) {
      .disconnect(from: try $0.text(.from), to: try $0.text(.to))
    },
    .add: onFrame(.unit, .component, .settings) {
      .add(
        unit: try $0.text(.unit), component: try $0.text(.component),
        settings: try $0.settings ?? [])
    },
    .replace: onFrame(.unit, .component, .settings) {
      .replace(
        unit: try $0.text(.unit), component: try $0.text(.component),
        settings: try $0.settings ?? [])
    },
    .remove: onFrame(.unit, .ringOut) {
      .remove(unit: try $0.text(.unit), ringsOut: try $0.isOn(.ringOut))
    },
    .map: onFrame(.path, .settings) { object in
      let settings = try object.settings
      if let path = try object.given(.path, String.self, "a text") {
        return .map(path: path, settings: settings ?? [])
      }
      if settings == nil { return .mappings }
      throw SessionCommandError("a 'path' is needed", accepted: "a text")
    },
    .unmap: onFrame(.path) { .unmap(path: try $0.text(.path)) },
    .learn: CommandForm(.path, .settings, .timeout, .notes) {
      .learn(
        path: try $0.text(.path), settings: try $0.settings ?? [],
        SessionCommand.LearnOptions(
          timeoutSeconds: try $0.given(.timeout, Int.self, "a whole number of seconds"),
          takesNotes: try $0.isOn(.notes)))
    },
    .together: CommandForm(.commands, .frame) {
      .together(try $0.commands(.commands), frame: try $0.frame)
    },
  ]

  private static let session: [SessionCommand.Name: CommandForm] = [
    .hello: CommandForm(.name) { .hello(name: try $0.text(.name)) },
    .save: CommandForm(.file) { .save(file: try $0.given(.file, String.self, "a text")) },
    .undo: CommandForm(.steps) { .undo(steps: try $0.whole(.steps) ?? 1) },
    .redo: CommandForm(.steps) { .redo(steps: try $0.whole(.steps) ?? 1) },
    .journal: CommandForm(.since) {
      .journal(since: try $0.given(.since, Int64.self, "a whole number"))
    },
  ]
}

extension CommandObject {
  fileprivate var frame: Int64? {
    get throws(SessionCommandError) { try given(.frame, Int64.self, "a whole number") }
  }

  fileprivate var settings: [String]? {
    get throws(SessionCommandError) {
      try given(.settings, [String].self, "a list of texts KEY=VALUE")
    }
  }

  fileprivate func whole(_ key: SessionCommand.Key) throws(SessionCommandError) -> Int? {
    try given(key, Int.self, "a whole number")
  }

  fileprivate func isOn(_ key: SessionCommand.Key) throws(SessionCommandError) -> Bool {
    try given(key, Bool.self, "true or false") ?? false
  }
}
