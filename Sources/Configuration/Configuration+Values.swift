// Configurations made from values instead of a file.

extension UnitConfiguration {
  /// Creates a unit with an id and a component only.
  package init(id: String, component: Located<String>) {
    self.init(
      id: Located(id, at: component.location), component: component, parameters: [],
      midiStages: [], keys: UnitKeys(), location: component.location)
  }
}

extension ConnectionConfiguration {
  /// - Parameter location: the position given in messages about the connection.
  package init(from: Endpoint, to: Endpoint, at location: SourcePosition) {
    self.init(
      from: Located(from, at: location), to: Located(to, at: location), location: location)
  }
}

extension SessionConfiguration {
  package init(units: [UnitConfiguration], connections: [ConnectionConfiguration]) {
    self.init(
      version: nil, clientName: nil, osc: nil, units: units, connections: connections)
  }
}
