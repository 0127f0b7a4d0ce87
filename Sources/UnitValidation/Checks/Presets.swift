// Check of factory presets.

import UnitModel

func checkPresets(_ trial: Trial) throws {
  let unit = try trial.make()
  let presets = unit.factoryPresets
  if presets.isEmpty { throw NotChecked(reason: "it has no factory presets") }
  if presets.map(\.number) != Array(0..<presets.count) {
    trial.fail(
      "the presets have the numbers \(presets.map(\.number))", expected: "0 to \(presets.count - 1)"
    )
  }
  if Set(presets.map(\.name)).count != presets.count || presets.contains(where: { $0.name.isEmpty })
  {
    trial.fail("a preset has no name, or another's")
  }
  for preset in presets.sample(32) {
    trial.doing("choosing the preset \"\(preset.name)\"")
    try checkPreset(preset, trial)
  }
}

private func checkPreset(_ preset: Preset, _ trial: Trial) throws {
  let unit = try trial.make()
  let values = unit.factoryPresetValues(of: preset).sorted { $0.key < $1.key }
  for (keyPath, value) in values {
    guard let parameter = unit.parameterTree.parameter(keyPath: keyPath) else {
      trial.fail("the preset \"\(preset.name)\" sets it, and there is none", parameter: keyPath)
      continue
    }
    if !parameter.range.contains(value) {
      trial.fail(
        "the preset \"\(preset.name)\" sets it out of its range",
        expected: "\(parameter.minValue) to \(parameter.maxValue)", parameter: keyPath, value: value
      )
    }
  }
  try unit.setRandomValues(seed: UInt64(preset.number))
  do { try unit.setCurrentPreset(preset) } catch {
    return trial.fail("the preset \"\(preset.name)\" is refused: \(error)")
  }
  if unit.currentPreset != preset {
    trial.fail("the preset \"\(preset.name)\" is not the current one once it was chosen")
  }
  for (keyPath, value) in values {
    guard let parameter = unit.parameterTree.parameter(keyPath: keyPath),
      parameter.range.contains(value), parameter.value != value
    else { continue }
    trial.fail(
      "the preset \"\(preset.name)\" has set it to \(parameter.value)", expected: "\(value)",
      parameter: keyPath, value: value)
  }
  trial.doing("rendering with the preset \"\(preset.name)\"")
  try trial.allocate(unit)
  let host = try trial.host(unit)
  _ = try host.run(Stimulus(unit, frames: 8000, seed: 2))
  trial.expectSound(host, while: "with the preset \"\(preset.name)\"")
  trial.expectFinite(unit, "the preset \"\(preset.name)\"")
}
