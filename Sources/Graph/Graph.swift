// Units and how they are connected.

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
/// Every bus without a connection inside gets ports; others get them by `expose…`. Several
/// connections to one input are mixed. Counterpart of `AVAudioEngine`, whose nodes are attached and
/// connected alike.
///
/// Belongs to one control thread at a time.
public final class Graph {
  public struct Node {
    /// Stays the unit's own, whatever its place in `nodes` becomes.
    public let identity: NodeID
    public let id: String
    public let unit: AudioUnit
    /// Whether its busses keep the channels that they have, whatever is connected to them. Those of
    /// open inputs follow what feeds them all the same.
    public internal(set) var keepsChannels = false
  }

  public private(set) var nodes: [Node] = []
  private(set) var edges = GraphEdges()
  /// Units that only ring out.
  private(set) var ringing: Set<Int> = []
  private var places = GraphIndices()
  private var lastIdentity = 0
  /// Whether each connection is checked for what feeds time effects as it is made; without, several
  /// take less time, and `checkChains` says what is wrong behind the last one.
  public var checksChainsAtOnce = true
  /// Whether an input of an open array comes into being with its first connection; without, when
  /// the graph is compiled, so that one that is only checked leaves the units as they are.
  package var opensInputsAtOnce = true
  /// What of open arrays is to come into being.
  var comingInputs: [GraphBus: Bus] = [:]
  /// The open arrays to which compiling has added inputs, and how many these had.
  var openedInputs: [(busses: BusArray, formerCount: Int)] = []

  public init() {}

  /// A graph without units that is to take the place of another one; units of that keep who they
  /// are by `keep`.
  /// - Thread: [control]
  public init(following other: Graph) { lastIdentity = other.lastIdentity }

  func copy(_ other: Graph) {
    (nodes, edges, ringing, places) = (other.nodes, other.edges, other.ringing, other.places)
    (opensInputsAtOnce, comingInputs) = (other.opensInputsAtOnce, other.comingInputs)
  }

  /// Has a unit take nothing any more.
  func silence(_ unit: Int) { ringing.insert(unit) }

  /// Adds a unit of the graph whose place this takes.
  /// - Returns: the unit's number.
  /// - Throws: `duplicateUnit`, `sameUnit`.
  /// - Thread: [control]
  @discardableResult
  public func keep(_ node: Node) throws(GraphError) -> Int {
    try append(node.unit, id: node.id, node.identity, keepsChannels: node.keepsChannels)
  }

  /// Adds a unit; `id` names its ports.
  ///
  /// - Parameter keepsChannels: whether it was part of such a graph before, and is to be with the
  ///   channels that its busses have had there.
  /// - Returns: the unit's number.
  /// - Throws: `duplicateUnit`, `sameUnit`.
  /// - Thread: [control]
  @discardableResult
  public func add(
    _ unit: AudioUnit, id: String, keepsChannels: Bool = false
  ) throws(GraphError) -> Int {
    lastIdentity += 1
    return try append(unit, id: id, NodeID(number: lastIdentity), keepsChannels: keepsChannels)
  }

  /// Has all units keep the channels that a compiled graph gave their busses, when it is compiled
  /// anew.
  /// - Thread: [control]
  public func keepChannels() {
    for place in nodes.indices { nodes[place].keepsChannels = true }
  }

  private func append(
    _ unit: AudioUnit, id: String, _ identity: NodeID, keepsChannels: Bool
  ) throws(GraphError) -> Int {
    if places[id] != nil { throw .duplicateUnit(id: id) }
    if let other = places[unit] { throw .sameUnit(id: id, other: nodes[other].id) }
    nodes.append(Node(identity: identity, id: id, unit: unit, keepsChannels: keepsChannels))
    places.append(unit, id: id)
    return nodes.count - 1
  }

  /// The ids of the units that a unit is connected to inside, in the order of the graph.
  public func receivers(of unit: Int) -> [String] {
    nodes.indices.contains(unit)
      ? Set(places.successors[unit]).sorted().map { nodes[$0].id } : []
  }

  /// The number of the unit with this id.
  public func index(of id: String) throws(GraphError) -> Int {
    guard let index = places[id] else {
      throw .unknownUnit(id: id, known: nodes.map(\.id))
    }
    return index
  }

  /// Connects an output bus to an input bus. One of an open array comes into being with its
  /// first connection, and not by one that is refused.
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
    places.connect(from.unit, to.unit)
  }

  /// Connects the MIDI that a unit sends to a unit that takes MIDI.
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
    places.connect(from, to)
  }

  /// Has the parameter events that a unit sends for another one (`NodeID.eventTarget`) take effect
  /// there, each on its own frame.
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
    places.connect(from, to)
  }

  /// Gives an output bus ports, also if it is connected inside.
  public func exposeOutput(_ bus: GraphBus) throws(GraphError) {
    try checkOutput(bus)
    try edit { $0.exposedOutputs.insert(bus) }
  }

  /// Gives an input bus ports, also if it is connected inside.
  public func exposeInput(_ bus: GraphBus) throws(GraphError) {
    try checkInput(bus)
    try opening(bus) { () throws(GraphError) in try edit { $0.exposedInputs.insert(bus) } }
  }

  /// Gives a unit a MIDI input port, also if it gets MIDI inside.
  public func exposeMIDIInput(_ unit: Int) throws(GraphError) {
    try checkMIDIInput(unit)
    edges.exposedMIDIInputs.insert(unit)
  }

  /// Gives a unit a MIDI output port, also if its MIDI is used inside.
  public func exposeMIDIOutput(_ unit: Int) throws(GraphError) {
    try checkMIDIOutput(unit)
    try edit { $0.exposedMIDIOutputs.insert(unit) }
  }

  /// Changes the connections, unless a time effect cannot have what feeds it then.
  private func edit(_ change: (inout GraphEdges) -> Void) throws(GraphError) {
    guard places.hasTimeEffect && checksChainsAtOnce else {
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

  /// Refuses a connection by which a unit would need its own output.
  private func checkCycle(from: Int, to: Int) throws(GraphError) {
    if let path = places.path(from: to, to: from) {
      throw .cycle(path: ([from] + path).map { nodes[$0].id })
    }
  }

  var hasTimeEffect: Bool { places.hasTimeEffect }

  func takesMIDI(_ unit: Int) -> Bool { nodes[unit].unit.virtualMIDICableCount > 0 }

  func sendsMIDI(_ unit: Int) -> Bool { !nodes[unit].unit.midiOutputNames.isEmpty }

  /// As a configuration writes it, counted from 1.
  func name(_ bus: GraphBus) -> String { "\(nodes[bus.unit].id):\(bus.bus + 1)" }
}
