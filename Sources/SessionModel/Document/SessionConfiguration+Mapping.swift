// Adding mappings to a configuration.

import Configuration

extension SessionConfiguration {
  /// Adds a mapping. Connects all MIDI devices to the control unit, unless it has a connection
  /// already.
  package mutating func add(_ mapping: MappingConfiguration) {
    mappings.append(mapping)
    guard !connections.contains(where: { $0.to.value.unit == Self.controlID }) else { return }
    connections.append(.toControl)
  }
}

extension ConnectionConfiguration {
  /// The connection from all MIDI devices to the control unit.
  static var toControl: ConnectionConfiguration {
    ConnectionConfiguration(
      from: .outside(PortPattern(PhysicalPorts.midi.text)),
      to: .unit(id: SessionConfiguration.controlID, bus: nil), at: .command)
  }
}
