// All commands.

extension CommandForm {
  /// The forms of all commands, in the order of messages.
  static let all: [CommandForm] = [
    .init("list", .atOnce, SessionCommand.list, .optional("path", "a text")) {
      if case .list(let path) = $0 { path } else { nil }
    },
    .init("get", .atOnce, SessionCommand.get, .text("path")) {
      if case .get(let path) = $0 { path } else { nil }
    },
    .init(
      "set", .value,
      { .set(path: $0, value: $1.value, rampMilliseconds: $2, frame: $3, reportsFrame: $4) },
      .text("path"), .needed("value", "a number, a text, true or false"),
      .optional("ramp", "a number of milliseconds"), .frame, .flag("tellFrame"),
      values: {
        if case .set(let path, let value, let ramp, let frame, let reportsFrame) = $0 {
          (path, JSONSetting(value: value), ramp, frame, reportsFrame)
        } else {
          nil
        }
      }),
    .init(
      "gesture", .atOnce, SessionCommand.gesture, .text("path"), .needed("on", "true or false"),
      .optional("with", "a list of texts", or: [])
    ) {
      if case .gesture(let path, let isOn, let others) = $0 { (path, isOn, others) } else { nil }
    },
    .init(
      "watch", .atOnce, SessionCommand.watch, .optional("paths", "a list of texts", or: []),
      .optional("meters", "a list of texts", or: []), .topics, .units("midi"),
      .units("spectra"), .units("scopes")
    ) {
      guard case .watch(let paths, let meters, let topics, let midi, let spectra, let scopes) = $0
      else { return nil }
      return (paths, meters, topics, midi, spectra, scopes)
    },
    .init(
      "bypass", .atOnce, SessionCommand.bypass, .text("unit"), .needed("on", "true or false")
    ) {
      if case .bypass(let unit, let isOn) = $0 { (unit, isOn) } else { nil }
    },
    .init("preset", .late, SessionCommand.preset, .text("unit"), .presetAction) {
      if case .preset(let unit, let action) = $0 { (unit, action) } else { nil }
    },
    .init(
      "soundfont", .late, SessionCommand.soundFont, .text("unit"), .text("file"),
      .optional("bank", "a whole number"), .optional("program", "a whole number")
    ) {
      guard case .soundFont(let unit, let file, let bank, let program) = $0 else { return nil }
      return (unit, file, bank, program)
    },
    .init("entry", .late, SessionCommand.entry, .text("unit"), .entry, .frame) {
      if case .entry(let unit, let entry, let frame) = $0 { (unit, entry, frame) } else { nil }
    },
    .init(
      "midi", .atOnce, SessionCommand.midi, .text("unit"),
      .needed("bytes", "a list of whole numbers"), .frame
    ) {
      if case .midi(let unit, let bytes, let frame) = $0 { (unit, bytes, frame) } else { nil }
    },
    .init("choices", .late, SessionCommand.choices, .optional("of", "a component's name")) {
      if case .choices(let component) = $0 { component } else { nil }
    },
    .init(
      "response", .atOnce, SessionCommand.response, .text("unit"),
      .optional("at", "a list of numbers", or: [])
    ) {
      if case .response(let unit, let points) = $0 { (unit, points) } else { nil }
    },
    .init(
      "view", .late, SessionCommand.view, .text("unit"),
      .optional("configurations", "a list of sizes", or: [])
    ) {
      if case .view(let unit, let sizes) = $0 { (unit, sizes) } else { nil }
    },
    .init("waveform", .late, SessionCommand.waveform, .text("unit")) {
      if case .waveform(let unit) = $0 { unit } else { nil }
    },
    .init("panic", .atOnce, { .panic }, values: { $0 == .panic ? () : nil }),
    .init("status", .atOnce, { .status }, values: { $0 == .status ? () : nil }),
    .init("save", .late, SessionCommand.save, .optional("file", "a text")) {
      if case .save(let file) = $0 { file } else { nil }
    },
    .init(
      "undo", .late, SessionCommand.undo, .optional("steps", "a whole number", or: 1),
      .optional("to", "the number of a change")
    ) {
      if case .undo(let steps, let change) = $0 { (steps, change) } else { nil }
    },
    .init("redo", .late, SessionCommand.redo, .optional("steps", "a whole number", or: 1)) {
      if case .redo(let steps) = $0 { steps } else { nil }
    },
    .init("connect", .structure, SessionCommand.connect, .text("from"), .text("to")) {
      if case .connect(let from, let to) = $0 { (from, to) } else { nil }
    },
    .init("disconnect", .structure, SessionCommand.disconnect, .text("from"), .text("to")) {
      if case .disconnect(let from, let to) = $0 { (from, to) } else { nil }
    },
    .init("add", .structure, SessionCommand.add, .text("unit"), .text("component"), .settings) {
      guard case .add(let unit, let component, let settings) = $0 else { return nil }
      return (unit, component, settings)
    },
    .init(
      "replace", .structure, SessionCommand.replace, .text("unit"), .text("component"), .settings
    ) {
      guard case .replace(let unit, let component, let settings) = $0 else { return nil }
      return (unit, component, settings)
    },
    .init("remove", .structure, SessionCommand.remove, .text("unit"), .flag("ringOut")) {
      if case .remove(let unit, let ringsOut) = $0 { (unit, ringsOut) } else { nil }
    },
    .init(
      "place", .structure, SessionCommand.place, .text("unit"),
      .optional("place", "two numbers, such as [120, 40]")
    ) {
      if case .place(let unit, let place) = $0 { (unit, place) } else { nil }
    },
    .init("together", .late, SessionCommand.together, .commands, .frame) {
      if case .together(let commands, let frame) = $0 { (commands, frame) } else { nil }
    },
    .init(
      "map", .structure, { $0 }, .mapping,
      values: {
        switch $0 {
        case .map, .mappings: $0
        default: nil
        }
      }),
    .init("unmap", .structure, SessionCommand.unmap, .text("path")) {
      if case .unmap(let path) = $0 { path } else { nil }
    },
    .init(
      "learn", .atOnce,
      { .learn(path: $0, settings: $1, .init(timeoutSeconds: $2, takesNotes: $3)) },
      .text("path"), .settings, .optional("timeout", "a whole number of seconds"),
      .optional("notes", "true or false", or: false),
      values: {
        if case .learn(let path, let settings, let options) = $0 {
          (path, settings, options.timeoutSeconds, options.takesNotes)
        } else {
          nil
        }
      }),
    .init("scene", .late, SessionCommand.scene, .sceneAction) {
      if case .scene(let action) = $0 { action } else { nil }
    },
    .init(
      "journal", .atOnce, SessionCommand.journal, .optional("since", "a whole number"),
      .optional("from", "a whole number")
    ) {
      if case .journal(let frame, let number) = $0 { (frame, number) } else { nil }
    },
    .init("hello", .atOnce, SessionCommand.hello, .optional("name", "a text")) {
      if case .hello(let name) = $0 { name } else { nil }
    },
  ]
}
