// Reads [[map]].

extension ConfigurationReader {
  private static let sourceKeys = MappingConfiguration.sourceKeys
  private static let mapKeys =
    ["parameter"] + sourceKeys
    + ["channel", "range", "curve", "shape", "mode", "pickup", "ramp"]

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
    var parameter: Located<String>?
    var sources: [(key: Located<String>, source: Located<MappingConfiguration.Source>?)] = []
    var read = MappingConfiguration(
      parameter: Located("", at: node.location), source: Located(.bend, at: node.location),
      at: node.location)
    var given: [String: SourcePosition] = [:]
    for member in members {
      let (key, value) = (member.key.value, member.value)
      given[key] = member.key.location
      switch key {
      case "parameter":
        parameter = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case _ where Self.sourceKeys.contains(key):
        let source = attempt { () throws(ConfigurationProblem) in try Self.source(key, value) }
        sources.append((member.key, source))
      case "channel":
        read.channel = attempt { () throws(ConfigurationProblem) in
          try value.integer(key, in: MappingConfiguration.channels)
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
      default:
        report(.unknown("key", key, in: section, accepted: Self.mapKeys, at: member.key.location))
      }
    }
    if given["parameter"] == nil { reportMissing("parameter", in: section, at: node.location) }
    guard let first = sources.first else {
      report(
        ConfigurationProblem(
          "\(section) says no controller", accepted: Self.sourceKeys.joined(separator: ", "),
          at: node.location))
      return nil
    }
    if sources.count > 1 {
      report(
        ConfigurationProblem(
          "\(section) has '\(first.key.value)' and '\(sources[1].key.value)'",
          accepted: "one of them; a [[map]] of its own for each", at: sources[1].key.location))
      return nil
    }
    guard let parameter, let source = first.source else { return nil }
    (read.parameter, read.source) = (parameter, source)
    refuseIdle(read, given)
    return read
  }

  /// Reports keys that would do nothing beside others.
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
    switch mapping.source.value {
    case .controller: break
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
          "'\(key) = false' says nothing", accepted: "\(key) = true", at: value.location)
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

extension ConfigurationValue {
  /// A number within a range.
  fileprivate func number(
    _ name: String, in range: ClosedRange<Double>, unit: String = ""
  ) throws(ConfigurationProblem) -> Located<Double> {
    func plain(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
    let accepted =
      "\(plain(range.lowerBound)) to \(plain(range.upperBound))" + (unit.isEmpty ? "" : " \(unit)")
    let number: Double
    switch content {
    case .integer(let whole): number = Double(whole)
    case .float(let given): number = given
    default: throw wrongType(name, mustBe: "a number, \(accepted)")
    }
    guard range.contains(number) else {
      throw ConfigurationProblem(
        "'\(name)' is out of range: \(number)", accepted: accepted, at: location)
    }
    return Located(number, at: location)
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
