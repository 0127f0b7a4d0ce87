// Numbered inputs of units that have an input for each source.

import Configuration
import UnitModel

extension SessionConfiguration {
  /// Returns a copy with numbered inputs in all connections to units with an input for each source.
  /// A connection that names none gets the lowest free input, in the order of the connections.
  ///
  /// A scene's connection gets the number of the same connection in the session.
  package func numberingInputs(_ registry: ComponentRegistry) -> SessionConfiguration {
    var reserved: [String: Int] = [:]
    for unit in units {
      let type = registry.unitType(of: unit) as? any InputForEachSourceUnit.Type
      reserved[unit.id.value] = type?.reservedInputs(unit.keys)
    }
    guard !reserved.isEmpty else { return self }
    var numbered = self
    var inputs = NumberedInputs(connections, reserved)
    numbered.connections = connections.map { inputs.number($0) }
    for index in scenes.indices {
      guard let own = scenes[index].connections else { continue }
      var inputs = NumberedInputs(own, reserved, like: numbered.connections)
      numbered.scenes[index].connections = own.map { inputs.number($0) }
    }
    return numbered
  }
}

/// The numbered inputs of a list of connections.
private struct NumberedInputs {
  /// The units with an input for each source, and their numbers of reserved inputs.
  let reserved: [String: Int]
  /// The session's numbered connections, for those of a scene.
  let known: [ConnectionConfiguration]
  private var taken: [String: Set<Int>] = [:]

  package init(
    _ connections: [ConnectionConfiguration], _ reserved: [String: Int],
    like known: [ConnectionConfiguration] = []
  ) {
    (self.reserved, self.known) = (reserved, known)
    for connection in connections {
      guard case .unit(let id, .index(let index)?) = connection.to.value else { continue }
      taken[id, default: []].insert(index)
    }
  }

  mutating func number(_ connection: ConnectionConfiguration) -> ConnectionConfiguration {
    guard case .unit(let id, nil) = connection.to.value, let first = reserved[id],
      !connection.from.value.saysMIDI
    else { return connection }
    let like = known.first { $0.from.value == connection.from.value && $0.goes(to: id) }?.input
    let others = taken[id, default: []].union(known.filter { $0.goes(to: id) }.compactMap(\.input))
    // An input is free: there are more numbers than taken inputs.
    let index =
      like.flatMap { taken[id, default: []].contains($0) ? nil : $0 }
      ?? (first...first + others.count).first { !others.contains($0) } ?? first
    taken[id, default: []].insert(index)
    var numbered = connection
    numbered.to = Located(.unit(id: id, bus: .index(index)), at: connection.to.location)
    return numbered
  }
}

extension ConnectionConfiguration {
  /// The number of the input that it names; nil without one.
  fileprivate var input: Int? {
    guard case .unit(_, .index(let index)?) = to.value else { return nil }
    return index
  }

  fileprivate func goes(to id: String) -> Bool { to.value.unit == id }

  /// Whether it is the numbered connection that `other`, without a number, refers to.
  package func isMeant(by other: ConnectionConfiguration) -> Bool {
    guard case .unit(let id, nil) = other.to.value, from.value == other.from.value else {
      return false
    }
    return goes(to: id) && input != nil
  }
}
