// Compiling a graph to a schedule.

import GraphRender
import UnitModel

extension Graph {
  /// Plans a cycle, allocates the units' resources for a backend and lays out the schedule.
  ///
  /// Units with allocated resources are allocated again, so no schedule of this graph may be in
  /// use.
  /// - Throws: `sampleRateOutOfRange` and `optionOutOfRange`, `channelMismatch`, and `noSuchBus` if
  ///   a unit has fewer busses than when they were connected, with no unit changed; `unitFailed`.
  /// - Thread: [control]
  public func compile(_ options: CompileOptions) throws(GraphError) -> CompiledGraph {
    try options.check()
    var plan = try description.plan(options)
    let prepared = try openingInputs { () throws(GraphError) in try prepare(plan) }
    let delayed = plan.agreed.delayed(by: prepared)
    if delayed != plan.agreed { plan = try delayed.layOut(options, plan.order) }
    return CompiledGraph(plan, options, prepared: prepared)
  }

  /// Plans the transition from a graph that is being rendered to this one.
  ///
  /// Parts that are in both graphs are kept: units with their kernels, and MIDI edges with their
  /// held notes and delayed events. Such units need the same identities in this graph
  /// (`init(following:)`) and the same channels of their busses. Other units are prepared; if this
  /// fails, no schedule holds them.
  ///
  /// - Returns: the graphs to render in order, each until its schedule `isSettled`. The last one is
  ///   this graph and stays.
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
      // The delays may have added a passage.
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
  /// Prepares units with the inputs that connections wait for. If that fails, restores the former
  /// inputs.
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
  /// Returns the plans of all passages from another graph to this one, followed by this plan.
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
  /// Runs the checks of compiling, except those that units make.
  /// - Throws: `channelMismatch`, `noSuchBus`.
  /// - Thread: [control]
  public func check() throws(GraphError) {
    _ = try description.plan(CompileOptions(sampleRate: 48_000))
  }
}
