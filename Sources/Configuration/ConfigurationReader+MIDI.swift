// Reads a unit's midi stages.

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
    let settings = members.filter { $0.key.value != "stage" }
    switch name.value {
    case "filter": return Located(.filter(filter(settings)), at: node.location)
    case "transpose":
      return transpose(settings, at: node.location).map {
        Located(.transpose($0), at: node.location)
      }
    case _ where MIDIStageConfiguration.names.contains(name.value):
      return Located(
        .settings(
          MIDIStageSettings(name: name.value, settings: stageSettings(settings, of: name.value))),
        at: node.location)
    default:
      report(
        .unknown(
          "MIDI stage", name.value, in: "'midi'", accepted: MIDIStageConfiguration.names,
          at: name.location))
      return nil
    }
  }

  private mutating func filter(_ members: [ConfigurationValue.Member]) -> MIDIFilterConfiguration {
    var filter = MIDIFilterConfiguration()
    for member in members {
      let key = member.key.value
      let value = member.value
      switch key {
      case "channels":
        filter.channels = attempt { () throws(ConfigurationProblem) in
          try NumberNotation.channels.ranges(value, key)
        }
      case "keys":
        filter.keys = attempt { () throws(ConfigurationProblem) in
          try NumberNotation.keys.range(value, key)
        }
      case "velocities":
        filter.velocities = attempt { () throws(ConfigurationProblem) in
          try NumberNotation.velocities.range(value, key)
        }
      case "controllers":
        filter.controllers = attempt { () throws(ConfigurationProblem) in
          try NumberNotation.controllers.ranges(value, key)
        }
      case "pass": filter.pass = messageKinds(value)
      case "bypass": filter.bypass = bypass(value)
      default:
        report(
          .unknown(
            "key", key, in: "the MIDI stage 'filter'",
            accepted: ["stage", "channels", "keys", "velocities", "controllers", "pass", "bypass"],
            at: member.key.location))
      }
    }
    return filter
  }

  private mutating func transpose(
    _ members: [ConfigurationValue.Member], at location: SourcePosition
  ) -> MIDITransposeConfiguration? {
    let context = "the MIDI stage 'transpose'"
    var semitones: Located<Int>?
    var channels: Located<[ClosedRange<Int>]>?
    var isBypassed: Located<Bool>?
    for member in members {
      let key = member.key.value
      switch key {
      case "semitones":
        semitones = attempt { () throws(ConfigurationProblem) in
          try member.value.integer(key, in: -127...127)
        }
      case "channels":
        channels = attempt { () throws(ConfigurationProblem) in
          try NumberNotation.channels.ranges(member.value, key)
        }
      case "bypass": isBypassed = bypass(member.value)
      default:
        report(
          .unknown(
            "key", key, in: context, accepted: ["stage", "semitones", "channels", "bypass"],
            at: member.key.location))
      }
    }
    if !members.contains(where: { $0.key.value == "semitones" }) {
      reportMissing("semitones", in: context, at: location)
    }
    return semitones.map {
      MIDITransposeConfiguration(semitones: $0, channels: channels, bypass: isBypassed)
    }
  }

  private mutating func bypass(_ node: ConfigurationValue) -> Located<Bool>? {
    attempt { () throws(ConfigurationProblem) in try node.boolean("bypass") }
  }

  private mutating func messageKinds(_ node: ConfigurationValue) -> Located<Set<MIDIMessageKind>>? {
    guard
      let names = attempt({ () throws(ConfigurationProblem) in
        try node.array("pass", of: "kinds of messages")
      })
    else { return nil }
    var kinds: Set<MIDIMessageKind> = []
    for node in names {
      let name = attempt { () throws(ConfigurationProblem) in try node.string("pass") }
      guard let name else { continue }
      if let kind = MIDIMessageKind(rawValue: name.value) {
        kinds.insert(kind)
      } else {
        report(
          .unknown(
            "kind of message", name.value, in: "'pass'",
            accepted: MIDIMessageKind.allCases.map(\.rawValue), at: name.location))
      }
    }
    return Located(kinds, at: node.location)
  }
}
