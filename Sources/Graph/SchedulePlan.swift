// A cycle that is planned, before a unit is prepared for it.

import GraphRender

/// What a unit has to be prepared for. As long as it stays the same, and the unit, so may what was
/// prepared.
struct UnitPreparation: Sendable, Equatable {
  /// Of its busses, in their order; 0 for an open input that nothing feeds.
  var inputChannels: [Int]
  var outputChannels: [Int]
  /// In hertz.
  var sampleRate: Double
  /// The most frames of a call.
  var maximumFrames: Int
  var isOffline: Bool
  /// How many events, and how many of their bytes, can come in a cycle.
  var midiEvents: Int
  var midiBytes: Int
}

/// Which unit renders when, and where its channels are. A value: it is the same for the same
/// description.
struct SchedulePlan: Sendable, Equatable {
  struct Unit: Sendable, Equatable {
    let identity: NodeID
    let id: String
    let preparation: UnitPreparation
  }

  /// In the order of the graph.
  let units: [Unit]
  /// The places of the units in the order in which they render, and are prepared.
  let order: [Int]
  /// For each unit where its input channels are, and then its output channels.
  let bindings: [[BufferReference]]
  let steps: [ScheduleStep]
  let poolCount: Int
  /// The chains of time effects and the ways into them, as the steps number them.
  let chains: [ChainUse]
  let crossings: [CrossingUse]
  /// Which of the steps do not need each other.
  let branches: ScheduleBranches
  /// The delays, as the steps number them.
  let lines: [DelayLineUse]
  let queues: [QueueUse]
  let ports: GraphPorts
  /// What it was planned from, with the channel counts on which the busses have agreed.
  let agreed: GraphDescription
}
