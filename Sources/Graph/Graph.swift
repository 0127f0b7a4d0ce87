// A graph of units and their connections.

import UnitModel

/// An output or input bus of a unit of a graph.
public struct GraphBus: Hashable, Sendable {
  public let unit: Int
  public let bus: Int

  public init(unit: Int, bus: Int) {
    self.unit = unit
    self.bus = bus
  }
}

/// A connection between two units inside a graph.
struct GraphConnection<End: Hashable & Sendable>: Hashable, Sendable {
  let from: End
  let to: End
}

/// Units by id, with connections between their busses. Compiles to a schedule.
///
/// Every bus without a connection inside the graph gets ports; others get them by `expose…`.
/// Several connections to one input are mixed. Counterpart of `AVAudioEngine`, whose nodes are
/// attached and connected in the same way.
///
/// Belongs to one control thread at a time.
public final class Graph {
  public struct Node {
    /// The unit's identity, constant when its index in `nodes` changes.
    public let identity: NodeID
    public let id: String
    public let unit: AudioUnit
    /// Whether its busses keep their channel counts, whatever is connected to them. Open inputs
    /// still follow their sources.
    public internal(set) var keepsChannels = false
  }

  public private(set) var nodes: [Node] = []
  private(set) var edges = GraphEdges()
  /// Units that ring out.
  private(set) var ringing: Set<Int> = []
  private var indices = GraphIndices()
  private var lastIdentity = 0
  /// Whether each new connection is checked for time effects. If false, several connections take
  /// less time; call `checkChains` after the last one.
  public var checksChainsAtOnce = true
  /// Whether the first connection to an input of an open array adds the input. If false, compiling
  /// adds it, so that a graph that is only checked does not change its units.
  package var opensInputsAtOnce = true
  /// Inputs of open arrays that are still to be added.
  var comingInputs: [GraphBus: Bus] = [:]
  /// The open arrays to which compiling has added inputs, and their former counts.
  var openedInputs: [(busses: BusArray, formerCount: Int)] = []

  public init() {}

  /// Makes a graph without units that is to replace another one. `keep` adds the other graph's
  /// units with their identities.
  /// - Thread: [control]
  public init(following other: Graph) { lastIdentity = other.lastIdentity }

  func copy(_ other: Graph) {
    (nodes, edges, ringing, indices) = (other.nodes, other.edges, other.ringing, other.indices)
    (opensInputsAtOnce, comingInputs) = (other.opensInputsAtOnce, other.comingInputs)
  }

  /// Stops all input of a unit.
  func silence(_ unit: Int) { ringing.insert(unit) }

  /// Adds a unit of the graph that this one replaces.
  /// - Returns: the unit's index.
  /// - Throws: `duplicateUnit`, `sameUnit`.
  /// - Thread: [control]
  @discardableResult
  public func keep(_ node: Node) throws(GraphError) -> Int {
    try append(node.unit, id: node.id, node.identity, keepsChannels: node.keepsChannels)
  }

  /// Adds a unit; `id` names its ports.
  ///
  /// - Parameter keepsChannels: whether the unit was part of another graph before and keeps the
  ///   channel counts of its busses.
  /// - Returns: the unit's index.
  /// - Throws: `duplicateUnit`, `sameUnit`.
  /// - Thread: [control]
  @discardableResult
  public func add(
    _ unit: AudioUnit, id: String, keepsChannels: Bool = false
  ) throws(GraphError) -> Int {
    lastIdentity += 1
    return try append(unit, id: id, NodeID(number: lastIdentity), keepsChannels: keepsChannels)
  }

  /// Makes all units keep their busses' channel counts when the graph is compiled again.
  /// - Thread: [control]
  public func keepChannels() {
    for index in nodes.indices { nodes[index].keepsChannels = true }
  }

  private func append(
    _ unit: AudioUnit, id: String, _ identity: NodeID, keepsChannels: Bool
  ) throws(GraphError) -> Int {
    if indices[id] != nil { throw .duplicateUnit(id: id) }
    if let other = indices[unit] { throw .sameUnit(id: id, other: nodes[other].id) }
    nodes.append(Node(identity: identity, id: id, unit: unit, keepsChannels: keepsChannels))
    indices.append(unit, id: id)
    return nodes.count - 1
  }

  /// Returns the ids of the units that receive audio or events from a unit, in the order of the
  /// graph.
  public func receivers(of unit: Int) -> [String] {
    nodes.indices.contains(unit)
      ? Set(indices.successors[unit]).sorted().map { nodes[$0].id } : []
  }

  /// Returns the index of the unit with this id.
  public func index(of id: String) throws(GraphError) -> Int {
    guard let index = indices[id] else {
      throw .unknownUnit(id: id, known: nodes.map(\.id))
    }
    return index
  }

