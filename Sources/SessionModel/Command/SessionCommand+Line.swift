// Commands as arguments of `auricle ctl`.

import Configuration

extension SessionCommand {
  /// Maximum length of a line, in Unicode scalars.
  package static let maximumLineLength = 500

  /// The arguments of `auricle ctl` that make the same change, as a shell reads them.
  ///
  /// A frame is left out: it has passed once the change was made. nil for a command that changes
  /// nothing that a script could change again, and for one that fits into no line.
  package var line: String? {
    guard let line = words?.map(shellWord).joined(separator: " "),
      printable(line, Self.maximumLineLength) == line
    else { return nil }
    return line
  }

  private var words: [String]? {
    switch self {
    case .set(let path, let value, let ramp, _, _):
      let ramp = ramp.map { ["--ramp", text($0)] } ?? []
      // A value may be a negative number, also with its unit.
      return value.text.starts(with: /-[0-9.]/)
        ? Self.words(["set"], [path], [value.text] + ramp)
        : Self.words(["set"], [path, value.text], ramp)
    case .bypass(let unit, let isOn): return Self.words(["bypass"], [unit, isOn ? "on" : "off"])
    case .preset(let unit, let action):
      return switch action {
      case .list: nil
      case .load(let name): Self.words(["preset", "load"], [unit, name])
      case .save(let name): Self.words(["preset", "save"], [unit, name])
      case .delete(let name): Self.words(["preset", "delete"], [unit, name])
      }
    case .soundFont(let unit, let file, let bank, let program):
      return Self.words(
        ["soundfont"], [unit, file],
        (bank.map { ["--bank", "\($0)"] } ?? []) + (program.map { ["--program", "\($0)"] } ?? []))
    case .entry(let unit, .number(let number), _):
      return Self.words(["entry"], [unit, "\(number)"])
    case .entry(let unit, .name(let name), _):
      // The program takes a number for one.
      return Int(name) == nil ? Self.words(["entry"], [unit, name]) : nil
    case .connect(let from, let to): return Self.words(["connect"], [from, to])
    case .disconnect(let from, let to): return Self.words(["disconnect"], [from, to])
    case .add(let unit, let component, let settings):
      return Self.words(["add"], [unit, component] + settings)
    case .replace(let unit, let component, let settings):
      return Self.words(["replace"], [unit, component] + settings)
    case .remove(let unit, let ringsOut):
      return Self.words(["remove"], [unit], ringsOut ? ["--ring-out"] : [])
    case .place(let unit, let place):
      return Self.words(["place"], [unit], place.map { [text($0.x), text($0.y)] } ?? [])
    case .map(let path, let settings): return Self.words(["map"], [path] + settings)
    case .unmap(let path): return Self.words(["unmap"], [path])
    case .scene(let action):
      return switch action {
      case .list: nil
      case .load(let name, _): Self.words(["scene", "load"], [name])
      case .save(let name, let paths): Self.words(["scene", "save"], [name] + paths)
      case .delete(let name): Self.words(["scene", "delete"], [name])
      }
    case .together(let commands, _): return Self.words(together: commands)
    case .panic: return ["panic"]
    // Undone changes are left out of a script, so there is nothing to undo in it.
    case .undo, .redo: return nil
    case .hello, .list, .get, .gesture, .watch, .midi, .choices, .response, .view, .waveform,
      .mappings, .learn, .status, .journal, .save:
      return nil
    }
  }

  /// Returns the words of a command; nil if an argument looks like an option.
  private static func words(
    _ name: [String], _ arguments: [String], _ rest: [String] = []
  ) -> [String]? {
    arguments.contains { $0.hasPrefix("-") } ? nil : name + arguments + rest
  }

  private static func words(together commands: [SessionCommand]) -> [String]? {
    let all = commands.compactMap(\.words)
    guard all.count == commands.count, !all.joined().contains(",") else { return nil }
    return all.count == 1
      ? all[0] : ["together"] + all.joined(separator: [","])
  }
}

extension SettingValue {
  /// The value as an argument.
  fileprivate var text: String {
    switch self {
    case .number(let number): SessionModel.text(number)
    case .boolean(let isOn): "\(isOn)"
    case .string(let text): text
    }
  }
}

private func text(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? "\(number)"
}

/// Returns a text as one word of a shell.
private func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-./:=,+@%".utf8.contains(byte)
    }
  }
  // Some shells expand a word that begins so.
  if isPlain, !text.isEmpty, !text.hasPrefix("=") { return text }
  return "'" + text.replacing("'", with: "'\\''") + "'"
}
