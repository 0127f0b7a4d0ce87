// From a graph to a schedule.

import GraphRender
import UnitModel

extension Graph {
  /// Plans a cycle, allocates the units' resources for a backend and lays out the schedule.
  ///
  /// Units that are allocated already are allocated anew, so no schedule of this graph may be in
  /// use.
  /// - Throws: `sampleRateOutOfRange` and `optionOutOfRange`, `channelMismatch`, and `noSuchBus`
  ///   when a unit has fewer busses than when they were connected, with no unit changed;
  ///   `unitFailed`.
  /// - Thread: [control]
  public func compile(_ options: CompileOptions) throws(GraphError) -> CompiledGraph {
    try options.check()
    var plan = try description.plan(options)
    let prepared = try openingInputs { () throws(GraphError) in try prepare(plan) }
    let delayed = plan.agreed.delayed(by: prepared)
    if delayed != plan.agreed { plan = try delayed.layOut(options, plan.order) }
    return CompiledGraph(plan, options, prepared: prepared)
  }

  /// Plans the way from a graph that is being rendered to this one.
  ///
  /// What is in both stays as it is: units with their kernels, for which this graph has to keep
  /// their identities (`init(following:)`) and the channels of their busses, and MIDI edges with
  /// the notes that are held and what waits. Others are prepared, and belong to nobody if this
  /// fails.
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
    var plan = try description.plan(options)
    var plans = try plan.plans(following: current.agreed, options)
    var prepared = try openingInputs { () throws(GraphError) in
      try prepare(plans, following: current)
    }
    let delayed = plan.agreed.delayed(by: prepared.last ?? [:])
    if delayed != plan.agreed {
      plan = try delayed.layOut(options, plan.order)
      plans = try plan.plans(following: current.agreed, options)
      // There may be a way now where there was none.
      while prepared.count < plans.count { prepared.insert(prepared[0], at: 0) }
    }
    var kept = current.kept
    return zip(plans, prepared).map { plan, prepared in
      let compiled = CompiledGraph(plan, options, prepared: prepared, following: kept)
      kept = compiled.kept
      return compiled
    }
  }
}

extension Graph {
  /// Prepares units with the inputs that they are to have; if that fails, they have what they had.
  private func openingInputs<Prepared>(
    _ prepare: () throws(GraphError) -> Prepared
  ) throws(GraphError) -> Prepared {
    try openInputs()
    do throws(GraphError) { return try prepare() } catch {
      closeOpenedInputs()
      throw error
    }
  }
}

extension SchedulePlan {
  /// Those of all ways from another graph to this one, and then this one.
  fileprivate func plans(
    following current: GraphDescription, _ options: CompileOptions
  ) throws(GraphError) -> [SchedulePlan] {
    var plans: [SchedulePlan] = []
    for passage in current.passages(to: agreed) {
      let graph = passage.description
      plans.append(
        try graph.layOut(
          options, graph.edges.renderingOrder(graph.nodes.indices), passage.changes,
          passage.delays))
    }
    return plans + [self]
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
