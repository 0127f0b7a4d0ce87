// What is attached to an engine and connected there.

import Graph
import RecorderUnit
import Session
import UnitModel

/// The units and connections of an engine, whether they are heard or not. A value.
struct EngineGraph: Sendable {
  struct Node: Sendable {
    let id: String
    let unit: AudioUnit
  }

  struct End: Hashable, Sendable {
    let id: String
    let bus: Int
  }

  struct Connection: Hashable, Sendable {
    let from: End
    let to: End
  }

  /// From one unit's MIDI to another's, by their ids.
  struct MIDIConnection: Hashable, Sendable {
    /// Nil for all MIDI devices of the machine.
    let from: String?
    let to: String
  }

  var nodes: [Node] = []
  var connections: [Connection] = []
  var midi: [MIDIConnection] = []

  func node(of unit: AudioUnit) -> Node? { nodes.first { $0.unit === unit } }

  func node(_ id: String) -> Node? { nodes.first { $0.id == id } }

  /// The nodes whose sound comes to an end of a chain: the engine's output, a tap, or a recorder;
  /// and those whose MIDI comes to one of them.
  ///
  /// - Parameter output: the id of the engine's output.
  func activeIDs(output: String) -> Set<String> {
    var active = Set(
      nodes.filter { $0.id == output || $0.unit is TapUnit || $0.unit is RecorderUnit }
        .map(\.id))
    var open = active
    while let id = open.popFirst() {
      for connection in connections where connection.to.id == id {
        if active.insert(connection.from.id).inserted { open.insert(connection.from.id) }
      }
      for source in midi.filter({ $0.to == id }).compactMap(\.from) {
        if active.insert(source).inserted { open.insert(source) }
      }
    }
    return active
  }

  /// Refuses a connection by which sound or MIDI would come back to where it came from.
  func checkCircle(_ from: String, _ to: String) throws(EngineError) {
    // From each node that hears `to`, the one before it on the way.
    var before: [String: String] = [to: from]
    var open = [to]
    while let id = open.popLast(), before[from] == nil {
      let heard =
        connections.filter { $0.from.id == id }.map(\.to.id)
        + midi.filter { $0.from == id }.map(\.to)
      for next in heard where before[next] == nil {
        before[next] = id
        open.append(next)
      }
    }
    guard from == to || before[from] != nil else { return }
    var path = [from]
    while path.count == 1 || path[0] != from, let id = before[path[0]] { path.insert(id, at: 0) }
    throw .refused(reason: GraphError.cycle(path: path).description)
  }

  /// What is to be rendered.
  ///
  /// - Parameters:
  ///   - output: the id of the engine's output, which JACK's physical outputs hear.
  ///   - input: that of its input.
  func structure(output: String, input: String) -> ProgramStructure {
    let active = activeIDs(output: output)
    var links = connections.filter { active.contains($0.from.id) && active.contains($0.to.id) }
      .map { ProgramStructure.Link(from: $0.from.text, to: $0.to.text) }
    for connection in midi where active.contains(connection.to) {
      links.append(
        ProgramStructure.Link(
          from: connection.from.map { "\($0):midi" } ?? "physical:midi",
          to: "\(connection.to):midi"))
    }
    if active.contains(output) {
      links.append(ProgramStructure.Link(from: "\(output):1", to: "physical:outputs"))
    }
    if active.contains(input) {
      links.append(ProgramStructure.Link(from: "physical:inputs", to: "\(input):1"))
    }
    return ProgramStructure(
      units: nodes.filter { active.contains($0.id) }.map {
        ProgramStructure.Unit(id: $0.id, unit: $0.unit)
      }, links: links)
  }

  /// The source whose sound comes out of a node, through whatever processes it alone; nil for a
  /// node that makes or mixes sound and has no mixing properties.
  func mixed(_ id: String) -> String? {
    var id = id
    var seen: Set<String> = []
    while seen.insert(id).inserted, let node = node(id) {
      if node.unit is any Mixing { return id }
      if node.unit.inputBusses.isOpen { return nil }
      let before = connections.filter { $0.to.id == id }
      guard before.count == 1 else { return nil }
      id = before[0].from.id
    }
    return nil
  }
}

extension EngineGraph.End {
  /// As a configuration writes it, counted from 1.
  var text: String { "\(id):\(bus + 1)" }
}
