// The configuration of a unit that plays a file.

import Configuration
import SessionModel
import UnitModel

extension SessionBuilder {
  /// Returns a session of one unit that plays a file, connected to all MIDI devices and to the
  /// machine's outputs.
  func instrument(
    _ options: PlayOptions
  ) throws(ConfigurationProblem) -> SessionConfiguration {
    let position = SourcePosition(file: options.file)
    let found = registry.components.lazy.compactMap { component in
      (component.unitType as? any FilePlayingUnit.Type).map { (component.shortName, $0) }
    }.first
    guard let (id, type) = found else {
      throw ConfigurationProblem("this program has no unit that plays files", at: position)
    }
    let context = ConfigurationContext(file: nil, environment: environment)
    let url = try type.locate(options.file, context)
    try PlayedKind.refuse(url, named: options.file)
    var unit = UnitConfiguration(id: id, component: Located(id, at: position))
    unit.keys = try type.keys(
      toPlay: url, named: options.file,
      SoundSelection(preset: options.preset, bank: options.bank, program: options.program))
    return SessionConfiguration(
      units: [unit],
      connections: [
        Self.connection(.outside(PortPattern(PhysicalPorts.midi.text)), .unit(id: id, bus: nil)),
        Self.connection(.unit(id: id, bus: nil), .outside(PortPattern(PhysicalPorts.outputs.text))),
      ])
  }

  static func connection(_ from: Endpoint, _ to: Endpoint) -> ConnectionConfiguration {
    ConnectionConfiguration(from: from, to: to, at: SourcePosition(file: "play"))
  }
}
