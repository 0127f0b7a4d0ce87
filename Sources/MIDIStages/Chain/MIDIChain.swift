// A chain of MIDI stages: the events of a render call in, the events to play out.

import Realtime
import UnitRender

/// Stages in a fixed order.
///
/// Each stage turns a sorted list into a sorted list; events of one frame keep their order. A
/// parameter event addressed to a stage takes effect for the MIDI behind it, at once also if it is
/// a ramp, and passes on, so that its value can be published. What a stage has no business with
/// passes unchanged. Stages that make several events of one, or events of their own, take the room
/// for them in the list; the list counts what it had no room for.
///
/// Musical time comes from the call's context (see `MusicalClock`); stages behind a clock stage
/// have that one's.
///
/// The value is a handle: copies name the same chain.
public struct MIDIChain: @unchecked Sendable, BitwiseCopyable {
  let places: UnsafeMutablePointer<StageSlot>
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
  ///   - firstValues: for each stage the place of its first parameter among the values that the
  ///     chain publishes to; without, the parameters of all stages follow each other.
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
    places = .allocate(capacity: max(count, 1))
    clock = .allocate(capacity: 1)
    clock.initialize(to: MusicalClock(lines: .allocate(), epoch: 0))
    var firstParameter = 0
    for (index, stage) in layout.stages.enumerated() {
      (places + index).initialize(
        to: StageSlot(
          stage.kind, at: index, firstParameter: firstValues?[index] ?? firstParameter, targets,
          sampleRate: sampleRate))
      firstParameter += places[index].parameterCount
    }
    runs = .allocate(capacity: max(count, 1))
    runCount = MIDIStageRun.initialize(runs, of: places, count: count, addresses)
    costs = MIDIChainCosts()
  }

  /// - Thread: [control], once nobody uses the chain any more.
  public func deallocate() {
    for index in 0..<count { places[index].deallocate() }
    places.deallocate()
    runs.deallocate()
    addresses.deallocate()
    costs.deallocate()
    targets.deallocate()
    clock.pointee.deallocate()
    clock.deallocate()
  }

  /// Sends the events of a call through the chain. They are changed where they are, so that there
  /// is room for as many as a call can bring.
  /// - Parameters:
  ///   - events: what comes out of the chain takes their place. Events after the call's last frame
  ///     belong to a later call, and stay as they are.
  ///   - call: calls follow each other without gaps, or notes that a stage has begun end late.
  /// - Thread: [render]. - Complexity: O(events · stages that they concern)
  @_noLocks @_noAllocation
  public func process(_ events: RenderEventList, during call: MIDIChainCall) {
    process(events, during: call, held: nil, sounding: nil)
  }

  /// Sends the events of a call through the chain, and counts on their way what comes in and goes
  /// out.
  /// - Parameters:
  ///   - held: takes in what comes.
  ///   - sounding: takes in what goes out.
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

  /// What an event of a kind costs, in the units of `MIDIChainCosts`.
  @_noLocks @_noAllocation
  func cost(of kind: MessageKind) -> Int {
    if case .other = kind { return MIDIChainCosts.parameter }
    return costs[kind]
  }

  /// How many messages come of one of a kind at most.
  @_noLocks @_noAllocation
  func copies(of kind: MessageKind) -> Int { costs.copies(of: kind) }

  /// Has `cost(of:)` follow from the settings that the stages have now.
  @_noLocks @_noAllocation
  func updateCosts() { costs.update(places, count: count) }

  /// Whether an event is of a parameter of one of the stages.
  @_noLocks @_noAllocation
  func hasParameter(of event: UnsafeMutablePointer<RenderEvent>) -> Bool {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: addresses.place(of: event.pointee.address) >= 0
    default: false
    }
  }

  /// Counts what passes a chain without stages.
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

  /// Sets a stage's parameter; false when no stage has the address.
  /// - Thread: [control] before rendering starts, then [render]
  @_noLocks @_noAllocation
  public func setParameter(address: UInt64, to value: Float) -> Bool {
    let place = addresses.place(of: address)
    if place < 0 { return false }
    places[place].setParameter(address: address, to: value)
    return true
  }

  /// Lets all MIDI pass around the stages, or no longer, as if each was bypassed.
  /// - Thread: [control] before rendering starts, then [render].
  /// - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func setBypassed(_ isBypassed: Bool) {
    var index = 0
    while index < count {
      places[index].setUnit(isBypassed: isBypassed)
      index &+= 1
    }
  }

  /// The place of a parameter among the values that the chain publishes to: those of a stage in the
  /// order of their addresses, its bypass last; nil when no stage has the address.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public func parameterIndex(ofAddress address: UInt64) -> Int? {
    let place = addresses.place(of: address)
    if place < 0 { return nil }
    let parameter = Int(truncatingIfNeeded: address & 0xFF)
    let stageCount = places[place].traits.parameterCount
    if parameter < stageCount { return Int(places[place].firstParameter) + parameter }
    if parameter != MIDIChainLayout.Stage.bypassIndex { return nil }
    return Int(places[place].firstParameter) + stageCount
  }

  /// Publishes the value of a parameter event that has come out of the chain; one that belongs to
  /// no stage, or is no number, is left alone.
  /// - Parameters:
  ///   - values: those of the unit's parameters.
  ///   - first: the place of the chain's first parameter among them.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func publish(_ event: RenderEvent, to values: ParameterValues, from first: Int) {
    if event.value != event.value { return }
    if let index = parameterIndex(ofAddress: event.address) { values[first + index] = event.value }
  }

  /// Publishes what stages find by themselves, such as the chord that is held.
  /// - Parameters:
  ///   - values: those of the unit's parameters.
  ///   - first: the place of the chain's first parameter among them.
  /// - Thread: [render], at the end of a call. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func publishReadings(to values: ParameterValues, from first: Int) {
    var index = 0
    while index < count {
      places[index].stage.publish(to: values, from: first + Int(places[index].firstParameter))
      index &+= 1
    }
  }

  /// Forgets what is held; settings stay.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func reset() {
    clock.pointee.reset()
    var index = 0
    while index < count {
      places[index].reset()
      index &+= 1
    }
  }
}
