// Checks for settings of a MIDI stage that are in range but together ineffective or misleading.

import Configuration
import MIDIStagesModel
import UnitModel

extension SessionBuilder {
  /// - Parameters:
  ///   - settings: the settings of a stage, already applied.
  ///   - group: the key path of the stage.
  ///   - location: the position of the stage.
  static func check(
    _ settings: MIDIStageConfiguration, as group: String, of unit: AudioUnit,
    at location: SourcePosition
  ) throws(ConfigurationProblem) {
    let stage = StageValues(settings: settings, group: group, unit: unit, location: location)
    switch settings.name {
    case "controller": try checkController(stage)
    case "channel": try checkZones(stage)
    default: break
    }
  }

  private static func checkController(_ stage: StageValues) throws(ConfigurationProblem) {
    let coarse = 31
    for (end, number) in [("source", "sourceController"), ("target", "targetController")]
    where stage.string(end) == "14-bit Controller" && stage.value(number) > Float(coarse) {
      throw ConfigurationProblem(
        "'\(number)' = \(Int(stage.value(number))) has no second half: a 14-bit controller is a pair, n with n + 32",
        accepted: "0 to \(coarse)", at: stage.location(of: number))
    }
    let movesParameter = stage.string("target") == "Parameter"
    if movesParameter && stage.value("parameter") < 0 {
      throw ConfigurationProblem(
        "the MIDI stage 'controller' has the target \"parameter\" and no 'parameter'",
        accepted: "such as parameter = \"gain\", the key path of a parameter",
        at: stage.location(of: "target"))
    }
    if !movesParameter && stage.value("parameter") >= 0 {
      throw ConfigurationProblem(
        "the MIDI stage 'controller' has a 'parameter' that is not its target",
        accepted: "target = \"parameter\" beside it", at: stage.location(of: "parameter"))
    }
  }

  private static func checkZones(_ stage: StageValues) throws(ConfigurationProblem) {
    let hasZones = (1...8).contains { stage.value("zones.\($0).channel") > 0 }
    let isZoned = stage.string("mode") == "Zones"
    if isZoned && !hasZones {
      throw ConfigurationProblem(
        "the MIDI stage 'channel' has the mode \"zones\" and no zone with a channel: nothing would pass",
        accepted: "such as zones = [ { channel = 1, keys = \"C-1-B3\" } ]",
        at: stage.location(of: "mode"))
    }
    if !isZoned && hasZones {
      throw ConfigurationProblem(
        "the MIDI stage 'channel' has 'zones' that its mode does not use",
        accepted: "mode = \"zones\" beside them", at: stage.location(of: "zones"))
    }
  }
}

/// The values of a stage's parameters, and their positions in the configuration.
private struct StageValues {
  let settings: MIDIStageConfiguration
  let group: String
  let unit: AudioUnit
  let location: SourcePosition

  private func parameter(_ key: String) -> Parameter? {
    unit.parameterTree.parameter(keyPath: "\(group).\(key)")
  }

  func value(_ key: String) -> Float { parameter(key)?.value ?? 0 }

  func string(_ key: String) -> String { parameter(key)?.string() ?? "" }

  private func setting(_ key: String) -> Setting? {
    settings.settings.first {
      $0.keyPath.value == key || $0.keyPath.value.hasPrefix(key + ".")
    }
  }

  func location(of key: String) -> SourcePosition { setting(key)?.value.location ?? location }
}
