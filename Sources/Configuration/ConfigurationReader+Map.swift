// Reading [[map]].

import Platform

extension ConfigurationReader {
  private static let sourceKeys = MappingConfiguration.sourceKeys
  private static let targetKeys = MappingConfiguration.targetKeys

  mutating func mappings(_ nodes: [ConfigurationValue]) -> [MappingConfiguration] {
    let most = MappingConfiguration.maximumCount
    if nodes.count > most {
      report(
        ConfigurationProblem(
          "there are \(nodes.count) mappings", accepted: "up to \(most)",
          at: nodes[most].location))
    }
    return nodes.prefix(most).compactMap { mapping($0) }
  }

  private mutating func mapping(_ node: ConfigurationValue) -> MappingConfiguration? {
    let section = "[[map]]"
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try node.table("map", as: section)
      })
    else { return nil }
    var targets: [(key: Located<String>, target: Located<MappingConfiguration.Target>?)] = []
    var sources: [(key: Located<String>, source: Located<MappingConfiguration.Source>?)] = []
    var read = MappingConfiguration(
      parameter: Located("", at: node.location), source: Located(.bend, at: node.location),
      at: node.location)
    var given: [String: SourcePosition] = [:]
    for member in members {
      let (key, value) = (member.key.value, member.value)
      given[key] = member.key.location
      switch key {
      case _ where Self.targetKeys.contains(key):
        let target = attempt { () throws(ConfigurationProblem) in try Self.target(key, value) }
        targets.append((member.key, target))
      case _ where Self.sourceKeys.contains(key):
        let source = attempt { () throws(ConfigurationProblem) in try Self.source(key, value) }
        sources.append((member.key, source))
      case "channel":
        read.channel = attempt { () throws(ConfigurationProblem) in
          try value.integer(key, in: MappingConfiguration.channels)
        }
      case "bank":
        read.bank = attempt { () throws(ConfigurationProblem) in
          try value.integer(key, in: MappingConfiguration.banks)
        }
      case "range":
        read.range = attempt { () throws(ConfigurationProblem) in try Self.range(value) }
      case "curve": read.curve = word(value, key) ?? read.curve
      case "mode": read.mode = word(value, key) ?? read.mode
      case "pickup": read.pickup = word(value, key) ?? read.pickup
      case "shape":
        let shape = attempt { () throws(ConfigurationProblem) in
          try value.number(key, in: MappingConfiguration.shapes)
        }
        read.shape = shape?.value ?? read.shape
      case "ramp":
        read.ramp = attempt { () throws(ConfigurationProblem) in
          try value.number(key, in: MappingConfiguration.ramps, unit: "milliseconds")
        }
      case "feedback":
        let feedback = attempt { () throws(ConfigurationProblem) in try value.boolean(key) }
        read.feedback = feedback?.value ?? read.feedback
      default:
        report(
          .unknown("key", key, in: section, accepted: SectionKeys.map, at: member.key.location))
      }
    }
    if targets.isEmpty {
      report(
        ConfigurationProblem(
          "\(section) has no 'parameter'", accepted: Self.targetKeys.joined(separator: ", "),
          at: node.location))
    }
    guard !sources.isEmpty else {
      report(
        ConfigurationProblem(
          "\(section) says no controller", accepted: Self.sourceKeys.joined(separator: ", "),
          at: node.location))
      return nil
    }
    let hasBoth = [targets.map(\.key), sources.map(\.key)].map { refuseSecond($0) }
    guard hasBoth == [true, true], let target = targets[0].target, let source = sources[0].source
    else { return nil }
    (read.target, read.source) = (target, source)
    refuseIdle(read, given)
    return read
  }

  /// - Returns: whether there is exactly one key.
  private mutating func refuseSecond(_ keys: [Located<String>]) -> Bool {
    if keys.count > 1 {
      report(
        ConfigurationProblem(
          "[[map]] has '\(keys[0].value)' and '\(keys[1].value)'",
          accepted: "one of them; a [[map]] of its own for each", at: keys[1].location))
    }
    return keys.count == 1
  }

  /// Reports keys that have no effect with the others.
  private mutating func refuseIdle(
    _ mapping: MappingConfiguration, _ given: [String: SourcePosition]
  ) {
    func refuse(_ key: String, _ reason: String, _ accepted: String, unless isFine: Bool) {
      guard !isFine, let location = given[key] else { return }
      report(
        ConfigurationProblem(
          "'\(key)' does nothing \(reason)", accepted: accepted, at: location))
    }
    let mode = mapping.mode
    if case .program = mapping.source.value {
    } else {
      refuse("bank", "without a program", "'program' too", unless: false)
    }
    guard case .parameter = mapping.target.value else {
      return refuseMoves(mapping, given)
    }
    switch mapping.source.value {
    case .controller: break
    case .program:
      report(
        ConfigurationProblem(
          "a program change moves no parameter", accepted: "scene, preset, panic",
          at: mapping.target.location))
    default:
      if let location = given["mode"], [.relative, .relativeOffset, .relativeSign].contains(mode) {
        report(
          ConfigurationProblem(
            "'mode = \"\(mode.rawValue)\"' is for controllers of 7 bits",
            accepted: "'controller', or another mode: absolute, toggle", at: location))
      }
    }
    refuse("shape", "without a curve", "'curve' too", unless: mapping.curve != .linear)
    refuse("curve", "in a toggle", "no 'curve'", unless: mode != .toggle)
    refuse("pickup", "where nothing jumps", "no 'pickup'", unless: mode == .absolute)
    if case .note = mapping.source.value {
      refuse("pickup", "with notes", "no 'pickup'", unless: false)
    }
  }

  /// Reports keys and controllers in the mapping of a trigger that only apply to parameters.
  private mutating func refuseMoves(
    _ mapping: MappingConfiguration, _ given: [String: SourcePosition]
  ) {
    for key in ["range", "curve", "shape", "mode", "pickup", "ramp", "feedback"] {
      guard let location = given[key] else { continue }
      report(
        ConfigurationProblem(
          "'\(key)' does nothing without a parameter", accepted: "no '\(key)'", at: location))
    }
    switch mapping.source.value {
    case .program, .note, .controller: break
    case .controllerPair, .nonRegistered, .pressure, .bend:
      report(
        ConfigurationProblem(
          "'\(mapping.source.value.setting.key)' moves parameters and presses nothing",
          accepted: "program, note, controller", at: mapping.source.location))
    }
  }

  private static func target(
    _ key: String, _ value: ConfigurationValue
  ) throws(ConfigurationProblem) -> Located<MappingConfiguration.Target> {
    if key == "panic" {
      guard try value.boolean(key).value else {
        throw ConfigurationProblem(
          "'panic = false' has no effect", accepted: "panic = true", at: value.location)
      }
      return Located(.panic, at: value.location)
    }
    let name = try value.name(key)
    switch key {
    case "scene": return Located(.scene(name.value), at: name.location)
    case "preset":
      let parts = name.value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw ConfigurationProblem(
          "\(quoted(name.value)) is no preset of a unit",
          accepted: "a unit's id and a preset's name, such as lowpass/Warm", at: name.location)
      }
      return Located(
        .preset(unit: String(parts[0]), name: String(parts[1])), at: name.location)
    default: return Located(.parameter(name.value), at: name.location)
    }
  }

  private mutating func word<Word: RawRepresentable & CaseIterable>(
    _ value: ConfigurationValue, _ key: String
  ) -> Word? where Word.RawValue == String {
    attempt { () throws(ConfigurationProblem) in
      let text = try value.string(key)
      guard let word = Word(rawValue: text.value) else {
        throw .unknown(
          key, text.value, in: "[[map]]", accepted: Word.allCases.map(\.rawValue),
          at: text.location)
      }
      return word
    }
  }

  private static func source(
    _ key: String, _ value: ConfigurationValue
  ) throws(ConfigurationProblem) -> Located<MappingConfiguration.Source> {
    func located(_ source: MappingConfiguration.Source) -> Located<MappingConfiguration.Source> {
      Located(source, at: value.location)
    }
    switch key {
    case "controller": return located(.controller(try value.integer(key, in: 0...119).value))
    case "controller14": return located(.controllerPair(try value.integer(key, in: 0...31).value))
    case "nrpn": return located(.nonRegistered(try value.integer(key, in: 0...16_383).value))
    case "program": return located(.program(try value.integer(key, in: 0...127).value))
    case "note":
      let keys = try NumberNotation.keys.range(value, key)
      guard keys.value.count == 1 else {
        throw ConfigurationProblem(
          "'note' is one key", accepted: "0 to 127, or a name such as C4", at: value.location)
      }
      return located(.note(keys.value.lowerBound))
    default:
      guard try value.boolean(key).value else {
        throw ConfigurationProblem(
          "'\(key) = false' has no effect", accepted: "\(key) = true", at: value.location)
      }
      return located(key == "bend" ? .bend : .pressure)
    }
  }

  private static func range(
    _ value: ConfigurationValue
  ) throws(ConfigurationProblem) -> MappingConfiguration.Range {
    let ends = try value.array("range", of: "two values")
    guard ends.count == 2 else {
      throw ConfigurationProblem(
        "'range' has \(ends.count) values", accepted: "two, such as [200, 8000]",
        at: value.location)
    }
    return MappingConfiguration.Range(
      first: try ends[0].setting("range"), last: try ends[1].setting("range"))
  }
}

extension MappingConfiguration {
  /// Reads the keys of one `[[map]]`.
  ///
  /// - Thread: [any]
  package init(toml: String, file: String) throws(ConfigurationError) {
    self = try ConfigurationReader.readMapping(
      ConfigurationValue.parse(Array(toml.utf8), file: file))
  }
}
