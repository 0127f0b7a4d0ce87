// Completion of actions that program changes and presses have triggered.

import Configuration
import ControlUnit
import SessionModel
import UnitModel

extension JackSession {
  /// Completes the actions of controllers that the render side cannot complete. Called twenty times
  /// a second, and before and after each command.
  func executeSetOff() {
    // Read first: the next call reports actions that are triggered after this.
    let values = controllerMemory.current
    let all = (plan.controlNode?.unit as? ControlUnit)?.takeSetOff() ?? []
    followPlayed()
    followPlayedEntries()
    for news in all {
      ChangeAuthor.$current.withValue(.controller) {
        ChangeCommand.$current.withValue(news.trigger.target.command.flatMap(ChangeCommand.init)) {
          execute(news)
        }
      }
    }
    if all.isEmpty { controllerMemory.see(values) }
  }

  private func execute(_ news: ControlAction) {
    switch news.trigger.target {
    case .parameter: break
    case .panic:
      history.journal.add("panic", path: "", .known(news.frame), by: .controller)
      // The units were already reset, and are unchanged otherwise.
      control.endOutside()
      log.info("panic by a controller, on frame \(news.frame)")
    case .scene(let name): finish(scene: name, news)
    case .preset(let id, let name): finish(preset: name, of: id, news)
    }
  }

  private func finish(scene name: String, _ news: ControlAction) {
    let control = control
    let scene: SceneConfiguration
    do throws(SessionCommandError) { scene = try control.scene(named: name) } catch {
      return log.warning("\(error)")
    }
    history.journal.add(
      "scene \(quoted(name))", path: name, .known(news.frame), by: .controller)
    let before = note(scene, news)
    begin("scene \(quoted(name)), by a controller", Claims([.structure])) {
      [maker = control.maker, history, log] in
      do {
        var others: [String] = []
        if let (part, structure) = try SceneChange(scene: scene, maker: maker).connections() {
          try await maker.editor?.edit(structure) { frame in
            history.extend(before, with: part, at: frame.map { .known($0) } ?? .none)
          }
          others.append("connections")
        }
        others += try await maker.commit {
          try SceneTargets(scene, among: maker.running()).follow(news, maker.atOnce)
        }
        let rest =
          others.isEmpty
          ? "" : "; later than that: \(others.joined(separator: ", "))"
        log.notice("scene \(quoted(name)) on frame \(news.frame), by a controller\(rest)")
      } catch {
        log.error("scene \(quoted(name)), by a controller: \(SessionCommandError(error))")
      }
    }
  }

  /// Records the changes of a scene that a controller has loaded, with the former values.
  ///
  /// - Returns: the step, to be extended by later parts; nil if nothing was changed.
  private func note(_ scene: SceneConfiguration, _ news: ControlAction) -> SessionStep? {
    guard let targets = try? SceneTargets(scene, among: plan.units) else { return nil }
    let parts = targets.steps { controllerMemory.value(of: $0) }
    for value in targets.values {
      let path = SessionPath(unit: value.id, keyPath: value.parameter.keyPath)
      controllerMemory.note(value.number, of: path)
    }
    if parts.isEmpty { return nil }
    var step = SessionStep(together: parts)
    step.text = "scene \(quoted(scene.name.value))"
    step.path = scene.name.value
    return history.record(step, at: .known(news.frame), isReported: true)
  }

  private func finish(preset name: String, of id: String, _ news: ControlAction) {
    guard let unit = plan.units.first(where: { $0.id == id })?.unit else { return }
    history.journal.add(
      "\(id): preset \(quoted(name))", path: id, .known(news.frame), by: .controller)
    let mark = SoundMark(unit, id, history) {
      controllerMemory.value(of: SessionPath(unit: id, keyPath: $0))
    }
    let change = SoundChange(unit: unit, id: id, maker: control.maker)
    begin("\(id): preset \(quoted(name)), by a controller", .sound(of: id)) { [log] in
      do {
        try change.check()
        let isSet = try await change.finish(preset: name, since: mark, news)
        let rest = isSet ? "" : "; later than that: it was loaded"
        log.notice(
          "\(id): preset \(quoted(name)) on frame \(news.frame), by a controller\(rest)")
      } catch {
        log.error("\(id): preset \(quoted(name)), by a controller: \(SessionCommandError(error))")
      }
    }
  }
}

extension MappingConfiguration.Target {
  /// The command that does the same; nil for a parameter, which has many values.
  fileprivate var command: SessionCommand? {
    switch self {
    case .parameter: nil
    case .panic: .panic
    case .scene(let name): .scene(.load(name))
    case .preset(let id, let name): .preset(unit: id, .load(name))
    }
  }
}

extension SoundChange {
  /// Chooses a preset whose values a controller has set, or loads it.
  ///
  /// - Returns: whether its values had already taken effect.
  fileprivate func finish(
    preset name: String, since mark: SoundMark, _ news: ControlAction
  ) async throws -> Bool {
    let preset = try SessionControl.preset(name, among: unit.allPresets, of: id)
    let values = unit.movableValues(of: preset)
    let isSet = !values.isEmpty && news.trigger.others.isEmpty
    if isSet { unit.presetDidChange(to: preset) } else { try unit.setCurrentPreset(preset) }
    try await record(isReported: true) {
      let edit = mark.edit(entry: preset.entry(of: unit)) { keyPath in
        values.first { $0.parameter.keyPath == keyPath }?.number
      }
      return (SessionStep("preset \(quoted(name))", of: id, [edit]), .known(news.frame))
    }
    return isSet
  }
}

extension SceneTargets {
  /// Applies the rest of a scene whose values have taken effect.
  ///
  /// - Returns: descriptions of the parts that took effect later.
  fileprivate func follow(_ news: ControlAction, _ maker: EditMaker) throws -> [String] {
    let others = news.trigger.others
    let entries = valuesOfEntries.map { SessionPath(unit: $0.id, keyPath: $0.parameter.keyPath) }
    let rest = steps { _ in nil }.flatMap(\.edits).filter { edit in
      switch edit {
      case .sound: true
      case .value(let value): others.contains(value.unit) || entries.contains(value.path)
      default: others.contains(edit.unit ?? "")
      }
    }
    try maker.make(rest)
    for (_, unit, isOn) in bypasses where unit.shouldBypassEffect != isOn {
      unit.settleBypass(isOn)
    }
    return rest.reduce(into: []) { late, edit in
      let text: String
      switch edit {
      case .sound(let id, _, .entry(let number), _): text = "entry \(number) of \(id)"
      case .value(let value): text = "values of \(value.unit)"
      case .switch(let key, let id, _, _): text = "the \(key.rawValue) of \(id)"
      default: return
      }
      if !late.contains(text) { late.append(text) }
    }
  }
}
