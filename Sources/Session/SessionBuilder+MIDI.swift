// The keys of units with a MIDI chain: their stages.

import Configuration
import MIDIStages
import MIDIStagesModel
import UnitModel

extension SessionBuilder {
  /// Gives a unit the stages of a configuration and their settings.
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

  /// Sets the parameters of one stage, those of its group in the tree.
  private func apply(
    _ stage: Located<MIDIStageConfiguration>, as group: String, to unit: AudioUnit,
    targets: [Parameter]
  ) throws(ConfigurationProblem) {
    for setting in try Self.settings(of: stage, as: group, targets: targets) {
      if case .settings(let settings) = stage.value {
        try Self.refuseUnknown(setting, of: settings.name, as: group, in: unit)
      }
      try apply(setting, to: unit, id: group)
    }
    guard case .settings(let settings) = stage.value else { return }
    try Self.check(settings, as: group, of: unit, at: stage.location)
  }

  /// What a stage sets, by the key paths of the unit.
  static func settings(
    of stage: Located<MIDIStageConfiguration>, as group: String, targets: [Parameter]
  ) throws(ConfigurationProblem) -> [Setting] {
    var settings: [Setting] = []
    func set(_ name: String, _ value: Int, _ location: SourcePosition) {
      settings.append(
        Setting(
          keyPath: Located("\(group).\(name)", at: location),
          value: Located(.number(Double(value)), at: location)))
    }
    func setChannels(_ ranges: Located<[ClosedRange<Int>]>?) {
      guard let ranges else { return }
      for channel in 1...16 {
        let isOn = ranges.value.contains { $0.contains(channel) }
        set("channels.\(channel)", isOn ? 1 : 0, ranges.location)
      }
    }
    func setBypass(_ bypass: Located<Bool>?) {
      if let bypass { set("bypass", bypass.value ? 1 : 0, bypass.location) }
    }
    func setRange(_ name: String, _ range: Located<ClosedRange<Int>>?) {
      guard let range else { return }
      set("\(name)Low", range.value.lowerBound, range.location)
      set("\(name)High", range.value.upperBound, range.location)
    }
    switch stage.value {
    case .settings(let written):
      for setting in written.settings {
        let setting = try numbered(setting, of: written.name, targets: targets)
        settings.append(
          Setting(
            keyPath: Located("\(group).\(setting.keyPath.value)", at: setting.keyPath.location),
            value: setting.value))
      }
    case .transpose(let transpose):
      set("semitones", transpose.semitones.value, transpose.semitones.location)
      setChannels(transpose.channels)
      setBypass(transpose.bypass)
    case .filter(let filter):
      setChannels(filter.channels)
      setBypass(filter.bypass)
      setRange("key", filter.keys)
      setRange("velocity", filter.velocities)
      if let controllers = filter.controllers {
        guard let range = controllers.value.first, controllers.value.count == 1 else {
          throw ConfigurationProblem(
            "a filter has one range of controllers",
            accepted:
              "such as controllers = [\"1-64\"]; add a second filter stage for a second range",
            at: controllers.location)
        }
        setRange("controller", Located(range, at: controllers.location))
      }
      if let pass = filter.pass {
        for kind in MIDIMessageKind.allCases {
          set("pass.\(kind.rawValue)", pass.value.contains(kind) ? 1 : 0, pass.location)
        }
      }
    }
    return settings
  }

  /// A controller stage's `parameter` with the number of the key path that it gives; other settings as they are.
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

  /// - Parameter setting: one with the key path of the unit.
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

  /// A stage's keys as configurations write them.
  private static func keys(of parameters: [Parameter], below group: String) -> [String] {
    var keys: [String] = []
    for path in SettingReader.settable(parameters) {
      var key = String(path.dropFirst(group.count + 1))
      // Numbered ones are written as an array, ends of a range as one key.
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
