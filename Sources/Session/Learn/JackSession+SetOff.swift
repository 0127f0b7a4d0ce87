// What program changes and presses have set off, and the session has to finish.

import Configuration
import ControlUnit
import UnitModel

extension JackSession {
  /// Does what the render side cannot: looked for twenty times a second.
  func carryOutSetOff() {
    guard let control = plan.controlNode?.unit as? ControlUnit else { return }
    for news in control.takeSetOff() {
      ChangeSource.$current.withValue(.controller) { carryOut(news) }
    }
  }

  private func carryOut(_ news: ControlNews) {
    switch news.trigger.target {
    case .parameter: break
    case .panic:
      history.journal.add("panic", path: "", .known(news.frame), by: .controller)
      // The units were reset already, and are as they were.
      control.endOutside()
      log.info("panic by a controller, on frame \(news.frame)")
    case .scene(let name): finish(scene: name, news)
    case .preset(let id, let name): finish(preset: name, of: id, news)
    }
  }

  private func finish(scene name: String, _ news: ControlNews) {
    let control = control
    let scene: SceneConfiguration
    do throws(SessionCommandError) { scene = try control.scene(named: name) } catch {
      return log.warning("\(error)")
    }
    let log = log
    history.journal.add(
      "scene \(quoted(name))", path: name, .known(news.frame), by: .controller)
    begin("scene \(quoted(name)), by a controller", .none) {
      [running = control.running, editor, store, history, late] in
      do {
        let others = try await late.holding(Claims([.structure])) {
          let part = try await SessionControl.connect(as: scene, editor, store)
          if let (part, frame) = part { history.record(part, at: frame) }
          let targets = try SceneTargets(scene, among: running())
          return (part == nil ? [] : ["connections"]) + (try targets.follow(news))
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

  private func finish(preset name: String, of id: String, _ news: ControlNews) {
    guard let unit = plan.units.first(where: { $0.id == id })?.unit else { return }
    let log = log
    history.journal.add(
      "\(id): preset \(quoted(name))", path: id, .known(news.frame), by: .controller)
    begin("\(id): preset \(quoted(name)), by a controller", .sound(of: id)) {
      do {
        let presets = try unit.factoryPresets + unit.userPresets
        guard let preset = presets.first(where: { $0.name == name }) else {
          throw SessionCommandError.unknown(
            "preset", name, in: "unit '\(id)'", accepted: presets.map(\.name))
        }
        let isSet = !unit.movableValues(of: preset).isEmpty && news.trigger.others.isEmpty
        if isSet { unit.presetDidChange(to: preset) } else { try unit.setCurrentPreset(preset) }
        let rest = isSet ? "" : "; later than that: it was loaded"
        log.notice(
          "\(id): preset \(quoted(name)) on frame \(news.frame), by a controller\(rest)")
      } catch {
        log.error("\(id): preset \(quoted(name)), by a controller: \(SessionCommandError(error))")
      }
    }
  }
}

extension SceneTargets {
  /// Does what is left of a scene whose values have taken effect.
  ///
  /// - Returns: what came later than these, in words.
  fileprivate func follow(_ news: ControlNews) throws -> [String] {
    var late: [String] = []
    for (id, unit, isOn) in bypasses where unit.shouldBypassEffect != isOn {
      if news.trigger.others.contains(id) {
        unit.shouldBypassEffect = isOn
        late.append("the bypass of \(id)")
      } else {
        unit.settleBypass(isOn)
      }
    }
    for entry in entries where !entry.isCurrent {
      try entry.unit.selectEntry(entry.number, at: .immediate)
      late.append("entry \(entry.number) of \(entry.id)")
    }
    for id in news.trigger.others.sorted() where values.contains(where: { $0.id == id }) {
      for value in values where value.id == id { try value.parameter.setValue(value.number) }
      late.append("values of \(id)")
    }
    return late
  }
}
