// The JSON object of each command, for encoding.

import Configuration

/// A command's name, and its other keys with their values.
struct CommandEncoding {
  let name: SessionCommand.Name
  private(set) var values: [(SessionCommand.Key, any Encodable)] = []

  init(_ name: SessionCommand.Name) { self.name = name }

  /// Returns a copy with one more value, unchanged if `value` is nil.
  func with(_ key: SessionCommand.Key, _ value: (some Encodable)?) -> CommandEncoding {
    var words = self
    if let value { words.values.append((key, value)) }
    return words
  }
}

extension SessionCommand {
  var words: CommandEncoding {
    func words(_ name: Name) -> CommandEncoding { CommandEncoding(name) }
    return switch self {
    case .hello(let name): words(.hello).with(.name, name)
    case .list(let path): words(.list).with(.path, path)
    case .get(let path): words(.get).with(.path, path)
    case .set(let path, let value, let ramp, let frame, let reportsFrame):
      words(.set).with(.path, path).with(.value, JSONSetting(value: value)).with(.ramp, ramp)
        .with(.frame, frame).with(.tellFrame, reportsFrame ? true : nil)
    case .watch(let paths): words(.watch).with(.paths, paths)
    case .bypass(let unit, let isOn): words(.bypass).with(.unit, unit).with(.on, isOn)
    case .preset(let unit, let action):
      words(.preset).with(.unit, unit).with(.action, action.words.action.rawValue)
        .with(.name, action.words.name)
    case .soundFont(let unit, let file, let bank, let program):
      words(.soundfont).with(.unit, unit).with(.file, file).with(.bank, bank)
        .with(.program, program)
    case .entry(let unit, .name(let name), let frame):
      words(.entry).with(.unit, unit).with(.entry, name).with(.frame, frame)
    case .entry(let unit, .number(let number), let frame):
      words(.entry).with(.unit, unit).with(.entry, number).with(.frame, frame)
    case .connect(let from, let to): words(.connect).with(.from, from).with(.to, to)
    case .disconnect(let from, let to): words(.disconnect).with(.from, from).with(.to, to)
    case .add(let unit, let component, let settings):
      words(.add).with(.unit, unit).with(.component, component).with(.settings, settings)
    case .replace(let unit, let component, let settings):
      words(.replace).with(.unit, unit).with(.component, component).with(.settings, settings)
    case .remove(let unit, let ringsOut):
      words(.remove).with(.unit, unit).with(.ringOut, ringsOut ? true : nil)
    case .mappings: words(.map)
    case .map(let path, let settings): words(.map).with(.path, path).with(.settings, settings)
    case .unmap(let path): words(.unmap).with(.path, path)
    case .journal(let frame): words(.journal).with(.since, frame)
    case .scene(let action): action.encoded
    case .together(let commands, let frame):
      words(.together).with(.commands, commands).with(.frame, frame)
    case .learn(let path, let settings, let options):
      words(.learn).with(.path, path).with(.settings, settings)
        .with(.timeout, options.timeoutSeconds).with(.notes, options.takesNotes)
    case .panic: words(.panic)
    case .status: words(.status)
    case .save(let file): words(.save).with(.file, file)
    case .undo(let steps): words(.undo).with(.steps, steps)
    case .redo(let steps): words(.redo).with(.steps, steps)
    }
  }
}

extension SessionCommand.SceneAction {
  fileprivate var encoded: CommandEncoding {
    let words = CommandEncoding(.scene).with(.action, words.action.rawValue).with(.name, words.name)
    switch self {
    case .save(_, let paths): return words.with(.paths, paths.isEmpty ? nil : paths)
    case .load(_, let frame): return words.with(.frame, frame)
    case .list, .delete: return words
    }
  }
}
