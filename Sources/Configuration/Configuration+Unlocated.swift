// Configurations without the places where they were written.

extension SourcePosition {
  /// The place of what was written nowhere.
  public static let nowhere = SourcePosition(file: "")
}

extension Located {
  /// - Thread: [any]
  public var unlocated: Located { Located(value, at: .nowhere) }
}

extension Setting {
  package var unlocated: Setting { Setting(keyPath: keyPath.unlocated, value: value.unlocated) }
}

extension ConfigurationValue {
  /// The same without places; a whole number is an integer, however it was written.
  ///
  /// - Thread: [any]
  public var unlocated: ConfigurationValue {
    switch content {
    case .table(let members):
      ConfigurationValue(
        .table(
          members.map { Member(key: $0.key.unlocated, value: $0.value.unlocated) }))
    case .array(let values): ConfigurationValue(.array(values.map(\.unlocated)))
    case .float(let number):
      ConfigurationValue(TOMLText.whole(number).map { .integer($0) } ?? content)
    case .string, .integer, .boolean, .date: ConfigurationValue(content)
    }
  }
}

extension UnitKeys {
  package var unlocated: UnitKeys {
    var keys = UnitKeys()
    for entry in entries { keys.set(entry.key, to: entry.value.unlocated) }
    return keys
  }
}

extension MIDIStageConfiguration {
  package var unlocated: MIDIStageConfiguration {
    MIDIStageConfiguration(name: name, settings: settings.map(\.unlocated))
  }
}

extension OSCConfiguration {
  package var unlocated: OSCConfiguration {
    OSCConfiguration(port: port.unlocated, transport: transport, address: address.unlocated)
  }
}

extension UnitConfiguration {
  package var unlocated: UnitConfiguration {
    UnitConfiguration(
      id: id.unlocated, component: component.unlocated, state: state?.unlocated,
      bypass: bypass?.unlocated, resetsWithTransport: resetsWithTransport?.unlocated,
      preset: preset?.unlocated, parameters: parameters.map(\.unlocated),
      midiStages: midiStages.map { Located($0.value.unlocated, at: .nowhere) },
      keys: keys.unlocated, location: .nowhere)
  }
}

extension ConnectionConfiguration {
  package var unlocated: ConnectionConfiguration {
    ConnectionConfiguration(from: from.unlocated, to: to.unlocated, location: .nowhere)
  }
}

extension SceneConfiguration {
  package var unlocated: SceneConfiguration {
    var scene = SceneConfiguration(name: name.unlocated, at: .nowhere)
    scene.bypasses = bypasses.map { Bypass(unit: $0.unit.unlocated, isOn: $0.isOn.unlocated) }
    scene.entries = entries.map { Entry(unit: $0.unit.unlocated, name: $0.name.unlocated) }
    scene.connections = connections?.map(\.unlocated)
    scene.values = values.map(\.unlocated)
    return scene
  }
}

extension MappingConfiguration {
  package var unlocated: MappingConfiguration {
    var mapping = self
    mapping.target = target.unlocated
    mapping.bank = bank?.unlocated
    mapping.source = source.unlocated
    mapping.channel = channel?.unlocated
    mapping.range = range.map { Range(first: $0.first.unlocated, last: $0.last.unlocated) }
    mapping.ramp = ramp?.unlocated
    mapping.location = .nowhere
    return mapping
  }
}

extension SessionConfiguration {
  /// The same without places: two that say the same are equal then.
  ///
  /// - Thread: [any]
  public var unlocated: SessionConfiguration {
    SessionConfiguration(
      version: version?.unlocated, clientName: clientName?.unlocated, osc: osc?.unlocated,
      units: units.map(\.unlocated),
      connections: connections.map(\.unlocated), mappings: mappings.map(\.unlocated),
      scenes: scenes.map(\.unlocated))
  }
}