  /// Connects an output bus to an input bus. The first connection to an input of an open array adds
  /// the input, unless the connection is refused.
  /// - Throws: `noSuchUnit`, `noSuchBus`, `alreadyConnected`, `cycle`, `timeEffect`.
  /// - Thread: [control]
  public func connect(_ from: GraphBus, to: GraphBus) throws(GraphError) {
    try checkOutput(from)
    try checkInput(to)
    let connection = GraphConnection(from: from, to: to)
    if edges.audio.contains(connection) {
      throw .alreadyConnected(from: name(from), to: name(to))
    }
    try checkCycle(from: from.unit, to: to.unit)
    try opening(to) { () throws(GraphError) in try edit { $0.audio.append(connection) } }
    indices.connect(from.unit, to.unit)
  }

  /// Connects a unit's MIDI output to another unit's MIDI input.
  /// - Throws: `noSuchUnit`, `noMIDIOutput`, `noMIDIInput`, `alreadyConnected`, `cycle`,
  ///   `timeEffect`.
  /// - Thread: [control]
  public func connectMIDI(from: Int, to: Int) throws(GraphError) {
    try checkMIDIOutput(from)
    try checkMIDIInput(to)
    let connection = GraphConnection(from: from, to: to)
    if edges.midi.contains(connection) {
      throw .alreadyConnected(from: nodes[from].id, to: nodes[to].id)
    }
    try checkCycle(from: from, to: to)
    try edit { $0.midi.append(connection) }
    indices.connect(from, to)
  }

  /// Connects the parameter events that a unit sends to another unit (`NodeID.eventTarget`). Each
  /// takes effect there on its own frame.
  /// - Throws: `noSuchUnit`, `alreadyConnected`, `cycle`, `timeEffect`.
  /// - Thread: [control]
  public func connectParameters(from: Int, to: Int) throws(GraphError) {
    try checkUnit(from)
    try checkUnit(to)
    let connection = GraphConnection(from: from, to: to)
    if edges.parameters.contains(connection) {
      throw .alreadyConnected(from: nodes[from].id, to: nodes[to].id)
    }
    try checkCycle(from: from, to: to)
    try edit { $0.parameters.append(connection) }
    indices.connect(from, to)
  }

  /// Adds ports to an output bus, even if it is connected inside the graph.
  public func exposeOutput(_ bus: GraphBus) throws(GraphError) {
    try checkOutput(bus)
    try edit { $0.exposedOutputs.insert(bus) }
  }

  /// Adds ports to an input bus, even if it is connected inside the graph.
  public func exposeInput(_ bus: GraphBus) throws(GraphError) {
    try checkInput(bus)
    try opening(bus) { () throws(GraphError) in try edit { $0.exposedInputs.insert(bus) } }
  }

  /// Adds a MIDI input port to a unit, even if it receives MIDI inside the graph.
  public func exposeMIDIInput(_ unit: Int) throws(GraphError) {
    try checkMIDIInput(unit)
    edges.exposedMIDIInputs.insert(unit)
  }

  /// Adds a MIDI output port to a unit, even if its MIDI is used inside the graph.
  public func exposeMIDIOutput(_ unit: Int) throws(GraphError) {
    try checkMIDIOutput(unit)
    try edit { $0.exposedMIDIOutputs.insert(unit) }
  }

  /// Changes the connections, unless they would break the chain of a time effect.
  /// The connections between units, by their indices.
  package var connectedUnits:
    (
      audio: [(from: GraphBus, to: GraphBus)], midi: [(from: Int, to: Int)],
      parameters: [(from: Int, to: Int)]
    )
  {
    (
      edges.audio.map { ($0.from, $0.to) }, edges.midi.map { ($0.from, $0.to) },
      edges.parameters.map { ($0.from, $0.to) }
    )
  }

  private func edit(_ change: (inout GraphEdges) -> Void) throws(GraphError) {
    guard indices.hasTimeEffect && checksChainsAtOnce else {
      change(&edges)
      return
    }
    let former = edges
    change(&edges)
    do throws(GraphError) { try checkChains() } catch {
      edges = former
      throw error
    }
  }

  /// Refuses a connection that would make a unit need its own output.
  private func checkCycle(from: Int, to: Int) throws(GraphError) {
    if let path = indices.path(from: to, to: from) {
      throw .cycle(path: ([from] + path).map { nodes[$0].id })
    }
  }

  var hasTimeEffect: Bool { indices.hasTimeEffect }

  func takesMIDI(_ unit: Int) -> Bool { nodes[unit].unit.virtualMIDICableCount > 0 }

  func sendsMIDI(_ unit: Int) -> Bool { !nodes[unit].unit.midiOutputNames.isEmpty }

  /// Returns the name of a bus in configurations, counted from 1.
  func name(_ bus: GraphBus) -> String { "\(nodes[bus.unit].id):\(bus.bus + 1)" }
}
