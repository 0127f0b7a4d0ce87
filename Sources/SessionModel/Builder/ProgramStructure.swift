// The units and connections of a session, as a program has them.

import Configuration
import ControlUnit
import Graph
import UnitModel

/// Units and their connections, by the units themselves.
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
    /// A bus of a unit, from 0 on.
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

    /// Those of its ends that are units.
    package var units: [ObjectIdentifier] { [from.unit, to.unit].compactMap(\.self) }
  }

  package var units: [Unit]
  package var links: [Link]

  package init(units: [Unit] = [], links: [Link] = []) {
    self.units = units
    self.links = links
  }

  /// Whether it has the same units and connections, in whatever order.
  package func isSame(as other: ProgramStructure) -> Bool {
    ids == other.ids && Set(links) == Set(other.links)
  }

  /// The ids of the units.
  fileprivate var ids: [ObjectIdentifier: String] {
    Dictionary(uniqueKeysWithValues: units.map { (ObjectIdentifier($0.unit), $0.id) })
  }
}

/// What a session is, with the connections as its configuration has them.
package struct RunningStructure: Sendable {
  package var structure = ProgramStructure()
  fileprivate var written: [ProgramStructure.Link: ConnectionConfiguration] = [:]

  /// None.
  package init() {}

  /// - Parameters:
  ///   - plan: what runs.
  ///   - connections: those that it was made of.
  package init(_ plan: SessionPlan, _ connections: [ConnectionConfiguration]) {
    structure.units = plan.units.map { ProgramStructure.Unit(id: $0.id, unit: $0.unit) }
    let builder = SessionBuilder(
      registry: plan.origin.registry, environment: plan.origin.environment)
    for connection in connections {
      // What runs can be read; controllers come in elsewhere than programs connect.
      guard let link = try? builder.link(connection, in: plan.graph) else { continue }
      structure.links.append(link)
      written[link] = connection
    }
  }
}

extension SessionBuilder {
  /// - Returns: nil for a connection to the place where controllers come in.
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
  /// Changes what a program changes.
  ///
  /// - Parameters:
  ///   - next: what the program wants the session to be.
  ///   - running: what it is; this is its configuration.
  /// - Returns: the units that come, by their ids.
  /// - Throws: `SessionCommandError` where another unit has the name of one that comes.
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
    // Files have absolute names: a program has no folder.
    _ = (made.unit as? any ConfigurableUnit)?.describe(
      &keys, ConfigurationContext(file: nil, environment: [:]))
  }
}

extension ConnectionConfiguration {
  /// - Parameter ids: those of the units.
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
  /// In the code of a program.
  static let program = SourcePosition(file: "the program")
}

extension SessionPlan {
  /// The plan of a session that a program has made.
  ///
  /// - Parameter former: what it was before; units that are in both stay who they are.
  /// - Throws: what is wrong with it.
  package init(
    _ structure: ProgramStructure, clientName: String, registry: ComponentRegistry,
    environment: [String: String], following former: SessionPlan? = nil
  ) throws {
    var configuration = SessionConfiguration(units: [], connections: [])
    _ = try configuration.follow(structure, from: RunningStructure())
    let empty = SessionPlan(
      graph: Graph(), clientName: clientName, wishes: [],
      origin: SessionOrigin(
        configuration: configuration, file: nil, registry: registry, environment: environment),
      remarks: [])
    let units = zip(configuration.units, structure.units).map {
      SessionStructure.Unit(configuration: $0, unit: $1.unit)
    }
    self = try (former ?? empty).following(SessionStructure(units: units, of: configuration))
  }
}
