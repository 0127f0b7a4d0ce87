// Reading the MIDI stages of a unit.

extension ConfigurationReader {
  mutating func midiStages(_ node: ConfigurationValue) -> [Located<MIDIStageConfiguration>] {
    let stages = attempt { () throws(ConfigurationProblem) in
      try node.array("midi", of: "stages, such as [ { stage = \"transpose\", semitones = 12 } ]")
    }
    return (stages ?? []).compactMap { stage($0) }
  }

  private mutating func stage(_ node: ConfigurationValue) -> Located<MIDIStageConfiguration>? {
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try node.table("midi", as: "{ stage = …, … }")
      })
    else { return nil }
    guard let stage = members.first(where: { $0.key.value == "stage" }) else {
      report(
        ConfigurationProblem(
          "the MIDI stage has no 'stage'",
          accepted: MIDIStageConfiguration.names.joined(separator: ", "),
          at: node.location))
      return nil
    }
    guard
      let name = attempt({ () throws(ConfigurationProblem) in try stage.value.string("stage") })
    else { return nil }
    guard MIDIStageConfiguration.names.contains(name.value) else {
      report(
        .unknown(
          "MIDI stage", name.value, in: "'midi'", accepted: MIDIStageConfiguration.names,
          at: name.location))
      return nil
    }
    let keys = members.filter { $0.key.value != "stage" }
    check(keys, of: name.value, at: node.location)
    return Located(
      MIDIStageConfiguration(name: name.value, settings: stageSettings(keys, of: name.value)),
      at: node.location)
  }

  /// Checks the keys of the most common stages, before a unit exists that knows them.
  private mutating func check(
    _ members: [ConfigurationValue.Member], of stage: String, at location: SourcePosition
  ) {
    let known: [String]
    switch stage {
    case "filter": known = ["channels", "keys", "velocities", "controllers", "pass", "bypass"]
    case "transpose": known = ["semitones", "channels", "bypass"]
    default: return
    }
    let context = "the MIDI stage '\(stage)'"
    for member in members {
      let key = member.key.value
      _ = attempt { () throws(ConfigurationProblem) in
        switch key {
        case "bypass": _ = try member.value.boolean(key)
        case "semitones" where stage == "transpose":
          _ = try member.value.integer(key, in: -127...127)
        case _ where known.contains(key) || Self.rangeEnds.contains(key): break
        default:
          throw .unknown(
            "key", key, in: context, accepted: ["stage"] + known, at: member.key.location)
        }
      }
    }
    if stage == "transpose", !members.contains(where: { $0.key.value == "semitones" }) {
      reportMissing("semitones", in: context, at: location)
    }
  }

  /// The ends of a filter's ranges, by the names of its parameters.
  private static let rangeEnds = ["key", "velocity", "controller"].flatMap {
    ["\($0)Low", "\($0)High"]
  }
}
