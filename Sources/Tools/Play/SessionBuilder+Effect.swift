// The configuration of an effect that an audio file is played through.

import Configuration
import SessionModel
import UnitModel

extension SessionBuilder {
  /// Returns a session of one effect, connected to the machine's outputs.
  func effect(
    _ name: String, _ options: PlayOptions
  ) throws(ConfigurationProblem) -> SessionConfiguration {
    let position = SourcePosition(file: "--unit")
    let types: [FourCharacterCode] = [.effect, .musicEffect]
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
    // The player's id is taken.
    let id = component.shortName == PlayedSession.playerID ? "effect" : component.shortName
    var unit = UnitConfiguration(id: id, component: Located(name, at: position))
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

  /// Returns the name of the factory preset with a number; other texts are returned unchanged.
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
