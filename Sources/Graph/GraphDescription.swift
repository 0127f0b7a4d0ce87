// The description of a graph, as a value from which a schedule is planned.

import UnitModel

/// The properties and connections of units; holds no unit objects.
struct GraphDescription: Sendable, Equatable {
  struct Bus: Sendable, Equatable {
    /// The channel count; the bus's own before negotiation.
    var channelCount: Int
    /// The supported counts; empty for all up to `maximumChannelCount`.
    var supportedChannelCounts: [Int] = []
    var maximumChannelCount = AudioFormat.channelCounts.upperBound
    var isEnabled = true
    /// The channel count of its ports for an input of an open array, which has no channels while
    /// unconnected; nil for other busses.
    var portChannelCount: Int?
    /// Whether it has ports if nothing inside the graph is connected to it.
    var isOffered = true
    /// Whether it is named as a side-chain.
    var isSideChain = false

    var isOpen: Bool { portChannelCount != nil }

    func takes(_ channels: Int) -> Bool {
      AudioFormat.channelCounts.contains(channels) && channels <= maximumChannelCount
        && (supportedChannelCounts.isEmpty || supportedChannelCounts.contains(channels))
    }
  }

  struct Node: Sendable, Equatable {
    let identity: NodeID
    /// The unit's id, which names its ports.
    let id: String
    var inputs: [Bus]
    var outputs: [Bus]
    var takesMIDI = false
    var sendsMIDI = false
    /// The supported pairs of channel counts; nil for any.
    var capabilities: [ChannelCapability]?
    /// Latency in frames; known once the unit is prepared.
    var latencyFrames = 0
    /// Whether it requests other numbers of input frames than it outputs.
    var isTimeEffect = false
    /// Whether it rings out: it takes no input, and its audio outputs stay connected.
    var isRinging = false
  }

  var nodes: [Node]
  var edges: GraphEdges
  /// The busses and units that have ports; nil for the default, the unconnected and the exposed
  /// ones.
  var ports: Ports?
  /// The time effect whose chain contains a unit, by unit, nil for none; empty without time
  /// effects.
  var chainEffects: [Int?] = []

  /// Returns the name of a bus in configurations, counted from 1.
  func name(_ bus: GraphBus) -> String { "\(nodes[bus.unit].id):\(bus.bus + 1)" }
}

extension Graph {
  /// The current graph as a value.
  var description: GraphDescription {
    var description = GraphDescription(
      nodes: nodes.indices.map { GraphDescription.Node(nodes[$0], inputs: inputs(of: $0)) },
      edges: edges)
    for unit in ringing { description.nodes[unit].isRinging = true }
    description.findChains()
    return description
  }
}

extension GraphDescription.Node {
  /// - Parameter inputs: the current inputs, and those still to be added.
  init(_ node: Graph.Node, inputs: [UnitModel.Bus]) {
    let unit = node.unit
    let isEffect = [.effect, .musicEffect].contains(unit.componentDescription.type)
    self.init(
      identity: node.identity, id: node.id,
      inputs: inputs.enumerated().map { index, bus in
        var described = GraphDescription.Bus(bus)
        if unit.inputBusses.isOpen {
          described.portChannelCount = bus.defaultFormat.channelCount
          described.isOffered = index < unit.inputBusses.initialBusCount
        }
        return described
      },
      outputs: unit.outputBusses.busses.map { GraphDescription.Bus($0) },
      takesMIDI: unit.virtualMIDICableCount > 0, sendsMIDI: !unit.midiOutputNames.isEmpty,
      capabilities: unit.channelCapabilities ?? (isEffect ? [.matching] : nil),
      isTimeEffect: unit is any TimeEffect)
    if node.keepsChannels { keepChannels() }
  }
}

extension GraphDescription.Bus {
  init(_ bus: UnitModel.Bus) {
    self.init(
      channelCount: bus.format.channelCount, supportedChannelCounts: bus.supportedChannelCounts,
      maximumChannelCount: bus.maximumChannelCount, isEnabled: bus.isEnabled,
      isSideChain: bus.busType == .input
        && bus.defaultName.lowercased().filter(\.isLetter) == "sidechain")
  }
}
