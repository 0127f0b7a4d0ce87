// Reading [[scene]].

extension ConfigurationReader {
  /// - Parameter endIDs: the ids that connections can name.
  mutating func scenes(_ nodes: [ConfigurationValue], endIDs: [String]) -> [SceneConfiguration] {
    let most = SceneConfiguration.maximumCount
    if nodes.count > most {
      report(
        ConfigurationProblem(
          "there are \(nodes.count) scenes", accepted: "up to \(most)", at: nodes[most].location))
    }
    let scenes = nodes.prefix(most).compactMap { scene($0, endIDs: endIDs) }
    var first: [String: SourcePosition] = [:]
    for scene in scenes {
      if let place = first[scene.name.value] {
        report(
          ConfigurationProblem(
            "two scenes are called \(quoted(scene.name.value)), the first in line \(place.line)",
            accepted: "a name of its own for each scene", at: scene.name.location))
      } else {
        first[scene.name.value] = scene.location
      }
    }
    return scenes
  }

  private mutating func scene(
    _ node: ConfigurationValue, endIDs: [String]
  ) -> SceneConfiguration? {
    let section = "[[scene]]"
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try node.table("scene", as: section)
      })
    else { return nil }
    var name: Located<String>?
    var read = SceneConfiguration(name: Located("", at: node.location), at: node.location)
    for member in members {
      let (key, value) = (member.key.value, member.value)
      switch key {
      case "name": name = attempt { () throws(ConfigurationProblem) in try value.name(key) }
      case "parameters": read.values = values(value)
      case "bypass":
        read.bypasses = units(value, key, "such as { lowpass = true }").compactMap { member in
          attempt { () throws(ConfigurationProblem) in
            SceneConfiguration.Bypass(
              unit: member.key, isOn: try member.value.boolean(member.key.value))
          }
        }
      case "entries":
        read.entries = units(value, key, "such as { keys = \"Strings\" }").compactMap { member in
          attempt { () throws(ConfigurationProblem) in
            SceneConfiguration.Entry(
              unit: member.key, name: try member.value.name(member.key.value))
          }
        }
      case "connections": read.connections = connections(value, endIDs)
      default:
        report(
          .unknown("key", key, in: section, accepted: SectionKeys.scene, at: member.key.location))
      }
    }
    if !members.contains(where: { $0.key.value == "name" }) {
      reportMissing("name", in: section, at: node.location)
    }
    guard let name else { return nil }
    read.name = name
    return read
  }

  private mutating func units(
    _ value: ConfigurationValue, _ key: String, _ form: String
  ) -> [ConfigurationValue.Member] {
    attempt { () throws(ConfigurationProblem) in try value.table(key, as: form) } ?? []
  }

  /// Returns parameter values; each key path begins with a unit's id.
  private mutating func values(_ value: ConfigurationValue) -> [Setting] {
    let settings = parameters(value)
    let most = SceneConfiguration.maximumValueCount
    if settings.count > most {
      report(
        ConfigurationProblem(
          "a scene has \(settings.count) values", accepted: "up to \(most)",
          at: settings[most].keyPath.location))
    }
    for setting in settings where !setting.keyPath.value.contains(".") {
      report(
        ConfigurationProblem(
          "\(quoted(setting.keyPath.value)) is no parameter of a unit",
          accepted: "a unit's id and a key path, such as lowpass.cutoff",
          at: setting.keyPath.location))
    }
    return Array(settings.prefix(most))
  }

  private mutating func connections(
    _ value: ConfigurationValue, _ endIDs: [String]
  ) -> [ConnectionConfiguration]? {
    guard
      let nodes = attempt({ () throws(ConfigurationProblem) in
        try value.array("connections", of: "tables, such as { from = \"piano\", to = \"lowpass\" }")
      })
    else { return nil }
    return nodes.compactMap { node in
      guard let connection = connection(node, unitIDs: endIDs, in: "'connections'") else {
        return nil
      }
      guard !connection.isOfControl else {
        report(
          ConfigurationProblem(
            "a scene does not change what '\(SessionConfiguration.controlID)' is connected to",
            accepted: "connections of other units", at: connection.location))
        return nil
      }
      return connection
    }
  }
}

extension ConnectionConfiguration {
  /// Whether one of its ends is the control unit.
  package var isOfControl: Bool {
    [from.value, to.value].contains { end in
      guard case .unit(let id, _) = end else { return false }
      return id == SessionConfiguration.controlID
    }
  }
}
