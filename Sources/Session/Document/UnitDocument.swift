// One unit as a configuration would have it now.

import Configuration
import Foundation
import MIDIStagesModel
import SamplerUnit
import UnitModel

/// Compares a unit with what its configuration says.
struct UnitDocument {
  let configured: UnitConfiguration
  let unit: AudioUnit
  let origin: SessionOrigin
  /// The value that a ramp moves a parameter to.
  let target: (String) -> Float?

  /// The configuration, and the state where it cannot say everything.
  func make() -> (UnitConfiguration, state: StateDictionary?) {
    var new = configured.unlocated
    new.state = nil
    let isBypassed = unit.shouldBypassEffect
    new.bypass =
      isBypassed || configured.bypass != nil ? Located(isBypassed, at: .nowhere) : nil
    let entries = Set(configured.entries.flatMap { $0.parameters.map(\.keyPath.value) })
    var needsState = false
    if let sampler = unit as? SamplerUnit {
      describeSounds(of: sampler, &new)
      needsState = !isSayable(sampler, entries)
    } else {
      needsState = !unit.settings(forDocument: true).isEmpty
    }
    if configured.entries.isEmpty {
      let preset = needsState ? nil : unit.currentPreset.flatMap { $0.isUserPreset ? nil : $0 }
      // A user's preset may be another one tomorrow: its values are written, not its name.
      new.preset = preset.map { Located($0.name, at: .nowhere) }
      describeValues(&new, preset: preset, apart: entries)
    } else {
      describeEntry(&new)
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
    if let written, read(written) == value { return written.unlocated }
    return Setting(
      keyPath: Located(parameter.keyPath, at: .nowhere),
      value: Located(Self.text(value, of: parameter), at: .nowhere))
  }

  static func text(_ value: Float, of parameter: Parameter) -> SettingValue {
    if parameter.unit == .boolean, value == 0 || value == 1 { return .boolean(value == 1) }
    if !parameter.valueStrings.isEmpty {
      let name = parameter.string(fromValue: value)
      if parameter.value(fromString: name) == value { return .string(name) }
    }
    // The shortest decimal that is this number, not all digits of the double.
    return .number(Double("\(value)") ?? Double(value))
  }

  /// - Parameter entries: key paths that entries of a live set name; the unit's own values of them stay as they are.
  private func describeValues(
    _ new: inout UnitConfiguration, preset: Preset?, apart entries: Set<String>
  ) {
    let tree = unit.parameterTree
    let written = Set(configured.parameters.map(\.keyPath.value))
    new.parameters = configured.parameters.map { setting in
      guard let parameter = tree.parameter(keyPath: setting.keyPath.value),
        !entries.contains(parameter.keyPath)
      else { return setting.unlocated }
      return self.setting(parameter, was: setting)
    }
    var apart = entries.union(written)
    if let layout = (unit as? any MIDIChainUnit)?.midiLayout {
      for (index, stage) in layout.stages.enumerated() where index < configured.midiStages.count {
        let stages = StageDocument(unit: self, stage: stage, layout: layout, apart: apart)
        let (now, parameters) = stages.make(configured.midiStages[index])
        new.midiStages[index] = Located(now, at: .nowhere)
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

  // MARK: The sampler

  private func describeEntry(_ new: inout UnitConfiguration) {
    guard let entry = (unit as? SamplerUnit)?.currentEntry else { return }
    let isFirst = configured.entries.first?.number.value == entry.number
    new.preset =
      isFirst && configured.preset == nil ? nil : Located(entry.name, at: .nowhere)
  }

  /// Whether a configuration can say what the sampler plays.
  private func isSayable(_ sampler: SamplerUnit, _ named: Set<String>) -> Bool {
    if configured.entries.isEmpty { return true }
    guard let entry = sampler.currentEntry else { return false }
    return sampler.parameterTree.allParameters.allSatisfy { parameter in
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

  private func describeSounds(of sampler: SamplerUnit, _ new: inout UnitConfiguration) {
    guard configured.entries.isEmpty else { return }
    let fonts = sampler.soundFonts
    new.soundFonts = zip(0..., fonts).map { index, font in
      if configured.soundFonts.indices.contains(index) {
        let written = configured.soundFonts[index]
        let found = try? origin.find(written).url.path
        if found == font.url.path, written.bankOffset?.value ?? 0 == font.bankOffset {
          return written.unlocated
        }
      }
      return SoundFontConfiguration(
        file: Located(font.url.path, at: .nowhere),
        bankOffset: font.bankOffset == 0 ? nil : Located(font.bankOffset, at: .nowhere))
    }
    let (bank, program) = sampler.soundFontProgram ?? (0, 0)
    new.bank = number(bank, configured.bank)
    new.program = number(program, configured.program)
    if fonts.isEmpty { (new.bank, new.program) = (nil, nil) }
  }

  private func number(_ now: Int, _ written: Located<Int>?) -> Located<Int>? {
    now == 0 && written == nil ? nil : Located(now, at: .nowhere)
  }
}
