// The configuration of an effect that audio is played through.

import Configuration
import SessionModel
import UnitModel

extension SessionBuilder {
  /// A session of one effect, heard at the machine's outputs.
  func effect(
    _ name: String, _ options: PlayOptions
  ) throws(ConfigurationProblem) -> SessionConfiguration {
    let place = SourcePosition(file: "--unit")
    let types: [FourCharacterCode] = [.effect, .musicEffect]
    let effects = registry.components.filter { types.contains($0.description.type) }
    guard let component = try? registry.component(named: name) else {
      throw .unknown(
        "effect", name, in: "this program", accepted: effects.map(\.shortName), at: place)
    }
    guard types.contains(component.description.type) else {
      throw ConfigurationProblem(
        "\(quoted(name)) is no effect",
        accepted: effects.map(\.shortName).joined(separator: ", "), at: place)
    }
    // The player has an id of its own.
    let id = component.shortName == PlayedSession.playerID ? "effect" : component.shortName
    var unit = UnitConfiguration(id: id, component: Located(name, at: place))
    if let preset = options.preset {
      unit.preset = Located(
        try presetName(preset, of: component), at: SourcePosition(file: "--preset"))
    }
    return SessionConfiguration(
      units: [unit],
      connections: [
        Self.connection(.unit(id: id, bus: nil), .outside(PortPattern(PhysicalPorts.outputs.text)))
      ])
  }

  /// The name of a factory preset that was given by its number; what is none stays as it is.
  private func presetName(
    _ preset: String, of component: Component
  ) throws(ConfigurationProblem) -> String {
    guard let number = Int(preset) else { return preset }
    let unit = try located(SourcePosition(file: "--unit")) { () throws(InstantiationError) in
      try registry.makeUnit(of: component)
    }
    return unit.factoryPresets.first { $0.number == number }?.name ?? preset
  }
}
