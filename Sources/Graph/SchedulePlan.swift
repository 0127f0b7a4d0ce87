// The plan of a cycle, before units are prepared for it.

import GraphRender

/// Requirements for preparing a unit. While they and the unit stay the same, the prepared unit can
/// be reused.
struct UnitPreparation: Sendable, Equatable {
  /// Channel counts of the inputs, in order; 0 for an unconnected open input.
  var inputChannels: [Int]
  var outputChannels: [Int]
  /// The sample rate in hertz.
  var sampleRate: Double
  /// The most frames of a render call.
  var maximumFrames: Int
  var isOffline: Bool
  /// The most MIDI events, and bytes of MIDI, that can arrive in a cycle.
  var midiEvents: Int
  var midiBytes: Int
}

/// The rendering order and buffers of a cycle. A value: equal descriptions give equal plans.
struct SchedulePlan: Sendable, Equatable {
  struct Unit: Sendable, Equatable {
    let identity: NodeID
    let id: String
    let preparation: UnitPreparation
  }

  /// The units in the order of the graph.
  let units: [Unit]
  /// The indices of the units in the order of rendering and preparing.
  let order: [Int]
  /// The buffers of each unit's input channels, followed by those of its output channels.
  let bindings: [[BufferReference]]
  let steps: [ScheduleStep]
  let poolCount: Int
  /// The chains of time effects and their crossings, as the steps number them.
  let chains: [ChainUse]
  let crossings: [CrossingUse]
  /// The steps that can be rendered in parallel.
  let branches: ScheduleBranches
  /// The delays, as the steps number them.
  let lines: [DelayLineUse]
  let queues: [QueueUse]
  let ports: GraphPorts
  /// The description it was planned from, with negotiated channel counts.
  let agreed: GraphDescription
}
