// A chain of MIDI stages: turns the events of a render call into the events to play.

import Realtime
import UnitRender

/// Stages in a fixed order.
///
/// Each stage turns a sorted list into a sorted list; events of one frame keep their order. A
/// parameter event addressed to a stage takes effect for the MIDI after it, at once even if it is a
/// ramp. The event passes on, so that its value can be published. Messages that do not concern a
/// stage pass unchanged. Additional events take room in the list, which counts those refused.
///
/// Musical time comes from the call's context (see `MusicalClock`). Stages downstream of a clock
/// stage use that stage's time.
///
/// The value is a handle: copies name the same chain.
public struct MIDIChain: @unchecked Sendable, BitwiseCopyable {
  let slots: UnsafeMutablePointer<StageSlot>
  let runs: UnsafeMutablePointer<MIDIStageRun>
  let runCount: Int
  private let addresses: MIDIStageAddresses
  private let targets: MIDITargets
  private let clock: UnsafeMutablePointer<MusicalClock>
  private let costs: MIDIChainCosts
  /// The number of stages.
  public let count: Int

  /// - Parameters:
  ///   - targets: the parameters of the unit, its own and those of the stages, that stages may
  ///     move.
  ///   - sampleRate: in hertz, above 0.
  ///   - firstValues: for each stage the index of its first parameter among the values that the
  ///     chain publishes to; nil if the parameters of all stages follow each other.
  /// - Thread: [control]
  public static func allocate(
    _ layout: MIDIChainLayout, targets: [MIDIChainTarget] = [], sampleRate: Double = 48_000,
    firstValues: [Int]? = nil
  ) -> MIDIChain {
    MIDIChain(layout, .allocate(targets, layout), sampleRate, firstValues)
  }

  private init(
    _ layout: MIDIChainLayout, _ targets: MIDITargets, _ sampleRate: Double, _ firstValues: [Int]?
  ) {
    precondition(MemoryLayout<RenderEvent>.offset(of: \.bytes) == ShortMessage.offset)
    self.targets = targets
    count = layout.stages.count
    addresses = .allocate(layout)
    slots = .allocate(capacity: max(count, 1))
    clock = .allocate(capacity: 1)
    clock.initialize(to: MusicalClock(lines: .allocate(), epoch: 0))
    var firstParameter = 0
    for (index, stage) in layout.stages.enumerated() {
      (slots + index).initialize(
        to: StageSlot(
          stage.kind, at: index, firstParameter: firstValues?[index] ?? firstParameter, targets,
          sampleRate: sampleRate))
      firstParameter += slots[index].parameterCount
    }
    runs = .allocate(capacity: max(count, 1))
    runCount = MIDIStageRun.initialize(runs, of: slots, count: count, addresses)
    costs = MIDIChainCosts()
  }

  /// - Thread: [control], after the last use of the chain.
  public func deallocate() {
    for index in 0..<count { slots[index].deallocate() }
    slots.deallocate()
    runs.deallocate()
    addresses.deallocate()
    costs.deallocate()
    targets.deallocate()
    clock.pointee.deallocate()
    clock.deallocate()
  }

  /// Sends the events of a call through the chain. The list is changed in place, so that it has
  /// room for as many events as a call can bring.
  /// - Parameters:
  ///   - events: the chain's output replaces its input. Events after the call's last frame belong
  ///     to a later call and stay unchanged.
  ///   - call: calls must follow each other without gaps, or notes that a stage has begun end late.
  /// - Thread: [render]. - Complexity: O(events · stages that they concern)
  @_noLocks @_noAllocation
  public func process(_ events: RenderEventList, during call: MIDIChainCall) {
    process(events, during: call, held: nil, sounding: nil)
  }

  /// Sends the events of a call through the chain, and counts its input and output.
  /// - Parameters:
  ///   - held: takes in the input.
  ///   - sounding: takes in the output.
  @_noLocks @_noAllocation
  func process(
    _ events: RenderEventList, during call: MIDIChainCall, held: UnsafeMutablePointer<NoteLedger>?,
    sounding: NoteSink?
  ) {
    clock.pointee.begin(call)
    var lines = clock.pointee.lines
    var index = 0
    while index < runCount {
      lines = runs[index].process(
        events, during: call, lines, held: index == 0 ? held : nil,
        sounding: index == runCount - 1 ? sounding : nil)
      index &+= 1
    }
    if runCount == 0, let held, let sounding {
      Self.pass(events, before: call.end, held, sounding)
    }
    clock.pointee.advance(to: call.end)
  }

