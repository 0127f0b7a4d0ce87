// Nodes and connections of an engine.

import Configuration
import Graph
import RecorderUnit
import SessionModel
import UnitModel

/// The units and connections of an engine, in its session or not yet heard. A value.
struct EngineGraph: Sendable {
  typealias End = ProgramStructure.End
  typealias Link = ProgramStructure.Link
  typealias Key = ObjectIdentifier

  struct Node: Sendable {
    let id: String
    let unit: AudioUnit
    /// Whether the program has attached it; otherwise another client has added it to the session.
    var isAttached = true
    /// Whether it is part of the session.
    var isInSession = false
    /// Whether another client has left it without a destination; it then stays in the session.
    var isKept = false

    var key: Key { Key(unit) }
  }

  /// A unit that another client has removed from the session.
  struct Lost: Sendable {
    weak let unit: AudioUnit?
    let id: String
    let isAttached: Bool
  }

  private(set) var nodes: [Node] = []
  private(set) var links: [Link] = []
  private(set) var lost: [Lost] = []

  func node(of unit: AudioUnit) -> Node? { nodes.first { $0.unit === unit } }

  func node(_ id: String) -> Node? { nodes.first { $0.id == id } }

  func node(_ key: Key) -> Node? { nodes.first { $0.key == key } }

  /// - Parameter keys: units that were attached when the change was requested.
  /// - Throws: `removed` or `notAttached` if one is no longer attached.
  func checkAttached(_ keys: [Key?]) throws(EngineError) {
    for key in keys.compactMap(\.self) where node(key) == nil {
      throw lost.first { $0.unit.map(Key.init) == key }.map { .removed(id: $0.id) }
        ?? .notAttached(unit: "the unit")
    }
  }

  // MARK: Changes by the program

  mutating func attach(_ unit: AudioUnit, id: String) {
    forget(unit)
    nodes.append(Node(id: id, unit: unit))
  }

  /// Removes a unit with its connections.
  mutating func detach(_ unit: AudioUnit) {
    forget(unit)
    nodes.removeAll { $0.unit === unit }
    disconnect { $0.units.contains(Key(unit)) }
  }

  mutating func connect(_ from: End, _ to: End) {
    let link = Link(from: from, to: to)
    if !links.contains(link) { links.append(link) }
  }

  /// Disconnects an output from all inputs of units but one, and the inputs of taps.
  mutating func disconnectOutput(_ output: End, except input: End) {
    let taps = Set(nodes.filter { $0.unit is TapUnit }.map(\.key))
    disconnect { link in
      guard link.from == output, link.to != input, let unit = link.to.unit else { return false }
      return !taps.contains(unit)
    }
  }

  mutating func disconnect(where isMeant: (Link) -> Bool) { links.removeAll(where: isMeant) }

  /// Removes a unit from the list of lost units.
  mutating func forget(_ unit: AudioUnit) {
    lost.removeAll { $0.unit == nil || $0.unit === unit }
  }

  /// Marks the nodes that are part of the session.
  mutating func enter(_ session: ProgramStructure) {
    let there = Set(session.units.map { Key($0.unit) })
    for index in nodes.indices { nodes[index].isInSession = there.contains(nodes[index].key) }
  }

  /// Takes back the changes from `before` to `after`; nodes and links added since `after` stay.
  mutating func takeBack(from after: EngineGraph, to before: EngineGraph) {
    let (nodes, links) = (
      nodes.filter { after.node($0.key) == nil }, links.filter { !after.links.contains($0) }
    )
    self = before
    self.nodes += nodes
    self.links += links
  }

  // MARK: Changes by others

