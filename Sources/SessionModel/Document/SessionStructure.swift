// Units of a session and their connections.

import Configuration
import ControlUnit
import Graph
import UnitModel

/// The units of a session, with their connections, mappings and scenes.
package struct SessionStructure: Sendable {
  package struct Unit: Sendable {
    package let configuration: UnitConfiguration
    package let unit: AudioUnit
    /// Whether it was part of the session before and keeps the channel counts of its busses.
    var keepsChannels = false

    package init(configuration: UnitConfiguration, unit: AudioUnit, keepsChannels: Bool = false) {
      self.configuration = configuration
      self.unit = unit
      self.keepsChannels = keepsChannels
    }
  }

  package var units: [Unit]
  package var connections: [ConnectionConfiguration]
  package var mappings: [MappingConfiguration]
  package var scenes: [SceneConfiguration]

  /// - Parameter configuration: the session's configuration, for all but the units.
  package init(units: [Unit], of configuration: SessionConfiguration) {
    self.units = units
    (connections, mappings) = (configuration.connections, configuration.mappings)
    scenes = configuration.scenes
  }

  package init(
    units: [Unit], connections: [ConnectionConfiguration], mappings: [MappingConfiguration],
    scenes: [SceneConfiguration]
  ) {
    self.units = units
    (self.connections, self.mappings) = (connections, mappings)
    self.scenes = scenes
  }

  /// Creates the structure of a running session; nil if its configuration has other units.
  package init?(_ configuration: SessionConfiguration, _ running: [(id: String, unit: AudioUnit)]) {
    let known = Dictionary(running.map { ($0.id, $0.unit) }) { first, _ in first }
    units = configuration.units.compactMap { configured in
      known[configured.id.value].map { Unit(configuration: configured, unit: $0) }
    }
    (connections, mappings) = (configuration.connections, configuration.mappings)
    scenes = configuration.scenes
    if units.count != running.count || units.count != configuration.units.count { return nil }
  }
}

extension SessionPlan {
  /// Units that the configuration names.
  package var units: [(id: String, unit: AudioUnit)] {
    graph.nodes.filter { !($0.unit is ControlUnit) }.map { ($0.id, $0.unit) }
  }

  /// Returns the session's plan for another structure.
  ///
  /// - Parameter listens: whether the control unit exists even without mappings, connected to all
  ///   MIDI devices if the structure connects nothing to it.
  /// - Throws: the first problem of the structure, with its position.
  package func following(
    _ structure: SessionStructure, listens: Bool = false
  ) throws(ConfigurationProblem) -> SessionPlan {
    let builder = SessionBuilder(registry: origin.registry, environment: origin.environment)
    let known = Dictionary(
      (self.graph.nodes + ringing.map(\.node)).map { (ObjectIdentifier($0.unit), $0) }
    ) { first, _ in first }
    let graph = Graph(following: graph)
    // A plan that is only checked, or refused, leaves playing units unchanged.
    graph.opensInputsAtOnce = false
    for unit in structure.units {
      let id = unit.configuration.id
      _ = try builder.located(id.location) { () throws(GraphError) in
        if let node = known[ObjectIdentifier(unit.unit)], node.id == id.value {
          try graph.keep(node)
        } else {
          try graph.add(unit.unit, id: id.value, keepsChannels: unit.keepsChannels)
        }
      }
    }
    try builder.addControl(
      for: structure.mappings, to: graph, keeping: controlNode, listens: listens)
    var plan = self
    plan.graph = graph
    plan.requests = try builder.connect(structure.connections, in: graph)
    let hasSource = structure.connections.contains {
      $0.to.value.unit == SessionConfiguration.controlID
    }
    if listens, !hasSource, let request = try builder.connect(.toControl, in: graph) {
      plan.requests.append(request)
    }
    plan.controlMappings = try builder.map(structure.mappings, structure.scenes, in: graph)
    return plan
  }
}
