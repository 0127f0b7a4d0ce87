// Units of a configuration: made, loaded, and set.

import Configuration
import Foundation
import MIDIKernelModel
import SamplerUnit
import UnitModel

extension SessionBuilder {
  /// Makes a unit with its SoundFont, preset and parameters, in this order.
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
        return try await setUpLiveSet(configuration, of: sampler, file: file)
      }
      try refuseEntryKeys(configuration)
      try await loadSoundFont(configuration, into: sampler, file: file)
    }
    try applyPreset(configuration.preset, to: unit, id: configuration.id.value)
    for setting in configuration.parameters {
      try apply(setting, to: unit, id: configuration.id.value)
    }
    return unit
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
    let keyPath = setting.keyPath.value
    guard let parameter = unit.parameterTree.parameter(keyPath: keyPath) else {
      throw .unknown(
        "parameter", keyPath, in: "unit '\(id)'",
        accepted: Self.settable(unit.parameterTree.allParameters), at: setting.keyPath.location)
    }
    let value = try number(setting.value, for: parameter)
    guard parameter.range.contains(value) else {
      throw ConfigurationProblem(
        "\(keyPath) = \(describe(setting.value.value)) is out of range",
        accepted: accepted(by: parameter), at: setting.value.location)
    }
    guard !parameter.isWhole || value == value.rounded() else {
      throw ConfigurationProblem(
        "\(keyPath) = \(describe(setting.value.value)) is no whole number",
        accepted: accepted(by: parameter), at: setting.value.location)
    }
    return (parameter, value)
  }

  private func number(
    _ value: Located<SettingValue>, for parameter: Parameter
  ) throws(ConfigurationProblem) -> Float {
    switch value.value {
    case .number(let number): return Float(number)
    case .boolean(let isOn) where parameter.unit == .boolean: return isOn ? 1 : 0
    case .string(let text):
      if let number = parameter.value(fromString: text) { return number }
      if let sharp = Self.sharps[text.lowercased()], parameter.valueStrings.contains(sharp) {
        return parameter.value(fromString: sharp) ?? 0
      }
      if parameter.unit == .midiNoteNumber, let key = NoteName.key(text) { return Float(key) }
    case .boolean: break
    }
    throw ConfigurationProblem(
      "\(parameter.keyPath) = \(describe(value.value)) is no value of this parameter",
      accepted: accepted(by: parameter), at: value.location)
  }

  /// The names that choices of notes have for those with flats.
  private static let sharps = ["db": "C#", "eb": "D#", "gb": "F#", "ab": "G#", "bb": "A#"]

  private func describe(_ value: SettingValue) -> String {
    switch value {
    case .number(let number): plain(Float(number))
    case .boolean(let isOn): "\(isOn)"
    case .string(let text): quoted(text)
    }
  }

  private func accepted(by parameter: Parameter) -> String {
    if !parameter.valueStrings.isEmpty { return parameter.valueStrings.joined(separator: ", ") }
    if parameter.unit == .boolean { return "true, false" }
    let range = parameter.range
    let names = parameter.unit == .midiNoteNumber ? ", or a name such as C4" : parameter.unitName
    return "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
      + (names.isEmpty || names.hasPrefix(",") ? names : " " + names)
  }

  /// A number as people write it: 127, not 127.0.
  private func plain(_ value: Float) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }

  /// The key paths that a configuration can set, those that differ in a number alone as one.
  static func settable(_ parameters: [Parameter]) -> [String] {
    KeyPathGroup.groups(parameters.filter { $0.flags.contains(.writable) }.map(\.keyPath))
      .map(\.text)
  }
}
