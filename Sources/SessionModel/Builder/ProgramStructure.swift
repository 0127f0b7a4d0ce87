// Units and connections of a session, as a program defines them.

import Configuration
import ControlUnit
import Graph
import UnitModel

/// Units and their connections, identified by the unit objects.
package struct ProgramStructure: Sendable {
  package struct Unit: Sendable {
    package let id: String
    package let unit: AudioUnit

    package init(id: String, unit: AudioUnit) {
      self.id = id
      self.unit = unit
    }
  }

  /// One end of a connection.
  package enum End: Hashable, Sendable {
    /// A bus of a unit, counted from 0.
    case bus(ObjectIdentifier, Int)
    case midi(ObjectIdentifier)
    /// Ports of other clients.
    case outside(PortPattern)

    package var unit: ObjectIdentifier? {
      switch self {
      case .bus(let unit, _), .midi(let unit): unit
      case .outside: nil
      }
    }
  }

  package struct Link: Hashable, Sendable {
    package let from: End
    package let to: End

    package init(from: End, to: End) {
      self.from = from
      self.to = to
    }

    /// The units among its ends.
    package var units: [ObjectIdentifier] { [from.unit, to.unit].compactMap(\.self) }
  }

  package var units: [Unit]
  package var links: [Link]

  package init(units: [Unit] = [], links: [Link] = []) {
    self.units = units
    self.links = links
  }

  /// Whether it has the same units and connections, in any order.
  package func isSame(as other: ProgramStructure) -> Bool {
    ids == other.ids && Set(links) == Set(other.links)
  }

  /// The ids of the units.
  fileprivate var ids: [ObjectIdentifier: String] {
    Dictionary(uniqueKeysWithValues: units.map { (ObjectIdentifier($0.unit), $0.id) })
  }
}

/// The structure of a running session, with the connections of its configuration.
package struct RunningStructure: Sendable {
  package var structure = ProgramStructure()
  fileprivate var written: [ProgramStructure.Link: ConnectionConfiguration] = [:]

  /// Creates an empty structure.
  package init() {}

  /// - Parameters:
  ///   - plan: the running plan.
  ///   - connections: the connections that the plan was made from.
  package init(_ plan: SessionPlan, _ connections: [ConnectionConfiguration]) {
    structure.units = plan.units.map { ProgramStructure.Unit(id: $0.id, unit: $0.unit) }
    let builder = SessionBuilder(
      registry: plan.origin.registry, environment: plan.origin.environment)
    for connection in connections {
      // A running connection can be read. Connections to the control unit are left out.
      guard let link = try? builder.link(connection, in: plan.graph) else { continue }
      structure.links.append(link)
      written[link] = connection
    }
  }
}

extension SessionBuilder {
  /// - Returns: the link; nil for a connection to the control unit.
  fileprivate func link(
    _ connection: ConnectionConfiguration, in graph: Graph
  ) throws(ConfigurationProblem) -> ProgramStructure.Link? {
    func end(_ terminal: Terminal) -> ProgramStructure.End? {
      switch terminal {
      case .audio(let bus): .bus(ObjectIdentifier(graph.nodes[bus.unit].unit), bus.bus)
      case .midi(let unit):
        graph.nodes[unit].unit is ControlUnit
          ? nil : .midi(ObjectIdentifier(graph.nodes[unit].unit))
      case .outside(let pattern): .outside(pattern)
      }
    }
    let (source, destination) = try terminals(of: connection, in: graph)
    guard let from = end(source), let to = end(destination) else { return nil }
    return ProgramStructure.Link(from: from, to: to)
  }
}

extension SessionConfiguration {
  /// Applies a program's changes of the structure.
  ///
  /// - Parameters:
  ///   - next: the structure that the program requests.
  ///   - running: the present structure; this is its configuration.
  /// - Returns: the added units, by their ids.
  /// - Throws: `SessionCommandError` if another unit has the name of an added one.
  package mutating func follow(
    _ next: ProgramStructure, from running: RunningStructure
  ) throws(SessionCommandError) -> [String: AudioUnit] {
    let (before, after) = (running.structure.ids, next.ids)
    for (unit, id) in before where after[unit] == nil { removeUnit(id) }
    var given: [String: AudioUnit] = [:]
    for unit in next.units where before[ObjectIdentifier(unit.unit)] == nil {
      if units.contains(where: { $0.id.value == unit.id }) {
        throw SessionCommandError("there is a unit \(quoted(unit.id)) already")
      }
      units.append(UnitConfiguration(unit))
      given[unit.id] = unit.unit
    }
    let (old, new) = (Set(running.structure.links), Set(next.links))
    let gone = old.subtracting(new).compactMap { running.written[$0] }
    connections.removeAll { gone.contains($0) }
    connections += next.links.filter { !old.contains($0) }.map {
      ConnectionConfiguration($0, after)
    }
    return given
  }
}

extension UnitConfiguration {
  fileprivate init(_ made: ProgramStructure.Unit) {
    let codes = made.unit.componentDescription.codes
    self.init(id: made.id, component: Located(codes, at: .program))
    // File names are absolute: a program has no folder.
    _ = (made.unit as? any ConfigurableUnit)?.describe(
      &keys, ConfigurationContext(file: nil, environment: [:]))
  }
}

extension ConnectionConfiguration {
  /// - Parameter ids: the ids of the units.
  fileprivate init(_ link: ProgramStructure.Link, _ ids: [ObjectIdentifier: String]) {
    func end(_ end: ProgramStructure.End) -> Endpoint {
      switch end {
      case .bus(let unit, let bus): .unit(id: ids[unit] ?? "", bus: .index(bus))
      case .midi(let unit): .unit(id: ids[unit] ?? "", bus: .name("midi"))
      case .outside(let pattern): .outside(pattern)
      }
    }
    self.init(from: end(link.from), to: end(link.to), at: .program)
  }
}

extension SourcePosition {
  /// A position in the code of a program.
  static let program = SourcePosition(file: "the program")
}

extension SessionPlan {
  /// Makes the plan of a session that a program has defined.
  ///
  /// - Parameter former: the plan before; units in both keep their identity.
  /// - Throws: the first problem of the structure.
  package init(
    _ structure: ProgramStructure, clientName: String, registry: ComponentRegistry,
    environment: [String: String], following former: SessionPlan? = nil
  ) throws {
    var configuration = SessionConfiguration(units: [], connections: [])
    _ = try configuration.follow(structure, from: RunningStructure())
    let empty = SessionPlan(
      graph: Graph(), clientName: clientName, requests: [],
      origin: SessionOrigin(
        configuration: configuration, file: nil, registry: registry, environment: environment),
      remarks: [])
    let units = zip(configuration.units, structure.units).map {
      SessionStructure.Unit(configuration: $0, unit: $1.unit)
    }
    self = try (former ?? empty).following(SessionStructure(units: units, of: configuration))
  }
}
