// The result of compiling a graph.

public import GraphRender
import UnitModel

/// A schedule, the units on loan to it, and the ports of its external buffers. Freed with the last
/// reference, which must not be released while a render thread uses the schedule.
public final class CompiledGraph: Sendable {
  public let schedule: Schedule
  public let ports: GraphPorts
  /// The units on loan, in the order of the graph.
  public let hostings: [UnitHosting]

  let options: CompileOptions
  /// The graph with the negotiated channel counts.
  let agreed: GraphDescription
  let prepared: [NodeID: PreparedUnit]
  let kept: KeptByGraphs

  /// The sample rate in hertz.
  public var sampleRate: Double { options.sampleRate }

  /// - Parameters:
  ///   - prepared: the units of the plan, and maybe others.
  ///   - former: the state kept by the previous graph.
  init(
    _ plan: SchedulePlan, _ options: CompileOptions, prepared: [NodeID: PreparedUnit],
    following former: KeptByGraphs = KeptByGraphs()
  ) {
    let identities = plan.agreed.nodes.map(\.identity)
    self.options = options
    agreed = plan.agreed
    ports = plan.ports
    self.prepared = prepared.filter { identities.contains($0.key) }
    let kept = KeptByGraphs(plan, options, prepared, following: former)
    self.kept = kept
    let chains = kept.chains(of: plan)
    hostings = identities.map { prepared[$0]!.hosting }
    schedule = Schedule(
      units: hostings.map(\.hosted), bindings: plan.bindings, steps: plan.steps,
      poolCount: plan.poolCount,
      edges: plan.agreed.midiIdentities.map { kept.edges[$0]!.held }, delays: kept.delays(of: plan),
      chains: chains, branches: plan.branches, helper: options.helper,
      externalInputs: plan.ports.audioInputs.count,
      externalOutputs: plan.ports.audioOutputs.count, sliceFrames: options.maximumFrames,
      sampleRate: options.sampleRate)
  }

  deinit { schedule.deallocate() }
}

/// State of connections that outlives schedules.
struct KeptByGraphs: Sendable {
  var edges: [GraphConnection<NodeID>: MIDIEdge] = [:]
  var lines: [DelayLineKey: GraphDelayLine] = [:]
  var queues: [QueueKey: GraphQueue] = [:]
  /// Timelines by time effect.
  var clocks: [NodeID: GraphClock] = [:]
  var crossings: [CrossingKey: GraphCrossing] = [:]
  /// Crossings of units that have left a chain, kept for one schedule.
  var leftCrossings: [CrossingKey: GraphCrossing] = [:]

  init() {}

  /// Collects the edges, delay lines, queues, timelines and crossings of `plan`, reusing those of
  /// the previous graph.
  init(
    _ plan: SchedulePlan, _ options: CompileOptions, _ prepared: [NodeID: PreparedUnit],
    following former: KeptByGraphs
  ) {
    for connection in plan.agreed.midiIdentities {
      edges[connection] = former.edges[connection] ?? MIDIEdge()
    }
    for use in plan.lines { lines[use.key] = former.lines[use.key] ?? GraphDelayLine(use) }
    for use in plan.queues { queues[use.key] = former.queues[use.key] ?? GraphQueue(use, options) }
    keepChains(plan, prepared, following: former)
  }

  func delays(of plan: SchedulePlan) -> ScheduleDelays {
    var delays = ScheduleDelays()
    delays.lines = plan.lines.map { lines[$0.key]!.line }
    delays.queues = plan.queues.map { queues[$0.key]!.queue }
    for use in plan.queues {
      if let unit = use.unit { delays.portMIDI[unit] = queues[use.key]!.portMIDI }
    }
    return delays
  }
}

extension GraphDescription {
  /// The end points of each MIDI edge.
  var midiIdentities: [GraphConnection<NodeID>] {
    edges.midi.map {
      GraphConnection(from: nodes[$0.from].identity, to: nodes[$0.to].identity)
    }
  }
}

/// A unit that is ready to be rendered, and its preparation.
struct PreparedUnit: Sendable {
  let hosting: UnitHosting
  let preparation: UnitPreparation
}

/// Requirements of a backend, checked by `compile`.
public struct CompileOptions: Sendable {
  /// The most MIDI events, and bytes of MIDI, of a port in a cycle.
  public static let maximumMIDIPerPort = 1 << 22

  /// The sample rate in hertz, within `AudioFormat.sampleRates`.
  public var sampleRate: Double
  /// The most frames that units render in one call, within `AudioUnit.maximumFramesRange`; longer
  /// cycles are split into slices.
  public var maximumFrames: Int
  /// The number of MIDI events a port can receive or send in a cycle, 0 to `maximumMIDIPerPort`.
  public var midiEventsPerPort: Int
  /// The bytes of MIDI a port can receive or send in a cycle, 0 to `maximumMIDIPerPort`.
  public var midiBytesPerPort: Int
  /// Whether the backend renders without real-time constraints.
  public var isOffline: Bool
  /// The thread that may render branches in parallel with the render thread; nil for none.
  public var helper: RenderHelper?

  public init(
    sampleRate: Double, maximumFrames: Int = 1024, midiEventsPerPort: Int = 4096,
    midiBytesPerPort: Int = 65536, isOffline: Bool = false, helper: RenderHelper? = nil
  ) {
    self.sampleRate = sampleRate
    self.maximumFrames = maximumFrames
    self.midiEventsPerPort = midiEventsPerPort
    self.midiBytesPerPort = midiBytesPerPort
    self.isOffline = isOffline
    self.helper = helper
  }

  func check() throws(GraphError) {
    guard AudioFormat.sampleRates.contains(sampleRate) else {
      throw .sampleRateOutOfRange(sampleRate)
    }
    let midi = 0...Self.maximumMIDIPerPort
    for (name, value, range) in [
      ("maximumFrames", maximumFrames, AudioUnit.maximumFramesRange),
      ("midiEventsPerPort", midiEventsPerPort, midi), ("midiBytesPerPort", midiBytesPerPort, midi),
    ] where !range.contains(value) {
      throw .optionOutOfRange(name: name, value, range)
    }
  }
}
