// The memory of a schedule.

import Synchronization
import UnitRender

struct ScheduleStorage: BitwiseCopyable {
  let units: UnsafeMutablePointer<ScheduledUnit>
  let unitCount: Int
  let bindings: UnsafeMutablePointer<BufferReference>
  let steps: UnsafeMutablePointer<ScheduleStep>
  let stepCount: Int
  let poolCount: Int
  /// One buffer of zeros, then the pool, then one for each external output without samples in a
  /// cycle; `sliceFrames` each.
  let memory: UnsafeMutablePointer<Float>
  let externalInputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let externalOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let meters: ScheduleMeters
  let sliceFrames: Int
  let sampleRate: Double
  /// The held notes of each MIDI edge; they outlive the schedule.
  let edges: UnsafeMutablePointer<HeldKeys>
  /// The delay lines and queues; they outlive the schedule.
  let lines: UnsafeMutablePointer<AlignmentDelay>
  let queues: UnsafeMutablePointer<DelayedEvents>
  /// Whether the port MIDI of a unit is delayed.
  let hasDelayedPorts: Bool
  let chains: UnsafeMutablePointer<SourceChain>
  let chainCount: Int
  let crossings: UnsafeMutablePointer<EventCrossing>
  let crossingCount: Int
  var team: BranchTeam
  /// The first step of the first branch, and the end of the last one's steps; the step count if
  /// there are no branches.
  let firstBranchStep: Int
  let branchStepEnd: Int
  /// The frame of the delays' changes, and the frame from which nothing fades.
  let turn: Int
  let fadeEnd: Int
  /// The number of rendered frames, no more than `fadeEnd`.
  var position = 0
  /// Whether all fades have ended and removed connections are released.
  let settled: UnsafeMutablePointer<Atomic<Bool>>

  init(
    units: [HostedUnit], bindings: [[BufferReference]], steps: [ScheduleStep], poolCount: Int,
    edges: [HeldKeys], delays: ScheduleDelays, chains: ScheduleChains,
    branches: ScheduleBranches, helper: RenderHelper?, externalInputs: Int, externalOutputs: Int,
    sliceFrames: Int, sampleRate: Double
  ) {
    precondition(units.count == bindings.count, "every unit has its bindings")
    precondition(sliceFrames > 0, "units render at least one frame in a call")
    self.units = .allocate(capacity: max(units.count, 1))
    unitCount = units.count
    let allBindings = bindings.flatMap { $0 }
    self.bindings = .allocate(capacity: max(allBindings.count, 1))
    self.bindings.initialize(from: allBindings, count: allBindings.count)
    let pulling = Set(steps.filter { $0.kind == .pull }.map(\.unit))
    var first = 0
    for (index, unit) in units.enumerated() {
      let crossing = chains.crossings.firstIndex {
        $0.unit == index && $0.chain >= 0 && $0.outer < 0
      }
      let entry = crossing.map { chains.crossings[$0].incoming } ?? unit.events
      (self.units + index).initialize(
        to: ScheduledUnit(
          hosted: unit, firstBinding: first,
          firstOutputBinding: first + unit.inputChannels.reduce(0, +),
          bindingsEnd: first + bindings[index].count, pulls: pulling.contains(Int32(index)),
          portMIDI: delays.portMIDI[index] ?? entry,
          portMIDIWaits: delays.portMIDI[index] != nil, outerCrossing: crossing ?? -1))
      first += bindings[index].count
    }
    self.steps = .allocate(capacity: max(steps.count, 1))
    self.steps.initialize(from: steps, count: steps.count)
    stepCount = steps.count
    turn = steps.filter { $0.frames != $0.formerFrames }.map { Int($0.start) }.max() ?? 0
    fadeEnd = Fade.frames + (steps.map { Int($0.start) }.max() ?? 0)
    self.poolCount = poolCount
    let samples = (1 + poolCount + externalOutputs) * sliceFrames
    memory = .allocate(capacity: samples)
    memory.initialize(repeating: 0, count: samples)
    self.externalInputs = .allocate(capacity: max(externalInputs, 1))
    self.externalInputs.initialize(repeating: nil, count: max(externalInputs, 1))
    self.externalOutputs = .allocate(capacity: max(externalOutputs, 1))
    self.externalOutputs.initialize(repeating: nil, count: max(externalOutputs, 1))
    meters = ScheduleMeters(channels: bindings.map(\.count))
    self.sliceFrames = sliceFrames
    self.sampleRate = sampleRate
    self.edges = .allocate(capacity: max(edges.count, 1))
    self.edges.initialize(from: edges, count: edges.count)
    lines = .allocate(capacity: max(delays.lines.count, 1))
    lines.initialize(from: delays.lines, count: delays.lines.count)
    queues = .allocate(capacity: max(delays.queues.count, 1))
    queues.initialize(from: delays.queues, count: delays.queues.count)
    hasDelayedPorts = !delays.portMIDI.isEmpty
    self.chains = .allocate(capacity: max(chains.clocks.count, 1))
    chainCount = chains.clocks.count
    for index in chains.clocks.indices {
      let before = UnsafeMutablePointer<Int32>.allocate(capacity: sliceFrames)
      before.initialize(repeating: 0, count: sliceFrames)
      (self.chains + index).initialize(
        to: SourceChain(
          clock: chains.clocks[index], parent: chains.parents[index], before: before,
          fadeEnd: fadeEnd))
    }
    crossings = .allocate(capacity: max(chains.crossings.count, 1))
    crossings.initialize(from: chains.crossings, count: chains.crossings.count)
    crossingCount = chains.crossings.count
    team = BranchTeam(branches, branches.steps.isEmpty ? nil : helper?.helperState())
    firstBranchStep = branches.steps.first?.lowerBound ?? steps.count
    branchStepEnd = branches.steps.last?.upperBound ?? steps.count
    settled = .allocate(capacity: 1)
    settled.initialize(to: Atomic(false))
  }

  func deallocate() {
    units.deallocate()
    bindings.deallocate()
    steps.deallocate()
    memory.deallocate()
    externalInputs.deallocate()
    externalOutputs.deallocate()
    edges.deallocate()
    lines.deallocate()
    queues.deallocate()
    meters.deallocate()
    for index in 0..<chainCount { chains[index].before.deallocate() }
    chains.deallocate()
    crossings.deallocate()
    team.deallocate()
    settled.deinitialize(count: 1)
    settled.deallocate()
  }

  /// Returns a buffer's samples for the slice that starts `offset` frames into the cycle.
  @_noLocks @_noAllocation
  func samples(_ reference: BufferReference, offset: Int) -> UnsafeMutablePointer<Float> {
    switch reference.space {
    case .silence:
      return memory
    case .pool:
      return memory + (1 &+ Int(reference.index)) &* sliceFrames
    case .externalInput:
      if let samples = externalInputs[Int(reference.index)] { return samples + offset }
      return memory
    case .externalOutput:
      if let samples = externalOutputs[Int(reference.index)] { return samples + offset }
      return memory + (1 &+ poolCount &+ Int(reference.index)) &* sliceFrames
    }
  }
}
