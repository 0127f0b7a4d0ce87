// One unit as a configuration would have it now.

import Configuration
import Foundation
import MIDIStages
import MIDIStagesModel
import UnitModel

/// Compares a unit with what its configuration says.
package struct UnitDocument {
  let configured: UnitConfiguration
  let unit: AudioUnit
  let origin: SessionOrigin
  /// The value that a ramp moves a parameter to.
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

  /// The configuration, and the state where it cannot say everything.
  package func make() -> (UnitConfiguration, state: StateDictionary?) {
    var new = configured
    new.state = nil
    let isBypassed = unit.shouldBypassEffect
    new.bypass =
      isBypassed || configured.bypass != nil ? Located(isBypassed, at: .nowhere) : nil
    let resets = unit.resetsWithTransport
    new.resetsWithTransport =
      resets || configured.resetsWithTransport != nil ? Located(resets, at: .nowhere) : nil
    let configuredEntries = origin.entries(of: configured)
    let entries = configuredEntries.keyPaths
    var isSaid = unit.settings(forDocument: true).isEmpty
    if let configurable = unit as? any ConfigurableUnit {
      isSaid = configurable.describe(&new.keys, origin.context)
    }
    let needsState = !isSaid || !(configuredEntries.isEmpty || isSayable(entries))
    if configuredEntries.isEmpty {
      let preset = needsState ? nil : unit.currentPreset.flatMap { $0.isUserPreset ? nil : $0 }
      // A user's preset may be another one tomorrow: its values are written, not its name.
      new.preset = preset.map { Located($0.name, at: .nowhere) }
      describeValues(&new, preset: preset, apart: entries)
    } else {
      describeEntry(&new, first: configuredEntries.first)
      describeValues(&new, preset: nil, apart: entries)
    }
    return (new, needsState ? unit.fullStateForDocument : nil)
  }

  // MARK: Values

  /// What a parameter is set to, or is moved to.
  func value(of parameter: Parameter) -> Float {
    let value = target(parameter.keyPath) ?? parameter.value
    return parameter.isWhole ? value.rounded() : value
  }

  /// What a setting of the configuration says, nil for one that says nothing.
  private func read(_ setting: Setting) -> Float? {
    try? SettingReader(unit: unit, id: configured.id.value).read(setting).1
  }

  /// A value as it was written, if that is what it is, and else as people would write it.
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
    // The shortest decimal that is this number, not all digits of the double.
    return .number(Double("\(value)") ?? Double(value))
  }

  /// - Parameter entries: key paths that entries name; the unit's own values of them stay as they
  ///   are.
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
    // A unit may apply its presets without telling their values.
    let isUnknown = preset != nil && ofPreset.isEmpty
    for parameter in tree.allParameters
    where parameter.flags.contains(.writable) && !apart.contains(parameter.keyPath) {
      let expected = ofPreset[parameter.keyPath] ?? parameter.defaultValue
      if isUnknown || value(of: parameter) != expected {
        new.parameters.append(setting(parameter))
      }
    }
  }

  /// What the configuration says of a stage; nothing of one that a program has made.
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

  /// Whether a configuration can say which entry the unit plays, with its values.
  private func isSayable(_ named: Set<String>) -> Bool {
    guard let entry = currentEntry else { return false }
    return unit.parameterTree.allParameters.allSatisfy { parameter in
      guard named.contains(parameter.keyPath) else { return true }
      return value(of: parameter) == entry.parameters[parameter.keyPath] ?? base(parameter)
    }
  }

  /// The value that entries have that name none.
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