  /// The cost of an event of a kind, in the units of `MIDIChainCosts`.
  @_noLocks @_noAllocation
  func cost(of kind: MessageKind) -> Int {
    if case .other = kind { return MIDIChainCosts.parameter }
    return costs[kind]
  }

  /// The maximum number of messages made from one of a kind.
  @_noLocks @_noAllocation
  func copies(of kind: MessageKind) -> Int { costs.copies(of: kind) }

  /// Updates `cost(of:)` and `copies(of:)` from the stages' current settings.
  @_noLocks @_noAllocation
  func updateCosts() { costs.update(slots, count: count) }

  /// Whether an event sets a parameter of one of the stages.
  @_noLocks @_noAllocation
  func hasParameter(of event: UnsafeMutablePointer<RenderEvent>) -> Bool {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: addresses.stageIndex(of: event.pointee.address) >= 0
    default: false
    }
  }

  /// Counts the events that pass a chain without stages.
  @_noLocks @_noAllocation
  private static func pass(
    _ events: RenderEventList, before end: FrameTime, _ held: UnsafeMutablePointer<NoteLedger>,
    _ sounding: NoteSink
  ) {
    var previous: UnsafeMutablePointer<RenderEvent>?
    while let event = events.next(behind: previous), event.pointee.frame < end {
      held.pointee.takeMarking(event)
      previous = sounding.send(event, behind: previous, in: events)
    }
  }

  /// Sets a stage's parameter; false if no stage has the address.
  /// - Thread: [control] before rendering starts, then [render]
  @_noLocks @_noAllocation
  public func setParameter(address: UInt64, to value: Float) -> Bool {
    let stage = addresses.stageIndex(of: address)
    if stage < 0 { return false }
    slots[stage].setParameter(address: address, to: value)
    return true
  }

  /// Sets whether all MIDI passes around the stages, as if each was bypassed.
  /// - Thread: [control] before rendering starts, then [render].
  /// - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func setBypassed(_ isBypassed: Bool) {
    var index = 0
    while index < count {
      slots[index].setUnit(isBypassed: isBypassed)
      index &+= 1
    }
  }

  /// The index of a parameter among the values that the chain publishes to; nil if no stage has the
  /// address. A stage's parameters are in the order of their addresses, its bypass last.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public func parameterIndex(ofAddress address: UInt64) -> Int? {
    let stage = addresses.stageIndex(of: address)
    if stage < 0 { return nil }
    let parameter = Int(truncatingIfNeeded: address & 0xFF)
    let stageCount = slots[stage].traits.parameterCount
    if parameter < stageCount { return Int(slots[stage].firstParameter) + parameter }
    if parameter != MIDIChainLayout.Stage.bypassIndex { return nil }
    return Int(slots[stage].firstParameter) + stageCount
  }

  /// Publishes the value of a parameter event of the chain's output. Ignores NaN, and parameters of
  /// no stage.
  /// - Parameters:
  ///   - values: the values of the unit's parameters.
  ///   - first: the index of the chain's first parameter among them.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func publish(_ event: RenderEvent, to values: ParameterValues, from first: Int) {
    if event.value != event.value { return }
    if let index = parameterIndex(ofAddress: event.address) { values[first + index] = event.value }
  }

  /// Publishes values that stages determine, such as the held chord.
  /// - Parameters:
  ///   - values: the values of the unit's parameters.
  ///   - first: the index of the chain's first parameter among them.
  /// - Thread: [render], at the end of a call. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func publishReadings(to values: ParameterValues, from first: Int) {
    var index = 0
    while index < count {
      slots[index].stage.publish(to: values, from: first + Int(slots[index].firstParameter))
      index &+= 1
    }
  }

  /// Clears the state from MIDI, such as held notes; settings stay.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func reset() {
    clock.pointee.reset()
    var index = 0
    while index < count {
      slots[index].reset()
      index &+= 1
    }
  }
}
