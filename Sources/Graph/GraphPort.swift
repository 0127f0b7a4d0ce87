// A port that a graph shows to the outside.

/// One audio channel or MIDI stream that enters or leaves a graph.
public struct GraphPort: Sendable, Equatable {
  /// Without the client's name: "lowpass_in_1".
  public let name: String
  /// The unit's place in the graph.
  public let unitIndex: Int
  /// The unit's id.
  public let unitID: String
  /// The bus of the unit, and the channel of the bus; nil for MIDI.
  public let channel: BusChannel?
  /// Whether it is a MIDI port that the unit does not have any more: what it has begun there ends,
  /// and nothing begins.
  public internal(set) var isEnding = false

  public struct BusChannel: Sendable, Equatable {
    public let bus: Int
    public let channel: Int
  }
}

/// The ports of a graph. A schedule's external buffers have the numbers of these arrays.
public struct GraphPorts: Sendable, Equatable {
  public internal(set) var audioInputs: [GraphPort] = []
  public internal(set) var audioOutputs: [GraphPort] = []
  public internal(set) var midiInputs: [GraphPort] = []
  public internal(set) var midiOutputs: [GraphPort] = []

  public init() {}
}
