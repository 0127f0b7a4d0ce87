// Connections that are written in different ways.

import Configuration
import SessionModel
import UnitModel

/// Compares connections by the busses that their ends name: `tone` is `tone:1` and `tone:out`.
struct ConnectionEnds: Sendable {
  private enum End: Equatable {
    case audio(unit: String, bus: Int)
    case midi(unit: String)
    case outside(PortPattern)
  }

  /// The units of the session.
  let units: [(id: String, unit: AudioUnit)]

  /// Whether two connections have the same ends. False if an end has no such unit or bus.
  func areSame(_ first: ConnectionConfiguration, _ second: ConnectionConfiguration) -> Bool {
    guard let ends = ends(of: first), let others = self.ends(of: second) else { return false }
    return ends == others
  }

  private func ends(of connection: ConnectionConfiguration) -> [End]? {
    let (from, to) = (connection.from.value, connection.to.value)
    let isMIDI = from.saysMIDI || to.saysMIDI
    guard let source = end(from, isSource: true, isMIDI),
      let destination = end(to, isSource: false, isMIDI)
    else { return nil }
    return [source, destination]
  }

  private func end(_ endpoint: Endpoint, isSource: Bool, _ isMIDI: Bool) -> End? {
    guard case .unit(let id, let bus) = endpoint else {
      if case .outside(let pattern) = endpoint { return .outside(pattern) }
      return nil
    }
    guard let unit = units.first(where: { $0.id == id })?.unit else { return nil }
    let busses = isSource ? unit.outputBusses.busses : unit.inputBusses.busses
    switch bus {
    case nil: return isMIDI || busses.isEmpty ? .midi(unit: id) : .audio(unit: id, bus: 0)
    case .index(let index): return .audio(unit: id, bus: index)
    case .name("midi"): return .midi(unit: id)
    case .name(let name):
      let index =
        busses.firstIndex { $0.defaultName.lowercased() == name.lowercased() }
        ?? (name == (isSource ? "out" : "in") ? 0 : nil)
      return index.map { .audio(unit: id, bus: $0) }
    }
  }
}
