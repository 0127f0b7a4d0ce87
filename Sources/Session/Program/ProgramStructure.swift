// What a program has of a session.

import Configuration
import Graph
import UnitModel

/// Units that a program has made, and their connections. Units and connections that others bring
/// into the session stay as they are beside them.
package struct ProgramStructure: Sendable {
  package struct Unit: Sendable {
    package let id: String
    package let unit: AudioUnit

    package init(id: String, unit: AudioUnit) {
      self.id = id
      self.unit = unit
    }
  }

  /// Two ends as a configuration writes them, such as `player:1`.
  package struct Link: Sendable, Hashable {
    package let from: String
    package let to: String

    package init(from: String, to: String) {
      self.from = from
      self.to = to
    }
  }

  package var units: [Unit]
  package var links: [Link]

  package init(units: [Unit] = [], links: [Link] = []) {
    self.units = units
    self.links = links
  }
}

extension SessionConfiguration {
  /// Makes of a program's former part what it is to be.
  mutating func follow(
    _ next: ProgramStructure, from former: ProgramStructure
  ) throws {
    let (kept, known) = (Set(next.units.map(\.id)), Set(former.units.map(\.id)))
    let gone = known.subtracting(kept)
    connections.removeAll { $0.touches(gone) }
    units.removeAll { gone.contains($0.id.value) }
    for unit in next.units where !known.contains(unit.id) {
      if units.contains(where: { $0.id.value == unit.id }) {
        throw SessionCommandError("there is a unit \(quoted(unit.id)) already")
      }
      units.append(UnitConfiguration(unit))
    }
    let ids = endIDs
    for link in Set(former.links).subtracting(next.links) {
      // Where a unit has gone, so has what was connected to it.
      guard let old = try? ConnectionConfiguration(link, ids) else { continue }
      connections.removeAll { $0.from.value == old.from.value && $0.to.value == old.to.value }
    }
    let knownLinks = Set(former.links)
    for link in next.links where !knownLinks.contains(link) {
      connections.append(try ConnectionConfiguration(link, ids))
    }
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
  fileprivate init(
    _ link: ProgramStructure.Link, _ ids: [String]
  ) throws(ConfigurationProblem) {
    func end(_ text: String, _ key: String) throws(ConfigurationProblem) -> Endpoint {
      try Endpoint.parse(Located(text, at: .program), unitIDs: ids, key: key)
    }
    self.init(from: try end(link.from, "from"), to: try end(link.to, "to"), at: .program)
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
    try configuration.follow(structure, from: ProgramStructure())
    configuration = configuration.numberingInputs(registry)
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
