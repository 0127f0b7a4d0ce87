// The form of a command, its only declaration besides its case.

/// The declaration of a command: its name, its effect, and its keys in JSON.
struct CommandForm: Sendable {
  /// The values of a command's keys; a nil one is left out.
  typealias Values = [String: (any Encodable)?]

  let name: String
  let effect: SessionCommand.Effect
  /// The keys other than the command's name.
  let keys: [String]
  let read: @Sendable (CommandObject) throws -> SessionCommand
  /// Returns the values of the keys; nil for another command.
  let write: @Sendable (SessionCommand) -> Values?

  /// Creates the form of a command with fields, which are read in their order. With the effect
  /// `.structure` it also has a key `frame`, which makes it a `together` of its own.
  ///
  /// - Parameter values: returns the values of the fields; nil for another command.
  init<each Value>(
    _ name: String, _ effect: SessionCommand.Effect,
    _ command: @escaping @Sendable (repeat each Value) -> SessionCommand,
    _ fields: repeat CommandField<each Value>,
    values: @escaping @Sendable (SessionCommand) -> (repeat each Value)?
  ) {
    let frame = CommandField.frame
    let hasFrame = effect == .structure
    var keys: [String] = []
    for field in repeat each fields { keys += field.keys }
    (self.name, self.effect, self.keys) = (name, effect, keys + (hasFrame ? frame.keys : []))
    read = { object in
      let command = command(repeat try (each fields).read(object))
      guard hasFrame, let frame = try frame.read(object) else { return command }
      return .together([command], frame: frame)
    }
    write = { command in
      guard let values = values(command) else { return nil }
      var written: Values = [:]
      repeat written.merge((each fields).write(each values)) { $1 }
      return written
    }
  }
}

extension SessionCommand {
  /// The way in which a command takes effect.
  package enum Effect: Sendable {
    /// Waits neither for other changes nor for files.
    case atOnce
    /// Sets a value. Several can be combined in `together`.
    case value
    /// Changes units, connections or mappings. Several can be combined in `together`.
    case structure
    /// May have to wait for other changes, or for files.
    case late
  }

  /// The effect of the command: its form's, except that `map` without keys only lists.
  package var effect: Effect { self == .mappings ? .atOnce : written.form.effect }

  /// The form of the command, and the values of its keys.
  var written: (form: CommandForm, values: CommandForm.Values) {
    for form in CommandForm.all {
      if let values = form.write(self) { return (form, values) }
    }
    preconditionFailure("a command without a form")
  }

  /// Returns the names of the commands with an effect, as text: `connect, disconnect and add`.
  package static func names(_ effect: Effect) -> String {
    let names = CommandForm.all.filter { $0.effect == effect }.map(\.name)
    return [names.dropLast().joined(separator: ", "), names.last ?? ""].filter { !$0.isEmpty }
      .joined(separator: " and ")
  }
}
