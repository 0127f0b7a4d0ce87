// What is attached to an engine and connected there.

import Configuration
import Graph
import RecorderUnit
import SessionModel
import UnitModel

/// The units and connections of an engine: those of its session, and what the program has attached
/// that is not heard yet. A value.
struct EngineGraph: Sendable {
  typealias End = ProgramStructure.End
  typealias Link = ProgramStructure.Link
  typealias Key = ObjectIdentifier

  struct Node: Sendable {
    let id: String
    let unit: AudioUnit
    /// Whether the program has attached it; else somebody else has brought it into the session.
    var isAttached = true
    /// Whether it is part of the session.
    var isInSession = false
    /// Whether it stays there though it leads nowhere, because somebody else has disconnected it.
    var isKept = false

    var key: Key { Key(unit) }
  }

  /// A unit that somebody else has taken out of the session.
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

  /// - Parameter keys: those of units that were attached when the change was asked for.
  /// - Throws: `removed`, `notAttached` where one has gone since.
  func checkAttached(_ keys: [Key?]) throws(EngineError) {
    for key in keys.compactMap(\.self) where node(key) == nil {
      throw lost.first { $0.unit.map(Key.init) == key }.map { .removed(id: $0.id) }
        ?? .notAttached(unit: "the unit")
    }
  }

  // MARK: Changes of the program

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

  mutating func disconnect(where isMeant: (Link) -> Bool) { links.removeAll(where: isMeant) }

  /// Forgets that somebody has taken a unit out of the session.
  mutating func forget(_ unit: AudioUnit) {
    lost.removeAll { $0.unit == nil || $0.unit === unit }
  }

  /// Notes what is part of the session from now on.
  mutating func enter(_ session: ProgramStructure) {
    let there = Set(session.units.map { Key($0.unit) })
    for place in nodes.indices { nodes[place].isInSession = there.contains(nodes[place].key) }
  }

  /// Takes back what was changed since `before` to `after`; what was attached meanwhile stays.
  mutating func takeBack(from after: EngineGraph, to before: EngineGraph) {
    let (nodes, links) = (
      nodes.filter { after.node($0.key) == nil }, links.filter { !after.links.contains($0) }
    )
    self = before
    self.nodes += nodes
    self.links += links
  }

  // MARK: Changes of others

  /// Takes what the session has become, by whomever.
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
    // What a waiting unit is connected to stays: it comes with the program's next change.
    let waiting = Set(nodes.filter { !$0.isInSession }.map(\.key))
    let known = waiting.union(there.keys)
    links =
      session.links
      + links.filter { link in
        link.units.contains { waiting.contains($0) } && link.units.allSatisfy { known.contains($0) }
      }
    for place in nodes.indices { nodes[place].isKept = false }
    let active = activeKeys
    let sources = Set(session.links.compactMap(\.from.unit))
    for (place, node) in nodes.enumerated() where node.isInSession && !active.contains(node.key) {
      nodes[place].isKept = !sources.contains(node.key)
    }
  }

  /// Notes that there is no session any more.
  mutating func leave() { enter(ProgramStructure()) }

  // MARK: What is rendered

  /// Whether a chain may end here: at the engine's output, a tap, a recorder, a connection to
  /// others, and with what others have brought into the session or keep there.
  private static func isEnd(_ node: Node) -> Bool {
    node.id == Engine.outputID || node.unit is TapUnit || node.unit is RecorderUnit
      || !node.isAttached || node.isKept
  }

  /// The nodes whose sound or MIDI comes to an end of a chain.
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

  /// What is to be rendered.
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

  /// Refuses a connection by which sound or MIDI would come back to where it came from.
  func checkCircle(_ from: Key, _ to: Key) throws(EngineError) {
    // From each node that hears `to`, the one before it on the way.
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

  /// The source whose sound comes out of a node, through whatever processes it alone; nil for a
  /// node that makes or mixes sound and has no mixing properties.
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
