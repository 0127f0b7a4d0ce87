// What is other in a configuration than it was.

import Configuration
import MIDIStagesModel
import SamplerUnit
import UnitModel

/// The way of a running session from one configuration to another: values that can be set, and what takes a restart.
struct SessionDifference {
  struct Unit {
    let id: String
    let unit: AudioUnit
    /// The new ones, if they are others than before.
    var soundFonts: [SoundFontEntry]?
    var bank = 0
    var program = 0
    var preset: Preset?
    var bypass: Bool?
    var values: [(keyPath: String, value: Float)] = []

    var isEmpty: Bool { soundFonts == nil && preset == nil && bypass == nil && values.isEmpty }
  }

  private(set) var units: [Unit] = []
  /// What cannot change while the session runs, in words; nothing is to be changed then.
  private(set) var needsRestart: [String] = []

  /// - Parameters:
  ///   - old: what the units were made of.
  ///   - new: where they are to go.
  /// - Throws: what is wrong in the new one.
  init(
    from old: SessionOrigin, to new: SessionOrigin, units: [(id: String, unit: AudioUnit)]
  ) throws(ConfigurationProblem) {
    let (before, after) = (old.configuration, new.configuration)
    if before.clientName?.value != after.clientName?.value { needsRestart.append("[client]") }
    if before.unlocated.osc != after.unlocated.osc { needsRestart.append("[osc]") }
    if before.units.map(\.id.value) != after.units.map(\.id.value) {
      needsRestart.append("the units or their order")
    }
    if before.unlocated.connections != after.unlocated.connections {
      needsRestart.append("[[connect]]")
    }
    for unit in after.units {
      guard let former = before.units.first(where: { $0.id.value == unit.id.value }),
        former.structure != unit.structure
      else { continue }
      needsRestart.append("unit '\(unit.id.value)' but for its values")
    }
    guard needsRestart.isEmpty else { return }
    for (former, unit) in zip(before.units, after.units) {
      guard let running = units.first(where: { $0.id == unit.id.value })?.unit else { continue }
      var change = Unit(id: unit.id.value, unit: running)
      try compareSounds(former, unit, old, new, &change)
      try comparePresets(former, unit, &change)
      if former.bypass?.value ?? false != unit.bypass?.value ?? false {
        change.bypass = unit.bypass?.value ?? false
      }
      let was = try Self.values(of: former, running)
      let isNow = try Self.values(of: unit, running)
      let written = Set(unit.parameters.map(\.keyPath.value))
      for parameter in running.parameterTree.allParameters {
        guard let value = isNow[parameter.keyPath] else { continue }
        let isOnTop = change.preset != nil && written.contains(parameter.keyPath)
        if value != was[parameter.keyPath] || isOnTop {
          change.values.append((parameter.keyPath, value))
        }
      }
      if !change.isEmpty { self.units.append(change) }
    }
  }

  private func compareSounds(
    _ former: UnitConfiguration, _ unit: UnitConfiguration, _ old: SessionOrigin,
    _ new: SessionOrigin, _ change: inout Unit
  ) throws(ConfigurationProblem) {
    guard unit.entries.isEmpty, change.unit is SamplerUnit else { return }
    func entries(
      _ unit: UnitConfiguration, _ origin: SessionOrigin
    ) throws(ConfigurationProblem) -> [SoundFontEntry] {
      var entries: [SoundFontEntry] = []
      for font in unit.soundFonts {
        do throws(SoundFontLocationError) {
          entries.append(
            SoundFontEntry(try origin.find(font).url, bankOffset: font.bankOffset?.value ?? 0))
        } catch { throw ConfigurationProblem(error.description, at: font.file.location) }
      }
      return entries
    }
    let now = try entries(unit, new)
    (change.bank, change.program) = (unit.bank?.value ?? 0, unit.program?.value ?? 0)
    let isSame =
      (try? entries(former, old)) == now && former.bank?.value ?? 0 == change.bank
      && former.program?.value ?? 0 == change.program
    if !isSame && !now.isEmpty { change.soundFonts = now }
  }

  private func comparePresets(
    _ former: UnitConfiguration, _ unit: UnitConfiguration, _ change: inout Unit
  ) throws(ConfigurationProblem) {
    guard let name = unit.preset, name.value != former.preset?.value else { return }
    do throws(PresetError) {
      let presets = try change.unit.factoryPresets + change.unit.userPresets
      change.preset = presets.first { $0.name == name.value }
      guard change.preset == nil else { return }
      throw .unknownPreset(Preset(number: 0, name: name.value), known: presets.map(\.name))
    } catch { throw ConfigurationProblem(error.description, at: name.location) }
  }

  /// What a configuration sets a unit's parameters to; those of entries are left out.
  private static func values(
    of configuration: UnitConfiguration, _ unit: AudioUnit
  ) throws(ConfigurationProblem) -> [String: Float] {
    let reader = SettingReader(unit: unit, id: configuration.id.value)
    var values: [String: Float] = [:]
    for parameter in unit.parameterTree.allParameters where parameter.flags.contains(.writable) {
      values[parameter.keyPath] = parameter.defaultValue
    }
    if let layout = (unit as? any MIDIChainUnit)?.midiLayout {
      for (stage, written) in zip(layout.stages, configuration.midiStages) {
        let targets = layout.targets(of: stage, in: unit.parameterTree)
        for setting in try SessionBuilder.settings(
          of: written, as: stage.keyPath, targets: targets)
        {
          let (parameter, value) = try reader.read(setting)
          values[parameter.keyPath] = value
        }
      }
    }
    if let preset = unit.factoryPresets.first(where: { $0.name == configuration.preset?.value }) {
      values.merge(unit.factoryPresetValues(of: preset)) { $1 }
    }
    for setting in configuration.parameters {
      let (parameter, value) = try reader.read(setting)
      values[parameter.keyPath] = value
    }
    for keyPath in configuration.entries.flatMap({ $0.parameters.map(\.keyPath.value) }) {
      values[keyPath] = nil
    }
    return values
  }
}

extension UnitConfiguration {
  /// What is not to be changed while the unit plays.
  fileprivate var structure: (UnitConfiguration, stages: [String]) {
    var structure = unlocated
    let named = Set(entries.flatMap { $0.parameters.map(\.keyPath.value) })
    structure.parameters.removeAll { !named.contains($0.keyPath.value) }
    (structure.bypass, structure.preset) = (nil, nil)
    structure.midiStages = []
    if entries.isEmpty {
      structure.soundFonts = []
      (structure.bank, structure.program) = (nil, nil)
    }
    return (structure, midiStages.map(\.value.name))
  }
}
