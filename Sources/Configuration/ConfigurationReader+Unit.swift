// Reading [[unit]].

extension ConfigurationReader {
  /// Returns a unit; nil for one with a problem.
  mutating func unit(_ node: ConfigurationValue) -> UnitConfiguration? {
    let section = "[[unit]]"
    let formerCount = problemCount
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try node.table("unit", as: section)
      })
    else { return nil }
    var id: Located<String>?
    var component: Located<String>?
    var preset: Located<String>?
    var state: Located<String>?
    var switches: [UnitSwitch: Located<Bool>] = [:]
    var parameters: [Setting] = []
    var stages: [Located<MIDIStageConfiguration>] = []
    var place: Located<BoxPosition>?
    var keys = UnitKeys()
    let kind = kind(members)
    let ownKeys = kind?.configurationKeys ?? []
    let kindKeys = ownKeys + kindKeys
    for member in members {
      let key = member.key.value
      let value = member.value
      switch key {
      case "id":
        id = attempt { () throws(ConfigurationProblem) in
          try value.name(key) { (text) throws(NameError) in try UnitName(text) }
        }
      case "component":
        component = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "preset": preset = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "state": state = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "parameters": parameters = self.parameters(value)
      case "midi": stages = midiStages(value)
      case "place": place = attempt { () throws(ConfigurationProblem) in try Self.place(value) }
      default:
        if let found = UnitSwitch(rawValue: key) {
          switches[found] = attempt { () throws(ConfigurationProblem) in try value.boolean(key) }
          continue
        }
        guard let own = kindKeys.first(where: { $0.name == key }) else {
          report(
            .unknown(
              "key", key, in: section,
              accepted: GeneralUnitKey.required.map(\.name) + ownKeys.map(\.name)
                + GeneralUnitKey.optional.map(\.name), at: member.key.location))
          continue
        }
        keys.set(own, to: value, at: member.key.location)
      }
    }
    check(keys, of: kind)
    for key in GeneralUnitKey.required.map(\.name)
    where !members.contains(where: { $0.key.value == key }) {
      reportMissing(key, in: section, at: node.location)
    }
    guard let id, let component, problemCount == formerCount else { return nil }
    return UnitConfiguration(
      id: id, component: component, state: state, switches: switches, preset: preset,
      parameters: parameters, midiStages: stages, place: place, keys: keys,
      location: node.location)
  }

  private static func place(
    _ value: ConfigurationValue
  ) throws(ConfigurationProblem) -> Located<BoxPosition> {
    let values = try value.array("place", of: "two numbers")
    guard values.count == 2 else {
      throw ConfigurationProblem(
        "'place' has \(values.count) values", accepted: "two, such as [120, 40]",
        at: value.location)
    }
    let (x, y) = (
      try values[0].number("place", in: BoxPosition.range),
      try values[1].number("place", in: BoxPosition.range)
    )
    return Located(BoxPosition(x: x.value, y: y.value), at: value.location)
  }

  /// The keys of all kinds of units.
  private var kindKeys: [ConfigurationKey] {
    kinds.flatMap { ($0.unitType as? any ConfigurableUnit.Type)?.configurationKeys ?? [] }
  }

  /// Returns the kind of a unit by its component's text; nil for a kind without keys of its own.
  private func kind(_ members: [ConfigurationValue.Member]) -> (any ConfigurableUnit.Type)? {
    guard let value = members.first(where: { $0.key.value == "component" })?.value,
      case .string(let text) = value.content
    else { return nil }
    return kinds.first { $0.isNamed(text) }?.unitType as? any ConfigurableUnit.Type
  }

  /// Reports problems with a unit's keys: those found by its kind, and values that no key accepts.
  private mutating func check(_ keys: UnitKeys, of kind: (any ConfigurableUnit.Type)?) {
    var problems = kind?.problems(in: keys) ?? []
    if problems.isEmpty {
      for name in keys.names {
        if let problem = keys[name]?.unwritable(name) { problems.append(problem) }
      }
    }
    for problem in problems { report(problem) }
  }

  /// Returns all written ids. Those of units with a problem are included, because a reference to
  /// such a unit is no error.
  static func writtenIDs(_ units: [ConfigurationValue]) -> [Located<String>] {
    units.compactMap { unit in
      guard case .table(let members) = unit.content,
        let id = members.first(where: { $0.key.value == "id" }),
        case .string(let text) = id.value.content
      else { return nil }
      return Located(text, at: id.value.location)
    }
  }

  mutating func reportDuplicates(_ ids: [Located<String>]) {
    var seen: [String: SourcePosition] = [:]
    for id in ids {
      if let first = seen[id.value] {
        report(
          ConfigurationProblem(
            "two units have the id \(quoted(id.value)), the first in line \(first.line)",
            accepted: "an id of its own for each unit", at: id.location))
      } else {
        seen[id.value] = id.location
      }
    }
  }
}

extension ConfigurationValue {
  /// Returns the problem of a date or a number that is not finite: no key accepts them.
  fileprivate func unwritable(_ name: String) -> ConfigurationProblem? {
    switch content {
    case .table(let members): members.lazy.compactMap { $0.value.unwritable(name) }.first
    case .array(let values): values.lazy.compactMap { $0.unwritable(name) }.first
    case .float(let number) where !number.isFinite:
      ConfigurationProblem("\(quoted(name)) must be a finite number", at: location)
    case .date: wrongType(name, mustBe: "no date or time")
    case .string, .integer, .float, .boolean: nil
    }
  }
}
