// The sampler's own keys: its SoundFont and its MIDI stages.

import Configuration
import Foundation
import MIDIKernel
import MIDIKernelModel
import SamplerUnit
import UnitModel

extension SessionBuilder {
  /// Makes a sampler with the stages of its MIDI kernel and loads its SoundFont.
  func makeSampler(
    _ configuration: UnitConfiguration, file: URL?
  ) async throws(ConfigurationProblem) -> AudioUnit {
    var kinds: [MIDIStageKind] = []
    for stage in configuration.midiStages {
      guard let kind = MIDIStageKind(identifier: stage.value.name) else {
        throw .unknown(
          "MIDI stage", stage.value.name, in: "'midi'",
          accepted: MIDIStageKind.allCases.map(\.identifier), at: stage.location)
      }
      kinds.append(kind)
    }
    let sampler: SamplerUnit
    do { sampler = try SamplerUnit(midiStages: kinds) } catch {
      throw ConfigurationProblem("\(error)", at: configuration.component.location)
    }
    for (stage, settings) in zip(sampler.midiLayout.stages, configuration.midiStages) {
      try apply(settings, as: stage.keyPath, to: sampler)
    }
    try await loadSoundFont(configuration, into: sampler, file: file)
    return sampler
  }

  private func loadSoundFont(
    _ configuration: UnitConfiguration, into sampler: SamplerUnit, file: URL?
  ) async throws(ConfigurationProblem) {
    guard let name = configuration.soundFont else {
      if let location = configuration.bank?.location ?? configuration.program?.location {
        throw ConfigurationProblem(
          "a bank or program without a SoundFont", accepted: "soundfont = \"FILE.sf2\" beside it",
          at: location)
      }
      return
    }
    let url = try located(name.location) { () throws(SoundFontLocationError) in
      try locator.locate(name.value, beside: file)
    }
    do throws(SoundFontError) {
      try await sampler.load(
        soundFont: url, bank: configuration.bank?.value ?? 0,
        program: configuration.program?.value ?? 0)
    } catch {
      var location = name.location
      if case .presetNotFound = error {
        location = configuration.program?.location ?? configuration.bank?.location ?? location
      }
      throw ConfigurationProblem(error.description, at: location)
    }
  }

  /// Sets the parameters of one stage, those of its group in the tree.
  private func apply(
    _ settings: Located<MIDIStageConfiguration>, as group: String, to sampler: SamplerUnit
  ) throws(ConfigurationProblem) {
    func set(_ name: String, _ value: Int, _ location: SourcePosition) throws(ConfigurationProblem)
    {
      try apply(
        Setting(
          keyPath: Located("\(group).\(name)", at: location),
          value: Located(.number(Double(value)), at: location)), to: sampler, id: group)
    }
    func setChannels(_ ranges: Located<[ClosedRange<Int>]>?) throws(ConfigurationProblem) {
      guard let ranges else { return }
      for channel in 1...16 {
        let isOn = ranges.value.contains { $0.contains(channel) }
        try set("channels.\(channel)", isOn ? 1 : 0, ranges.location)
      }
    }
    func setRange(
      _ name: String, _ range: Located<ClosedRange<Int>>?
    ) throws(ConfigurationProblem) {
      guard let range else { return }
      try set("\(name)Low", range.value.lowerBound, range.location)
      try set("\(name)High", range.value.upperBound, range.location)
    }
    switch settings.value {
    case .settings(let settings):
      for setting in settings.settings {
        try apply(setting, of: settings.name, as: group, to: sampler)
      }
    case .transpose(let transpose):
      try set("semitones", transpose.semitones.value, transpose.semitones.location)
      try setChannels(transpose.channels)
    case .filter(let filter):
      try setChannels(filter.channels)
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

  /// Sets a parameter that a stage's own key names.
  private func apply(
    _ setting: Setting, of stage: String, as group: String, to sampler: SamplerUnit
  ) throws(ConfigurationProblem) {
    let keyPath = "\(group).\(setting.keyPath.value)"
    guard sampler.parameterTree.parameter(keyPath: keyPath) != nil else {
      var known: [String] = []
      for path in sampler.parameterTree.allParameters.map(\.keyPath)
      where path.hasPrefix(group + ".") {
        let key = String(path.dropFirst(group.count + 1))
        let name = key.hasPrefix("channels.") ? "channels" : key
        if known.last != name { known.append(name) }
      }
      throw .unknown(
        "key", setting.keyPath.value, in: "the MIDI stage '\(stage)'", accepted: known,
        at: setting.keyPath.location)
    }
    try apply(
      Setting(
        keyPath: Located(keyPath, at: setting.keyPath.location), value: setting.value),
      to: sampler, id: group)
  }
}
