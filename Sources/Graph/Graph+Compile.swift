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
    let hostings = try prepare(plan)
    let schedule = Schedule(
      units: hostings.map(\.hosted), bindings: plan.bindings, steps: plan.steps,
      poolCount: plan.poolCount, externalInputs: plan.ports.audioInputs.count,
      externalOutputs: plan.ports.audioOutputs.count, sliceFrames: options.maximumFrames,
      sampleRate: options.sampleRate)
    return CompiledGraph(
      schedule: schedule, ports: plan.ports, sampleRate: options.sampleRate, hostings: hostings)
  }
}
