// MIDI stages in the configuration of a unit.

import Configuration
import MIDIStages
import MIDIStagesModel
import UnitModel

extension SessionBuilder {
  /// Sets up the MIDI stages of a configuration, with their settings.
  func setMIDIStages(
    _ configuration: UnitConfiguration, of unit: AudioUnit
  ) throws(ConfigurationProblem) {
    guard let first = configuration.midiStages.first, let chain = unit as? any MIDIChainUnit else {
      return
    }
    var kinds: [MIDIStageKind] = []
    for stage in configuration.midiStages {
      guard kinds.count < MIDIChainLayout.maximumStageCount else {
        throw ConfigurationProblem(
          "unit '\(configuration.id.value)' has \(configuration.midiStages.count) MIDI stages",
          accepted: "at most \(MIDIChainLayout.maximumStageCount)", at: stage.location)
      }
      guard let kind = MIDIStageKind(rawValue: stage.value.name) else {
        throw .unknown(
          "MIDI stage", stage.value.name, in: "'midi'",
          accepted: MIDIStageKind.allCases.map(\.rawValue), at: stage.location)
      }
      kinds.append(kind)
    }
    try located(first.location) { () throws(MIDIStagesError) in try chain.setMIDIStages(kinds) }
    let layout = chain.midiLayout
    for (stage, settings) in zip(layout.stages, configuration.midiStages) {
      let targets = layout.targets(of: stage, in: unit.parameterTree)
      try apply(settings, as: stage.keyPath, to: unit, targets: targets)
    }
  }

  /// Sets the parameters of one stage, in its group of the parameter tree.
  private func apply(
    _ stage: Located<MIDIStageConfiguration>, as group: String, to unit: AudioUnit,
    targets: [Parameter]
  ) throws(ConfigurationProblem) {
    for setting in try Self.settings(of: stage.value, as: group, targets: targets) {
      try Self.refuseUnknown(setting, of: stage.value.name, as: group, in: unit)
      try apply(setting, to: unit, id: group)
    }
    try Self.check(stage.value, as: group, of: unit, at: stage.location)
  }

  /// Returns the settings of a stage, with key paths of the unit.
  static func settings(
    of stage: MIDIStageConfiguration, as group: String, targets: [Parameter]
  ) throws(ConfigurationProblem) -> [Setting] {
    var settings: [Setting] = []
    for written in stage.settings {
      let setting = try numbered(written, of: stage.name, targets: targets)
      settings.append(
        Setting(
          keyPath: Located("\(group).\(setting.keyPath.value)", at: setting.keyPath.location),
          value: setting.value))
    }
    return settings
  }

  /// Replaces the key path in a controller stage's `parameter` by its number. Returns other
  /// settings unchanged.
  private static func numbered(
    _ setting: Setting, of stage: String, targets: [Parameter]
  ) throws(ConfigurationProblem) -> Setting {
    guard stage == MIDIStageKind.controller.rawValue, setting.keyPath.value == "parameter",
      case .string(let keyPath) = setting.value.value
    else { return setting }
    guard let target = targets.first(where: { $0.keyPath == keyPath }),
      let number = MIDIChainTarget.number(ofAddress: target.address)
    else {
      throw .unknown(
        "parameter", keyPath, in: "what this stage can move",
        accepted: SettingReader.settable(targets),
        at: setting.value.location)
    }
    return Setting(
      keyPath: setting.keyPath, value: Located(.number(Double(number)), at: setting.value.location))
  }

  /// - Parameter setting: a setting with a key path of the unit.
  private static func refuseUnknown(
    _ setting: Setting, of stage: String, as group: String, in unit: AudioUnit
  ) throws(ConfigurationProblem) {
    guard unit.parameterTree.parameter(keyPath: setting.keyPath.value) == nil else { return }
    let known = keys(
      of: unit.parameterTree.allParameters.filter { $0.keyPath.hasPrefix(group + ".") },
      below: group)
    throw .unknown(
      "key", String(setting.keyPath.value.dropFirst(group.count + 1)),
      in: "the MIDI stage '\(stage)'", accepted: known, at: setting.keyPath.location)
  }

  /// Returns a stage's keys in the form used in configurations.
  private static func keys(of parameters: [Parameter], below group: String) -> [String] {
    var keys: [String] = []
    for path in SettingReader.settable(parameters) {
      var key = String(path.dropFirst(group.count + 1))
      // Numbered keys are written as an array, ends of a range as one key.
      for (ending, word) in [
        (".1…16", ""), (".1…12", ""), ("keyLow", "keys"), ("keyHigh", "keys"),
      ] where key.hasSuffix(ending) {
        key = key.dropLast(ending.count) + word
        break
      }
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }
}
