// One unit in the form of its configuration.

import Configuration
import Glibc
import MIDIStages
import MIDIStagesModel
import UnitModel

/// Compares a unit with its configuration.
package struct UnitDocument {
  let configured: UnitConfiguration
  let unit: AudioUnit
  let origin: SessionOrigin
  /// The value that a ramp moves a parameter to; nil if it is at rest.
  let target: (String) -> Float?

  package init(
    configured: UnitConfiguration, unit: AudioUnit, origin: SessionOrigin,
    target: @escaping (String) -> Float?
  ) {
    self.configured = configured
    self.unit = unit
    self.origin = origin
    self.target = target
  }

  /// Returns the configuration, and the unit's state if the configuration cannot express it.
  package func make() -> (UnitConfiguration, state: StateDictionary?) {
    var new = configured
    new.state = nil
    new.describeSwitches(of: unit)
    let configuredEntries = origin.entries(of: configured)
    let entries = configuredEntries.keyPaths
    var isSaid = unit.settings(forDocument: true).isEmpty
    if let configurable = unit as? any ConfigurableUnit {
      isSaid = configurable.describe(&new.keys, origin.context)
    }
    let needsState = !isSaid || !(configuredEntries.isEmpty || isSayable(entries))
    if configuredEntries.isEmpty {
      // A sampler's presets are sounds, which its keys describe.
      let isWritten = !needsState && !(unit is any SoundFontHolding)
      let preset = isWritten ? unit.currentPreset.flatMap { $0.isUserPreset ? nil : $0 } : nil
      // A user preset can change later, so its values are written instead of its name.
      new.preset = preset.map { Located($0.name, at: .nowhere) }
      describeValues(&new, preset: preset, apart: entries)
    } else {
      describeEntry(&new, first: configuredEntries.first)
      describeValues(&new, preset: nil, apart: entries)
    }
    return (new, needsState ? unit.fullStateForDocument : nil)
  }

  // MARK: Values

  /// Returns a parameter's value, or the target value of its ramp.
  func value(of parameter: Parameter) -> Float {
    let value = target(parameter.keyPath) ?? parameter.value
    return parameter.isWhole ? value.rounded() : value
  }

  /// Returns the value of a setting; nil if it cannot be read.
  private func read(_ setting: Setting) -> Float? {
    try? SettingReader(unit: unit, id: configured.id.value).read(setting).1
  }

  /// Returns the setting as written if its value is current, otherwise in the usual form.
  func setting(_ parameter: Parameter, was written: Setting? = nil) -> Setting {
    let value = value(of: parameter)
    if let written, read(written) == value { return written }
    return Setting(
      keyPath: Located(parameter.keyPath, at: .nowhere),
      value: Located(Self.text(value, of: parameter), at: .nowhere))
  }

  package static func text(_ value: Float, of parameter: Parameter) -> SettingValue {
    if parameter.unit == .boolean, value == 0 || value == 1 { return .boolean(value == 1) }
    if !parameter.valueStrings.isEmpty {
      let name = parameter.string(fromValue: value)
      if parameter.value(fromString: name) == value { return .string(name) }
    }
    // The shortest decimal of this Float, not all digits of the Double.
    return .number(Double("\(value)") ?? Double(value))
  }

  /// - Parameter entries: key paths that entries set; the unit's own settings for them stay
  ///   unchanged.
  private func describeValues(
    _ new: inout UnitConfiguration, preset: Preset?, apart entries: Set<String>
  ) {
    let tree = unit.parameterTree
    let written = Set(configured.parameters.map(\.keyPath.value))
    new.parameters = configured.parameters.map { setting in
      guard let parameter = tree.parameter(keyPath: setting.keyPath.value),
        !entries.contains(parameter.keyPath)
      else { return setting }
      return self.setting(parameter, was: setting)
    }
    var apart = entries.union(written)
    if let layout = (unit as? any MIDIChainUnit)?.midiLayout {
      new.midiStages = []
      for (index, stage) in layout.stages.enumerated() {
        let stages = StageDocument(unit: self, stage: stage, layout: layout, apart: apart)
        let (now, parameters) = stages.make(configuredStage(index, of: stage.kind))
        new.midiStages.append(Located(now, at: .nowhere))
        new.parameters += parameters
        for parameter in stages.parameters { apart.insert(parameter.keyPath) }
      }
    }
    let ofPreset = preset.map { unit.factoryPresetValues(of: $0) } ?? [:]
    // A unit may apply a preset without reporting its values.
    let isUnknown = preset != nil && ofPreset.isEmpty
    for parameter in tree.allParameters
    where parameter.flags.contains(.writable) && !apart.contains(parameter.keyPath) {
      let expected = ofPreset[parameter.keyPath] ?? parameter.defaultValue
      if isUnknown || value(of: parameter) != expected {
        new.parameters.append(setting(parameter))
      }
    }
  }

  /// Returns the configuration of a stage; an empty one if a program made the stage.
  private func configuredStage(
    _ index: Int, of kind: MIDIStageKind
  ) -> Located<MIDIStageConfiguration> {
    let written = configured.midiStages.indices.contains(index) ? configured.midiStages[index] : nil
    if let written, written.value.name == kind.rawValue { return written }
    return Located(MIDIStageConfiguration(name: kind.rawValue), at: .nowhere)
  }

  // MARK: Entries

  private var currentEntry: (any SelectableEntry)? {
    (unit as? any EntrySelecting)?.currentEntry
  }

  private func describeEntry(_ new: inout UnitConfiguration, first: ConfiguredEntry?) {
    guard let entry = currentEntry else { return }
    let isFirst = first?.number == entry.number
    new.preset =
      isFirst && configured.preset == nil ? nil : Located(entry.name, at: .nowhere)
  }

  /// Whether a configuration can express the unit's current entry and its values.
  private func isSayable(_ named: Set<String>) -> Bool {
    guard let entry = currentEntry else { return false }
    return unit.parameterTree.allParameters.allSatisfy { parameter in
      guard named.contains(parameter.keyPath) else { return true }
      return value(of: parameter) == entry.parameters[parameter.keyPath] ?? base(parameter)
    }
  }

  /// Returns the value for entries that do not set the parameter.
  private func base(_ parameter: Parameter) -> Float {
    if let setting = configured.parameters.first(where: { $0.keyPath.value == parameter.keyPath }) {
      return read(setting) ?? parameter.defaultValue
    }
    guard let layout = (unit as? any MIDIChainUnit)?.midiLayout else {
      return parameter.defaultValue
    }
    for (stage, written) in zip(layout.stages, configured.midiStages)
    where parameter.keyPath.hasPrefix(stage.keyPath + ".") {
      let document = StageDocument(unit: self, stage: stage, layout: layout, apart: [])
      return document.values(of: written.value)[parameter.keyPath] ?? parameter.defaultValue
    }
    return parameter.defaultValue
  }
}
