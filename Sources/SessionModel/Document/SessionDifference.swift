// Differences between two configurations of a session.

import Configuration
import MIDIStagesModel
import UnitModel

/// The steps from one configuration of a running session to another: values to set, units to make,
/// and differences that need a restart.
package struct SessionDifference: Sendable {
  /// Changes of one unit, in the order in which they are applied.
  package struct Unit: Sendable {
    package let id: String
    package let unit: AudioUnit
    /// Applies the unit's changed keys; nil if none has changed.
    package var change: (@Sendable () async throws -> Void)?
    /// The names of the changed keys, and the position of the first one.
    package var keys: [String] = []
    package var keysPlace = SourcePosition.nowhere
    package var preset: Preset?
    package var presetPlace = SourcePosition.nowhere
    package var switches: [(key: UnitSwitch, isOn: Bool)] = []
    package var values: [(keyPath: String, value: Float)] = []

    var isEmpty: Bool {
      change == nil && preset == nil && switches.isEmpty && values.isEmpty
    }
  }

  package private(set) var units: [Unit] = []
  /// Differences that need a restart, as text. If there are any, nothing is to be changed.
  package private(set) var needsRestart: [String] = []
  /// Changed parts of the structure, as text.
  package private(set) var structure: [String] = []
  /// The ids of the units to be made.
  package private(set) var made: Set<String> = []

  /// - Parameters:
  ///   - old: the configuration that the units were made from.
  ///   - new: the configuration to change to.
  /// - Throws: the first problem of the new configuration.
  package init(
    from old: SessionOrigin, to new: SessionOrigin, units: [(id: String, unit: AudioUnit)]
  ) throws(ConfigurationProblem) {
    let (before, after) = (old.configuration, new.configuration)
    if before.clientName?.value != after.clientName?.value { needsRestart.append("[client]") }
    if before.osc != after.osc { needsRestart.append("[osc]") }
    if before.units.map(\.id.value) != after.units.map(\.id.value) {
      structure.append("the units")
    }
    if before.connections != after.connections {
      structure.append("the connections")
    }
    if before.mappings != after.mappings { structure.append("the mappings") }
    if before.scenes != after.scenes { structure.append("the scenes") }
    for unit in after.units {
      let id = unit.id.value
      guard let former = before.units.first(where: { $0.id.value == id }) else {
        made.insert(id)
        continue
      }
      guard former.structure(new.registry) != unit.structure(new.registry) else { continue }
      structure.append("unit '\(id)'")
      made.insert(id)
    }
    guard needsRestart.isEmpty else { return }
    for unit in after.units where !made.contains(unit.id.value) {
      guard let former = before.units.first(where: { $0.id.value == unit.id.value }),
        former != unit, let running = units.first(where: { $0.id == unit.id.value })?.unit
      else { continue }
      var change = Unit(id: unit.id.value, unit: running)
      change.change = try (running as? any ChangeableUnit)?.change(
        from: (former.keys, old.context), to: (unit.keys, new.context))
      let names = former.keys.names + unit.keys.names.filter { former.keys[$0] == nil }
      change.keys = names.filter { former.keys[$0] != unit.keys[$0] }
      change.keysPlace =
        change.keys.lazy.compactMap(unit.keys.location).first ?? unit.id.location
      try comparePresets(former, unit, &change)
      for key in UnitSwitch.allCases where former.isOn(key) != unit.isOn(key) {
        change.switches.append((key, unit.isOn(key)))
      }
      let isNow = try Self.values(of: unit, new.entries(of: unit), running)
      let was = try Self.values(of: former, old.entries(of: former), running)
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

  private func comparePresets(
    _ former: UnitConfiguration, _ unit: UnitConfiguration, _ change: inout Unit
  ) throws(ConfigurationProblem) {
    guard let name = unit.preset, name.value != former.preset?.value else { return }
    let presets: [Preset]
    do throws(PresetError) { presets = try change.unit.allPresets } catch {
      throw ConfigurationProblem(error.description, at: name.location)
    }
    change.preset = presets.named(name.value, by: \.name)
    change.presetPlace = name.location
    guard change.preset == nil else { return }
    throw .unknown(
      "preset", name.value, in: "unit '\(change.id)'", accepted: presets.map(\.name),
      at: name.location)
  }

  /// Returns the values set by a configuration, by key path, except those set by its entries.
  private static func values(
    of configuration: UnitConfiguration, _ entries: [ConfiguredEntry], _ unit: AudioUnit
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
          of: written.value, as: stage.keyPath, targets: targets)
        {
          let (parameter, value) = try reader.read(setting)
          values[parameter.keyPath] = value
        }
      }
    }
    if let name = configuration.preset?.value,
      let preset = unit.factoryPresets.named(name, by: \.name)
    {
      values.merge(unit.factoryPresetValues(of: preset)) { $1 }
    }
    for setting in configuration.parameters {
      let (parameter, value) = try reader.read(setting)
      values[parameter.keyPath] = value
    }
    for keyPath in entries.keyPaths { values[keyPath] = nil }
    return values
  }
}

extension UnitConfiguration {
  /// Returns the parts of the configuration that cannot change while the unit plays.
  func structure(
    _ registry: ComponentRegistry
  ) -> (UnitConfiguration, stages: [String]) {
    let type = registry.unitType(of: self)
    let named = (type as? any ConfigurableUnit.Type)?.entries(of: keys).keyPaths ?? []
    var structure = self
    structure.parameters.removeAll { !named.contains($0.keyPath.value) }
    (structure.preset, structure.switches, structure.place) = (nil, [:], nil)
    structure.midiStages = []
    if let type = type as? any ChangeableUnit.Type {
      structure.keys = structure.keys.removing(type.changeableKeys(keys))
    }
    return (structure, midiStages.map(\.value.name))
  }
}
