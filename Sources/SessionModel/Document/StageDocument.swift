// One MIDI stage in the form of its configuration.

import Configuration
import MIDIStages
import MIDIStagesModel
import UnitModel

/// Compares a stage of a unit's chain with its configuration.
package struct StageDocument {
  let unit: UnitDocument
  let stage: MIDIChainLayout.Stage
  let layout: MIDIChainLayout
  /// Key paths set elsewhere.
  let apart: Set<String>

  private var tree: ParameterTree { unit.unit.parameterTree }

  /// Parameters that the stage can set.
  var parameters: [Parameter] {
    tree.allParameters.filter {
      $0.keyPath.hasPrefix(stage.keyPath + ".") && $0.flags.contains(.writable)
        && !apart.contains($0.keyPath)
    }
  }

  /// Returns the stage, and settings of the unit for values that the stage cannot express.
  func make(
    _ configured: Located<MIDIStageConfiguration>
  ) -> (MIDIStageConfiguration, [Setting]) {
    let before = values(of: configured.value)
    let changed = parameters.filter {
      unit.value(of: $0) != before[$0.keyPath] ?? $0.defaultValue
    }
    let old = configured.value
    if changed.isEmpty { return (old, []) }
    var new = old
    for parameter in changed { put(parameter, into: &new.settings) }
    if isRight(new) { return (new, []) }
    return (old, changed.map { unit.setting($0) })
  }

  /// Returns the values that a stage sets, by key path.
  func values(of stage: MIDIStageConfiguration) -> [String: Float] {
    let reader = SettingReader(unit: unit.unit, id: unit.configured.id.value)
    let targets = layout.targets(of: self.stage, in: tree)
    var values: [String: Float] = [:]
    for setting
      in (try? SessionBuilder.settings(
        of: stage, as: self.stage.keyPath, targets: targets)) ?? []
    {
      if let (parameter, value) = try? reader.read(setting) { values[parameter.keyPath] = value }
    }
    return values
  }

  /// Whether a stage reads back as the current values and is accepted.
  private func isRight(_ new: MIDIStageConfiguration) -> Bool {
    let values = values(of: new)
    guard
      parameters.allSatisfy({ unit.value(of: $0) == values[$0.keyPath] ?? $0.defaultValue })
    else { return false }
    do throws(ConfigurationProblem) {
      try SessionBuilder.check(new, as: stage.keyPath, of: unit.unit, at: .nowhere)
      return true
    } catch { return false }
  }

  /// Sets a value in place, or inserts it after the settings of its group. Numbered keys and the
  /// two ends of a range are inserted together.
  private func put(_ parameter: Parameter, into settings: inout [Setting]) {
    let key = String(parameter.keyPath.dropFirst(stage.keyPath.count + 1))
    if let place = settings.firstIndex(where: { $0.keyPath.value == key }) {
      settings[place] = setting(parameter, key)
      return
    }
    let group = key.split(separator: ".").dropLast().joined(separator: ".")
    let place = settings.lastIndex {
      $0.keyPath.value.hasPrefix(group + ".") && !group.isEmpty
    }
    let new = parameters.compactMap { other -> Setting? in
      let otherKey = String(other.keyPath.dropFirst(stage.keyPath.count + 1))
      let isNew = !settings.contains { $0.keyPath.value == otherKey }
      // `pass` has no name for it.
      if otherKey == "pass.system" && key != otherKey { return nil }
      return isNew && belong(key, otherKey) ? setting(other, otherKey) : nil
    }
    settings.insert(contentsOf: new, at: place.map { $0 + 1 } ?? settings.count)
  }

  /// Whether two keys are written as one.
  private func belong(_ key: String, _ other: String) -> Bool {
    if key == other { return true }
    let parts = key.split(separator: ".")
    let others = other.split(separator: ".")
    if parts.dropLast() == others.dropLast(), let last = parts.last, let otherLast = others.last {
      if Int(last) != nil, Int(otherLast) != nil { return true }
      for (one, two) in [(last, otherLast), (otherLast, last)]
      where one.hasSuffix("Low") && two.hasSuffix("High") {
        return one.dropLast(3) == two.dropLast(4)
      }
    }
    return false
  }

  private func setting(_ parameter: Parameter, _ key: String) -> Setting {
    var value = UnitDocument.text(unit.value(of: parameter), of: parameter)
    if stage.kind == .controller, key == "parameter",
      let target = layout.targets(of: stage, in: tree).first(where: {
        MIDIChainTarget.number(ofAddress: $0.address).map(Float.init) == unit.value(of: parameter)
      })
    {
      value = .string(target.keyPath)
    }
    return Setting(keyPath: Located(key, at: .nowhere), value: Located(value, at: .nowhere))
  }
}
