// A port of a graph.

/// One audio channel or MIDI stream that enters or leaves a graph.
public struct GraphPort: Sendable, Equatable {
  /// The name without the client's name: "lowpass_in_1", or "door_side_chain_1" for a side-chain.
  public let name: String
  /// The name that it had in earlier versions, which its users may still refer to: "door_in_3";
  /// nil if that is the same.
  public internal(set) var formerName: String?
  /// The unit's index in the graph.
  public let unitIndex: Int
  /// The unit's id.
  public let unitID: String
  /// The bus of the unit, and the channel of the bus; nil for MIDI.
  public let channel: BusChannel?
  /// Whether it is a removed MIDI port: its held notes end, and no new ones begin.
  public internal(set) var isEnding = false

  public struct BusChannel: Sendable, Equatable {
    public let bus: Int
    public let channel: Int
  }
}

/// The ports of a graph. Their indices in these arrays number the schedule's external buffers.
public struct GraphPorts: Sendable, Equatable {
  public internal(set) var audioInputs: [GraphPort] = []
  public internal(set) var audioOutputs: [GraphPort] = []
  public internal(set) var midiInputs: [GraphPort] = []
  public internal(set) var midiOutputs: [GraphPort] = []

  public init() {}
}
