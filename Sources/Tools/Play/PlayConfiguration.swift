// The configuration of a session that plays files.

import Configuration
import FoundationEssentials
import Players
import SessionModel
import UnitModel

/// Makes the configuration of the units that play some files.
struct PlayConfiguration {
  private(set) var made = SessionConfiguration(units: [], connections: [])
  private let options: PlayOptions
  private let builder: SessionBuilder

  /// The sampler, if there is one, is the first unit.
  init(
    _ material: PlayMaterial, _ options: PlayOptions, _ builder: SessionBuilder
  ) throws(ConfigurationProblem) {
    (self.options, self.builder) = (options, builder)
    let effect = try options.unit.map { (name) throws(ConfigurationProblem) in
      try self.effect(name)
    }
    let target: Endpoint =
      effect.map { .unit(id: $0.id.value, bus: nil) } ?? Self.outside(.outputs)
    if material.soundFont != nil || material.items.contains(where: \.isSong) {
      let unit = try instrument(material.soundFont, hasEffect: effect != nil)
      connect(Self.outside(.midi), .unit(id: unit.id.value, bus: nil))
      add(unit, to: target)
    } else if options.bank != nil || options.program != nil {
      throw ConfigurationProblem(
        "there is no SoundFont here", accepted: "--bank and --program with a SoundFont",
        at: SourcePosition(file: "--\(options.bank == nil ? "program" : "bank")"))
    } else if options.preset != nil, effect == nil {
      throw ConfigurationProblem(
        "there is nothing with presets here", accepted: "a SoundFont, or --unit",
        at: SourcePosition(file: "--preset"))
    }
    let channels = material.items.filter { !$0.isSong }.map(\.channelCount).max()
    // A mono sound is heard on both sides.
    if let channels { add(try player(channels: max(2, channels)), to: target) }
    if let effect { add(effect, to: Self.outside(.outputs)) }
    if material.items.isEmpty, options.tailSeconds != nil || options.loops {
      throw ConfigurationProblem(
        "no file ends here", accepted: "a MIDI file or audio",
        at: SourcePosition(file: options.loops ? "--loop" : "--tail"))
    }
  }

  private mutating func add(_ unit: UnitConfiguration, to target: Endpoint) {
    made.units.append(unit)
    connect(.unit(id: unit.id.value, bus: nil), target)
  }

  private mutating func connect(_ from: Endpoint, _ to: Endpoint) {
    made.connections.append(
      ConnectionConfiguration(from: from, to: to, at: SourcePosition(file: "play")))
  }

  private static func outside(_ ports: PhysicalPorts) -> Endpoint {
    .outside(PortPattern(ports.text))
  }

  /// - Parameter name: nil for the SoundFont that the system uses.
  private func instrument(
    _ name: String?, hasEffect: Bool
  ) throws(ConfigurationProblem) -> UnitConfiguration {
    let found = builder.registry.components.lazy.compactMap { component in
      (component.unitType as? any FilePlayingUnit.Type).map { (component.shortName, $0) }
    }.first
    guard let (id, type) = found else {
      throw ConfigurationProblem(
        "this program has no unit that plays SoundFonts",
        at: SourcePosition(file: name ?? "play"))
    }
    let context = ConfigurationContext(file: nil, environment: builder.environment)
    let url: URL
    if let name { url = try type.locate(name, context) } else { url = try type.usualFile(context) }
    let name = name ?? url.lastPathComponent
    var unit = UnitConfiguration(
      id: id, component: Located(id, at: SourcePosition(file: name)))
    unit.keys = try type.keys(
      toPlay: url, named: name,
      SoundSelection(
        preset: hasEffect ? nil : options.preset, bank: options.bank, program: options.program))
    return unit
  }

  private func player(channels: Int) throws(ConfigurationProblem) -> UnitConfiguration {
    let position = SourcePosition(file: "play")
    let components = builder.registry.components
    guard let player = components.first(where: { $0.unitType == ScheduledPlayerUnit.self }) else {
      throw ConfigurationProblem("this program has no player of audio files", at: position)
    }
    var unit = UnitConfiguration(
      id: PlayedSession.playerID, component: Located(player.shortName, at: position))
    unit.keys.set("channels", to: ConfigurationValue(.integer(channels)))
    return unit
  }

  private func effect(_ name: String) throws(ConfigurationProblem) -> UnitConfiguration {
    let position = SourcePosition(file: "--unit")
    let types: [FourCharacterCode] = [.effect, .musicEffect]
    let registry = builder.registry
    let effects = registry.components.filter { types.contains($0.description.type) }
    guard let component = try? registry.component(named: name) else {
      throw .unknown(
        "effect", name, in: "this program", accepted: effects.map(\.shortName), at: position)
    }
    guard types.contains(component.description.type) else {
      throw ConfigurationProblem(
        "\(quoted(name)) is no effect",
        accepted: effects.map(\.shortName).joined(separator: ", "), at: position)
    }
    // The players' ids are taken.
    let taken = [PlayedSession.playerID, PlayedSession.songPlayerID]
    let id = taken.contains(component.shortName) ? "effect" : component.shortName
    var unit = UnitConfiguration(id: id, component: Located(name, at: position))
    if let preset = options.preset {
      unit.preset = Located(
        try presetName(preset, of: component), at: SourcePosition(file: "--preset"))
    }
    return unit
  }

  /// Returns the name of the factory preset with a number; other texts are returned unchanged.
  private func presetName(
    _ preset: String, of component: Component
  ) throws(ConfigurationProblem) -> String {
    guard let number = Int(preset) else { return preset }
    let unit = try builder.located(SourcePosition(file: "--unit")) {
      () throws(InstantiationError) in try builder.registry.makeUnit(of: component)
    }
    return unit.factoryPresets.first { $0.number == number }?.name ?? preset
  }
}
