// From a graph to a schedule.

import GraphRender
import UnitModel

extension Graph {
  /// Plans a cycle, allocates the units' resources for a backend and lays out the schedule.
  ///
  /// Units that are allocated already are allocated anew, so no schedule of this graph may be in
  /// use.
  /// - Throws: `channelMismatch`, and `noSuchBus` when a unit has fewer busses than when they were
  ///   connected, with
  ///   no unit changed; `unitFailed`.
  /// - Thread: [control]
  public func compile(_ options: CompileOptions) throws(GraphError) -> CompiledGraph {
    let plan = try description.plan(options)
    let prepared = try prepare(plan)
    return CompiledGraph(
      plan, options, prepared: prepared, edges: plan.agreed.midiEdges { _ in MIDIEdge() })
  }

  /// Plans the way from a graph that is being rendered to this one.
  ///
  /// What is in both stays as it is: units with their kernels, for which this graph has to keep
  /// their identities (`init(following:)`) and the channels of their busses, and MIDI edges with
  /// the notes that are held. Others are prepared, and belong to nobody if this fails.
  ///
  /// - Returns: what is to be rendered, one after the other, each until its schedule `isSettled`;
  ///   the last one is this graph and stays.
  /// - Throws: as `compile`; nothing that is being rendered has changed then.
  /// - Thread: [control]
  public func compile(following current: CompiledGraph) throws(GraphError) -> [CompiledGraph] {
    let options = current.options
    var description = description
    for index in description.nodes.indices {
      guard current.prepared[description.nodes[index].identity] != nil else { continue }
      description.nodes[index].keepChannels()
    }
    let plan = try description.plan(options)
    var plans: [SchedulePlan] = []
    for passage in current.agreed.passages(to: plan.agreed) {
      let (graph, changes) = (passage.description, passage.changes)
      plans.append(
        try graph.layOut(options, graph.edges.renderingOrder(graph.nodes.indices), changes))
    }
    plans.append(plan)
    let prepared = try prepare(plans, following: current)
    var edges = current.edges
    return plans.map { plan in
      edges = plan.agreed.midiEdges { edges[$0] ?? MIDIEdge() }
      return CompiledGraph(plan, options, prepared: prepared, edges: edges)
    }
  }
}

extension Graph {
  /// Checks what compiling would, but for what units refuse.
  /// - Throws: `channelMismatch`, `noSuchBus`.
  /// - Thread: [control]
  public func check() throws(GraphError) {
    _ = try description.plan(CompileOptions(sampleRate: 48_000))
  }
}

extension GraphDescription {
  /// What keeps the notes of each MIDI edge.
  fileprivate func midiEdges(
    _ make: (GraphConnection<NodeID>) -> MIDIEdge
  ) -> [GraphConnection<NodeID>: MIDIEdge] {
    let identities = edges.midi.map {
      GraphConnection(from: nodes[$0.from].identity, to: nodes[$0.to].identity)
    }
    return Dictionary(uniqueKeysWithValues: identities.map { ($0, make($0)) })
  }
}

extension GraphDescription.Node {
  /// Has the unit agree to no other channels than it has.
  fileprivate mutating func keepChannels() {
    for bus in inputs.indices { inputs[bus].supportedChannelCounts = [inputs[bus].channelCount] }
    for bus in outputs.indices {
      outputs[bus].supportedChannelCounts = [outputs[bus].channelCount]
    }
  }
}
