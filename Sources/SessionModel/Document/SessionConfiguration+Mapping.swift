// How a configuration has what controllers move.

import Configuration

extension SessionConfiguration {
  /// Adds a mapping; what is the first is heard from all MIDI devices, unless something else is
  /// connected for it.
  package mutating func add(_ mapping: MappingConfiguration) {
    mappings.append(mapping)
    guard !connections.contains(where: { $0.to.value.unit == Self.controlID }) else { return }
    connections.append(.toControl)
  }
}

extension ConnectionConfiguration {
  /// That of all MIDI devices with what is mapped.
  static var toControl: ConnectionConfiguration {
    ConnectionConfiguration(
      from: .outside(PortPattern(PhysicalPorts.midi.text)),
      to: .unit(id: SessionConfiguration.controlID, bus: nil), at: .command)
  }
}
