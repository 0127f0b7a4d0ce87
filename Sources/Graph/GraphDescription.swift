// What a graph is, as a value: all that a schedule is planned from.

import UnitModel

/// Units, by what they say of themselves, and their connections. Nothing in it is a unit.
struct GraphDescription: Sendable, Equatable {
  struct Bus: Sendable, Equatable {
    /// As it is before the busses agree.
    var channelCount: Int
    /// Empty for all up to `maximumChannelCount`.
    var supportedChannelCounts: [Int] = []
    var maximumChannelCount = AudioFormat.channelCounts.upperBound
    var isEnabled = true
    /// For an input of an open array the channels of its ports, nil for other busses. It has no
    /// channels while nothing feeds it.
    var portChannelCount: Int?
    /// Whether it has ports where nothing inside is connected to it.
    var isOffered = true

    var isOpen: Bool { portChannelCount != nil }

    func takes(_ channels: Int) -> Bool {
      AudioFormat.channelCounts.contains(channels) && channels <= maximumChannelCount
        && (supportedChannelCounts.isEmpty || supportedChannelCounts.contains(channels))
    }
  }

  struct Node: Sendable, Equatable {
    let identity: NodeID
    /// Names its ports.
    let id: String
    var inputs: [Bus]
    var outputs: [Bus]
    var takesMIDI = false
    var sendsMIDI = false
    /// The channel counts that it takes together; nil for any.
    var capabilities: [ChannelCapability]?
    /// Known once the unit is prepared.
    var latencyFrames = 0
    /// Whether it asks for its input in other numbers of frames than it puts out.
    var isTimeEffect = false
    /// Whether it takes nothing any more and is only heard where it was.
    var isRinging = false
  }

  var nodes: [Node]
  var edges: GraphEdges
  /// Which busses and units have ports; nil for those that nothing inside is connected to, and the
  /// exposed.
  var ports: Ports?
  /// By unit, the time effect whose chain it is in, nil for none; empty where there is none.
  var chainEffects: [Int?] = []

  /// As a configuration writes it, counted from 1.
  func name(_ bus: GraphBus) -> String { "\(nodes[bus.unit].id):\(bus.bus + 1)" }
}

extension Graph {
  /// The graph as it is now.
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
  /// - Parameter inputs: those that it has, and those that are to come into being.
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
      maximumChannelCount: bus.maximumChannelCount, isEnabled: bus.isEnabled)
  }
}