  /// Follows a change of the session, whether by the program or by others.
  mutating func follow(_ session: ProgramStructure) {
    let there = Dictionary(uniqueKeysWithValues: session.units.map { (Key($0.unit), $0) })
    for node in nodes where node.isInSession && there[node.key] == nil {
      lost.append(Lost(unit: node.unit, id: node.id, isAttached: node.isAttached))
    }
    nodes.removeAll { $0.isInSession && there[$0.key] == nil }
    for unit in session.units where node(of: unit.unit) == nil {
      let isAttached = lost.first { $0.unit === unit.unit }?.isAttached ?? false
      forget(unit.unit)
      nodes.append(Node(id: unit.id, unit: unit.unit, isAttached: isAttached))
    }
    enter(session)
    // Connections of a waiting unit stay: they take effect with the program's next change.
    let waiting = Set(nodes.filter { !$0.isInSession }.map(\.key))
    let known = waiting.union(there.keys)
    links =
      session.links
      + links.filter { link in
        link.units.contains { waiting.contains($0) } && link.units.allSatisfy { known.contains($0) }
      }
    for index in nodes.indices { nodes[index].isKept = false }
    let active = activeKeys
    let sources = Set(session.links.compactMap(\.from.unit))
    for (index, node) in nodes.enumerated() where node.isInSession && !active.contains(node.key) {
      nodes[index].isKept = !sources.contains(node.key)
    }
  }

  /// Marks all nodes as outside a session.
  mutating func leave() { enter(ProgramStructure()) }

  // MARK: Rendered structure

  /// Whether a chain may end here: at the engine's output, a tap, a recorder, or a unit added or
  /// kept by other clients.
  private static func isEnd(_ node: Node) -> Bool {
    node.id == Engine.outputID || node.unit is TapUnit || node.unit is RecorderUnit
      || !node.isAttached || node.isKept
  }

  /// Nodes that lead to the end of a chain by sound or MIDI, or to an outside connection.
  private var activeKeys: Set<Key> {
    var active = Set(nodes.filter(Self.isEnd).map(\.key))
    var heard: [Key: [Key]] = [:]
    for link in links {
      guard let from = link.from.unit else { continue }
      if let to = link.to.unit { heard[to, default: []].append(from) } else { active.insert(from) }
    }
    var open = active
    while let key = open.popFirst() {
      for source in heard[key] ?? [] where active.insert(source).inserted { open.insert(source) }
    }
    return active
  }

  /// The structure to render.
  var structure: ProgramStructure {
    let active = activeKeys
    let links = links.filter { $0.units.allSatisfy { active.contains($0) } }
    let outside = links.filter { $0.isAudio && $0.units.count == 1 }
    return ProgramStructure(
      units: nodes.filter { active.contains($0.key) }.map {
        ProgramStructure.Unit(id: $0.id, unit: $0.unit)
      },
      links: links.filter { $0.isAudio && $0.units.count == 2 } + links.filter { !$0.isAudio }
        + outside.filter { $0.from.unit != nil } + outside.filter { $0.from.unit == nil })
  }

  // MARK: Connections

  /// Refuses a connection that would close a feedback loop.
  func checkCircle(_ from: Key, _ to: Key) throws(EngineError) {
    // For each node downstream of `to`, its predecessor on the path.
    var before: [Key: Key] = [to: from]
    var open = [to]
    while let key = open.popLast(), before[from] == nil {
      let heard =
        links.filter { $0.isAudio && $0.from.unit == key }.compactMap(\.to.unit)
        + links.filter { !$0.isAudio && $0.from.unit == key }.compactMap(\.to.unit)
      for next in heard where before[next] == nil {
        before[next] = key
        open.append(next)
      }
    }
    guard from == to || before[from] != nil else { return }
    var path = [from]
    while path.count == 1 || path[0] != from, let key = before[path[0]] { path.insert(key, at: 0) }
    throw .refused(
      reason: GraphError.cycle(path: path.compactMap { node($0)?.id }).description)
  }

  /// Returns the nearest source with mixing properties, at or upstream of a node; nil if there is
  /// none. Units between may have only one audio connection, and no open inputs.
  func mixed(_ key: Key) -> Key? {
    var key = key
    var seen: Set<Key> = []
    while seen.insert(key).inserted, let node = node(key) {
      if node.unit is any Mixing { return key }
      if node.unit.inputBusses.isOpen { return nil }
      let before = links.filter { $0.isAudio && $0.to.unit == key }
      guard before.count == 1, let source = before[0].from.unit else { return nil }
      key = source
    }
    return nil
  }
}

extension ProgramStructure.Link {
  var isAudio: Bool {
    switch (from, to) {
    case (.bus, _), (_, .bus): true
    default: false
    }
  }
}
