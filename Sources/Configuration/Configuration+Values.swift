// Configurations made of values, where nobody has written a file.

extension UnitConfiguration {
  /// A unit of which nothing is said but what it is.
  package init(id: String, component: Located<String>) {
    self.init(
      id: Located(id, at: component.location), component: component, parameters: [],
      midiStages: [], keys: UnitKeys(), location: component.location)
  }
}

extension ConnectionConfiguration {
  /// - Parameter location: what messages about the connection begin with.
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
