// Removing units and mappings from a configuration.

import Configuration

extension SessionConfiguration {
  /// Removes a unit, with its connections, its mappings, and all that scenes have of it.
  package mutating func removeUnit(_ id: String) {
    units.removeAll { $0.id.value == id }
    connections.removeAll { $0.from.value.unit == id || $0.to.value.unit == id }
    removeMappings { $0.unit == id }
    removeFromScenes(id)
  }

  /// Removes mappings; with the last one also the connections of the control unit.
  package mutating func removeMappings(where isMeant: (MappingConfiguration) -> Bool) {
    mappings.removeAll(where: isMeant)
    guard mappings.isEmpty else { return }
    connections.removeAll {
      $0.from.value.unit == Self.controlID || $0.to.value.unit == Self.controlID
    }
  }
}

extension Endpoint {
  /// The unit at this end; nil outside the session.
  package var unit: String? {
    guard case .unit(let id, _) = self else { return nil }
    return id
  }
}
