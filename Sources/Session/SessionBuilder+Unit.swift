// Units of a configuration: made, loaded, and set.

import Configuration
import Foundation
import MIDIStagesModel
import SamplerUnit
import UnitModel

extension SessionBuilder {
  /// Makes a unit with its SoundFont, state, preset, parameters and bypass, in this order.
  func makeUnit(
    _ configuration: UnitConfiguration, file: URL?
  ) async throws(ConfigurationProblem) -> AudioUnit {
    let component = try findComponent(configuration.component)
    let unit: AudioUnit
    try refuseForeignKeys(configuration, of: component)
    if let type = midiChainUnit(component) {
      unit = try makeMIDIChainUnit(type, configuration)
    } else {
      unit = try located(configuration.component.location) { () throws(InstantiationError) in
        try registry.makeUnit(of: component)
      }
    }
    if let sampler = unit as? SamplerUnit {
      if !configuration.entries.isEmpty {
        _ = try await setUpLiveSet(configuration, of: sampler, file: file)
        try restoreState(configuration, of: unit, file: file)
        try applyParameters(apartFromEntries: configuration, to: unit)
        if let bypass = configuration.bypass { unit.shouldBypassEffect = bypass.value }
        return unit
      }
      try refuseEntryKeys(configuration)
      try await loadSoundFont(configuration, into: sampler, file: file)
    }
    try restoreState(configuration, of: unit, file: file)
    try applyPreset(configuration.preset, to: unit, id: configuration.id.value)
    for setting in configuration.parameters {
      try apply(setting, to: unit, id: configuration.id.value)
    }
    if let bypass = configuration.bypass { unit.shouldBypassEffect = bypass.value }
    return unit
  }

  /// Sets on top of a state what the unit sets for all entries.
  private func applyParameters(
    apartFromEntries configuration: UnitConfiguration, to unit: AudioUnit
  ) throws(ConfigurationProblem) {
    guard configuration.state != nil else { return }
    let named = Set(configuration.entries.flatMap { $0.parameters.map(\.keyPath.value) })
    for setting in configuration.parameters where !named.contains(setting.keyPath.value) {
      try apply(setting, to: unit, id: configuration.id.value)
    }
  }

  private func findComponent(
    _ name: Located<String>
  ) throws(ConfigurationProblem) -> Component {
    do throws(InstantiationError) { return try registry.component(named: name.value) } catch {
      if case .unknownComponent(let text, let available) = error {
        throw .unknown("component", text, in: "[[unit]]", accepted: available, at: name.location)
      }
      throw ConfigurationProblem(error.description, at: name.location)
    }
  }

  private func midiChainUnit(_ component: Component) -> (any MIDIChainUnit.Type)? {
    Self.midiChainUnits.first {
      $0.component(midiStages: []).description.namesSameComponent(as: component.description)
    }
  }

  private func refuseForeignKeys(
    _ configuration: UnitConfiguration, of component: Component
  ) throws(ConfigurationProblem) {
    let isSampler = component.description.namesSameComponent(as: SamplerUnit.component.description)
    let hasStages = midiChainUnit(component) != nil
    let keys: [(String, SourcePosition?, isKnown: Bool)] = [
      ("soundfont", configuration.soundFonts.first?.file.location, isSampler),
      ("bank", configuration.bank?.location, isSampler),
      ("entry", configuration.entries.first?.location, isSampler),
      ("entry-channel", configuration.entryChannel?.location, isSampler),
      ("entry-preload", configuration.preloadsEntries?.location, isSampler),
      ("program", configuration.program?.location, isSampler),
      ("drum-channels", configuration.drumChannels?.location, isSampler),
      ("bank-select", configuration.bankSelect?.location, isSampler),
      ("outputs", configuration.outputs?.location, isSampler),
      ("midi", configuration.midiStages.first?.location, hasStages),
    ]
    for (key, location, isKnown) in keys {
      if let location, !isKnown {
        throw ConfigurationProblem(
          "component '\(configuration.component.value)' has no '\(key)'",
          accepted: (hasStages ? "midi, " : "") + "preset, parameters", at: location)
      }
    }
  }

  func applyPreset(
    _ name: Located<String>?, to unit: AudioUnit, id: String
  ) throws(ConfigurationProblem) {
    guard let name else { return }
    let presets = try located(name.location) { () throws(PresetError) in
      try unit.factoryPresets + unit.userPresets
    }
    guard let preset = presets.first(where: { $0.name == name.value }) else {
      throw .unknown(
        "preset", name.value, in: "unit '\(id)'", accepted: presets.map(\.name),
        at: name.location)
    }
    try located(name.location) { () throws(PresetError) in try unit.setCurrentPreset(preset) }
  }

  /// Sets one parameter; a value out of range is an error here, though a host's is clamped.
  func apply(
    _ setting: Setting, to unit: AudioUnit, id: String
  ) throws(ConfigurationProblem) {
    let (parameter, value) = try read(setting, of: unit, id: id)
    try located(setting.value.location) { () throws(ParameterError) in
      try parameter.setValue(value)
    }
  }

  /// The parameter that a setting names, and a value in its range.
  func read(
    _ setting: Setting, of unit: AudioUnit, id: String
  ) throws(ConfigurationProblem) -> (Parameter, Float) {
    try SettingReader(unit: unit, id: id).read(setting)
  }

  /// The key paths that a configuration can set, those that differ in a number alone as one.
  static func settable(_ parameters: [Parameter]) -> [String] {
    KeyPathGroup.groups(parameters.filter { $0.flags.contains(.writable) }.map(\.keyPath))
      .map(\.text)
  }
}
