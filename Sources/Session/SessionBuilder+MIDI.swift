// The keys of units with a MIDI chain: their stages.

import Configuration
import MIDIEffectUnit
import MIDIKernel
import MIDIKernelModel
import SamplerUnit
import UnitModel

extension SessionBuilder {
  /// The units that have `midi` stages in configurations.
  static let midiChainUnits: [any MIDIChainUnit.Type] = [SamplerUnit.self, MIDIEffectUnit.self]

  /// Makes a unit with the stages of a configuration and their settings.
  func makeMIDIChainUnit(
    _ type: any MIDIChainUnit.Type, _ configuration: UnitConfiguration
  ) throws(ConfigurationProblem) -> AudioUnit {
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
    let component =
      type == SamplerUnit.self
      ? SamplerUnit.component(
        midiStages: kinds, outputs: try outputs(configuration.outputs),
        channels: try channels(configuration))
      : type.component(midiStages: kinds)
    let unit = try located(configuration.component.location) { () throws(InstantiationError) in
      try registry.makeUnit(of: component)
    }
    if let layout = (unit as? any MIDIChainUnit)?.midiLayout {
      for (stage, settings) in zip(layout.stages, configuration.midiStages) {
        let targets = layout.targets(of: stage, in: unit.parameterTree)
        try apply(settings, as: stage.keyPath, to: unit, targets: targets)
      }
    }
    return unit
  }

  /// Sets the parameters of one stage, those of its group in the tree.
  private func apply(
    _ settings: Located<MIDIStageConfiguration>, as group: String, to unit: AudioUnit,
    targets: [Parameter]
  ) throws(ConfigurationProblem) {
    func set(_ name: String, _ value: Int, _ location: SourcePosition) throws(ConfigurationProblem)
    {
      try apply(
        Setting(
          keyPath: Located("\(group).\(name)", at: location),
          value: Located(.number(Double(value)), at: location)), to: unit, id: group)
    }
    func setChannels(_ ranges: Located<[ClosedRange<Int>]>?) throws(ConfigurationProblem) {
      guard let ranges else { return }
      for channel in 1...16 {
        let isOn = ranges.value.contains { $0.contains(channel) }
        try set("channels.\(channel)", isOn ? 1 : 0, ranges.location)
      }
    }
    func setBypass(_ bypass: Located<Bool>?) throws(ConfigurationProblem) {
      if let bypass { try set("bypass", bypass.value ? 1 : 0, bypass.location) }
    }
    func setRange(
      _ name: String, _ range: Located<ClosedRange<Int>>?
    ) throws(ConfigurationProblem) {
      guard let range else { return }
      try set("\(name)Low", range.value.lowerBound, range.location)
      try set("\(name)High", range.value.upperBound, range.location)
    }
    let location = settings.location
    switch settings.value {
    case .settings(let settings):
      for setting in settings.settings {
        let setting = try numbered(setting, of: settings.name, targets: targets)
        try apply(setting, of: settings.name, as: group, to: unit)
      }
      try check(settings, as: group, of: unit, at: location)
    case .transpose(let transpose):
      try set("semitones", transpose.semitones.value, transpose.semitones.location)
      try setChannels(transpose.channels)
      try setBypass(transpose.bypass)
    case .filter(let filter):
      try setChannels(filter.channels)
      try setBypass(filter.bypass)
      try setRange("key", filter.keys)
      try setRange("velocity", filter.velocities)
      if let controllers = filter.controllers {
        guard let range = controllers.value.first, controllers.value.count == 1 else {
          throw ConfigurationProblem(
            "a filter has one range of controllers",
            accepted:
              "such as controllers = [\"1-64\"]; add a second filter stage for a second range",
            at: controllers.location)
        }
        try setRange("controller", Located(range, at: controllers.location))
      }
      if let pass = filter.pass {
        for kind in MIDIMessageKind.allCases {
          try set("pass.\(kind.rawValue)", pass.value.contains(kind) ? 1 : 0, pass.location)
        }
      }
    }
  }

  /// A controller stage's `parameter` with the number of the key path that it gives; other settings as they are.
  private func numbered(
    _ setting: Setting, of stage: String, targets: [Parameter]
  ) throws(ConfigurationProblem) -> Setting {
    guard stage == MIDIStageKind.controller.rawValue, setting.keyPath.value == "parameter",
      case .string(let keyPath) = setting.value.value
    else { return setting }
    guard let target = targets.first(where: { $0.keyPath == keyPath }),
      let number = MIDIChainTarget.number(ofAddress: target.address)
    else {
      throw .unknown(
        "parameter", keyPath, in: "what this stage can move", accepted: Self.settable(targets),
        at: setting.value.location)
    }
    return Setting(
      keyPath: setting.keyPath, value: Located(.number(Double(number)), at: setting.value.location))
  }

  /// Sets a parameter that a stage's own key names.
  private func apply(
    _ setting: Setting, of stage: String, as group: String, to unit: AudioUnit
  ) throws(ConfigurationProblem) {
    let keyPath = "\(group).\(setting.keyPath.value)"
    guard unit.parameterTree.parameter(keyPath: keyPath) != nil else {
      let known = Self.keys(
        of: unit.parameterTree.allParameters.filter { $0.keyPath.hasPrefix(group + ".") },
        below: group)
      throw .unknown(
        "key", setting.keyPath.value, in: "the MIDI stage '\(stage)'", accepted: known,
        at: setting.keyPath.location)
    }
    try apply(
      Setting(
        keyPath: Located(keyPath, at: setting.keyPath.location), value: setting.value),
      to: unit, id: group)
  }

  /// A stage's keys as configurations write them.
  private static func keys(of parameters: [Parameter], below group: String) -> [String] {
    var keys: [String] = []
    for path in settable(parameters) {
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
