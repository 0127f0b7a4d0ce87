// A unit on the render thread: its call, its event list, and the checks that protect the graph from
// it.

import Realtime

/// The parts of a hosted unit.
struct HostedUnitState: BitwiseCopyable {
  let unit: UnitRenderHandle
  let region: RenderCallRegion
  let events: RenderEventList
  let midiOutput: RenderEventList
  let maximumFrames: Int
  /// The sample rate in hertz.
  let sampleRate: Double
  /// The fades of a bypass; nil if the unit handles bypass itself.
  let bypass: BypassFade?
  /// Whether the unit is wholly heard or wholly bypassed, and which.
  var isResting = false
  var isBypassed = false
  /// Whether this cycle began with a requested reset.
  var wasReset = false
  /// Whether the input of the next call has been requested, and how many frames are still to
  /// arrive.
  var isDemanded = false
  var demandedFrames = 0
}

/// The render-side parts of an `AudioUnit` that a host needs.
public struct UnitRenderHandle: @unchecked Sendable, BitwiseCopyable {
  public let render: RenderFunction
  public let reset: ResetFunction
  public let context: UnsafeMutableRawPointer
  let handlesBypass: Bool
  let timeEffect: TimeEffectRender?
  public let inlet: EventInletReader
  public let switches: UnitSwitches

  public init(_ internalRender: InternalRender, inlet: EventInletReader, switches: UnitSwitches) {
    render = internalRender.render
    reset = internalRender.reset
    context = internalRender.context
    handlesBypass = internalRender.handlesBypass
    timeEffect = internalRender.timeEffect
    self.inlet = inlet
    self.switches = switches
  }
}

/// Renders one unit: merges its events, calls it, and lets neither an error nor NaN out.
/// Counterpart of `AUAudioUnit.renderBlock`, which wraps a unit's `internalRenderBlock`.
///
/// A cycle is `beginCycle`, then MIDI inserted into `events`, then one or more consecutive `render`
/// calls, then `endCycle`. The value is a handle: copies name the same unit.
public struct HostedUnit: @unchecked Sendable, BitwiseCopyable {
  let state: UnsafeMutablePointer<HostedUnitState>

  /// - Parameters:
  ///   - inputChannels: the channel count of each input bus.
  ///   - outputChannels: the channel count of each output bus.
  ///   - maximumFrames: the unit's `maximumFramesToRender`.
  ///   - sampleRate: in hertz.
  ///   - midiEvents: the most MIDI events of a cycle, besides those of the control side; the unit
  ///     may send as many as both together.
  ///   - midiBytes: the most bytes of SysEx of a cycle, besides those of the control side.
  /// - Thread: [control], after the unit's resources were allocated.
  public init(
    _ unit: UnitRenderHandle, inputChannels: [Int], outputChannels: [Int], maximumFrames: Int,
    sampleRate: Double = 48_000, midiEvents: Int = 4096, midiBytes: Int = 65536
  ) {
    self.init(
      unit, inputChannels: inputChannels, outputChannels: outputChannels,
      maximumFrames: maximumFrames, sampleRate: sampleRate, midiEvents: midiEvents,
      midiBytes: midiBytes, bypass: nil, isFirst: true)
  }

  /// Creates a host for a unit that may have latency.
  ///
  /// - Parameters:
  ///   - bypass: the delay of its bypassed input; the memory outlives the host.
  ///   - isFirst: whether the unit has not been rendered since its resources were allocated.
  /// - Thread: [control]
  package init(
    _ unit: UnitRenderHandle, inputChannels: [Int], outputChannels: [Int], maximumFrames: Int,
    sampleRate: Double, midiEvents: Int, midiBytes: Int, bypass: DelayedBypass?, isFirst: Bool
  ) {
    let eventCapacity = unit.inlet.ring.capacity + midiEvents
    let payloadCapacity = unit.inlet.payloadCapacity + midiBytes
    state = .allocate(capacity: 1)
    state.initialize(
      to: HostedUnitState(
        unit: unit,
        region: .allocate(
          inputChannels: inputChannels, outputChannels: outputChannels),
        events: .allocate(events: eventCapacity, payload: payloadCapacity),
        // A unit can always forward all its input: a note-off without room would leave a hanging
        // note.
        midiOutput: .allocate(events: eventCapacity, payload: payloadCapacity),
        maximumFrames: maximumFrames, sampleRate: sampleRate,
        bypass: unit.handlesBypass || outputChannels.allSatisfy { $0 == 0 }
          ? nil
          : BypassFade(
            delay: bypass, switches: unit.switches, inputChannels: inputChannels,
            outputChannels: outputChannels, maximumFrames: maximumFrames,
            sampleRate: sampleRate)))
    if isFirst { unit.switches.bypassPosition = BypassFade.notRendered }
    state.pointee.region.setEvents(state.pointee.events)
    state.pointee.region.setMIDIOutput(state.pointee.midiOutput)
  }

  /// - Thread: [control], once the render side is gone; before the unit's resources are
  ///   deallocated.
  public func deallocate() {
    state.pointee.region.deallocate()
    state.pointee.events.deallocate()
    state.pointee.midiOutput.deallocate()
    state.pointee.bypass?.deallocate()
    state.deallocate()
  }

  /// The cycle's events. MIDI from outside is inserted here between `beginCycle` and `render`.
  public var events: RenderEventList { @_noLocks @_noAllocation get { state.pointee.events } }

  /// The MIDI that the unit sent in this cycle.
  public var midiOutput: RenderEventList {
    @_noLocks @_noAllocation get { state.pointee.midiOutput }
  }

  /// Whether this cycle began with a requested reset; pending input of the unit must not sound any
  /// more.
  package var wasReset: Bool { @_noLocks @_noAllocation get { state.pointee.wasReset } }

  /// The call whose buffers must be set before `render`.
  public var call: RenderCallView { @_noLocks @_noAllocation get { state.pointee.region.view } }

  /// The number of channels of each input bus.
  /// - Thread: [control]
  public var inputChannels: [Int] {
    (0..<Int(call.call.pointee.inputBusCount)).map { call.input($0).channelCount }
  }

  /// The number of channels of each output bus.
  /// - Thread: [control]
  public var outputChannels: [Int] {
    (0..<Int(call.call.pointee.outputBusCount)).map { call.output($0).channelCount }
  }

  public var switches: UnitSwitches {
    @_noLocks @_noAllocation get { state.pointee.unit.switches }
  }

  /// Empties the lists and fetches the control side's events for the frames of the cycle.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func beginCycle(at frame: FrameTime, frameCount: Int) {
    beginCycle(at: frame, frameCount: frameCount, into: state.pointee.events)
  }

  /// Begins a cycle with the control side's events merged into another list, where they wait for a
  /// chain with its own frames.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func beginCycle(at frame: FrameTime, frameCount: Int, into list: RenderEventList) {
    state.pointee.events.removeAll()
    state.pointee.midiOutput.removeAll()
    state.pointee.wasReset = switches.takeResetRequest(at: frame)
    if wasReset {
      callReset(state.pointee.unit.reset, state.pointee.unit.context)
      state.pointee.bypass?.delay?.clear()
    }
    let late = state.pointee.unit.inlet.merge(
      into: list, from: frame, to: frame &+ FrameTime(frameCount))
    if late > 0 { switches.count(.lateEvents, late) }
  }

  /// Renders the next frames of the cycle. Outputs with memory are always written. A unit that
  /// fails, or makes NaN or infinity, is silenced, reset and counted.
  /// - Returns: the unit's status.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func render(
    at frame: FrameTime, frameCount: Int, hostNanoseconds: UInt64 = 0,
    context: MusicalContext = MusicalContext()
  ) -> Int32 {
    render(
      at: frame, frameCount: frameCount, hostNanoseconds: hostNanoseconds, context: context,
      sessionFrame: frame)
  }

  /// Renders in a chain whose frames differ from the session's.
  ///
  /// - Parameter sessionFrame: the session's frame, by which a bypass begins and ends.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package func render(
    at frame: FrameTime, frameCount: Int, hostNanoseconds: UInt64, context: MusicalContext,
    sessionFrame: FrameTime
  ) -> Int32 {
    let unit = state.pointee.unit
    var status = RenderStatus.tooManyFrames
    if !hasWhatItNeeds() {
      status = RenderStatus.noConnection
    } else if unit.timeEffect != nil {
      status = callRender(unit.render, unit.context, call.call)
      if events.header.pointee.bypassCount > 0 {
        takeBypasses(before: frame &+ FrameTime(frameCount))
      }
    } else if frameCount <= state.pointee.maximumFrames {
      let isAsked = switches.takeBypassRequest(at: sessionFrame)
      if isAsked || !state.pointee.isResting || events.header.pointee.bypassCount > 0 {
        status = renderParts(
          at: frame, frameCount: frameCount, hostNanoseconds: hostNanoseconds, context: context)
      } else {
        prepareCall(
          at: frame, frameCount: frameCount, hostNanoseconds: hostNanoseconds, context: context)
        status = renderResting(frameCount)
      }
    }
    state.pointee.isDemanded = false
    if status != RenderStatus.ok {
      // The outputs may still be the unit's own memory, which has no more frames than this.
      silence(min(frameCount, state.pointee.maximumFrames))
      switches.count(.failedCycles)
      callReset(unit.reset, unit.context)
    } else if hasNonFiniteOutput(frameCount) {
      silence(frameCount)
      switches.count(.nonFiniteCycles)
      callReset(unit.reset, unit.context)
    }
    state.pointee.events.removeEvents(before: frame &+ FrameTime(frameCount))
    return status
  }

  /// Fills in the next call; the caller adds `kRenderCallBypass`.
  @_noLocks @_noAllocation @inline(never)
  func prepareCall(
    at frame: FrameTime, frameCount: Int, hostNanoseconds: UInt64, context: MusicalContext
  ) {
    let pointer = call.call
    pointer.pointee.frame = frame
    pointer.pointee.frameCount = UInt32(truncatingIfNeeded: frameCount)
    pointer.pointee.hostNanoseconds = hostNanoseconds
    pointer.pointee.musicalContext = context
    pointer.pointee.flags = switches.isOffline ? UInt32(kRenderCallOffline) : 0
  }

  /// Counts the events that did not fit into the lists.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func endCycle() {
    let dropped =
      events.header.pointee.droppedCount &+ midiOutput.header.pointee.droppedCount
    if dropped > 0 { switches.count(.droppedEvents, Int(dropped)) }
  }

  @_noLocks @_noAllocation
  private func silence(_ frameCount: Int) {
    var bus = 0
    while bus < Int(call.call.pointee.outputBusCount) {
      let buffers = call.output(bus)
      var channel = 0
      while channel < buffers.channelCount {
        if let samples = buffers[channel] { Samples.clear(samples, count: frameCount) }
        channel &+= 1
      }
      bus &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func hasNonFiniteOutput(_ frameCount: Int) -> Bool {
    var bus = 0
    while bus < Int(call.call.pointee.outputBusCount) {
      let buffers = call.output(bus)
      var channel = 0
      while channel < buffers.channelCount {
        if let samples = buffers[channel],
          Samples.containsNonFinite(samples, count: frameCount)
        {
          return true
        }
        channel &+= 1
      }
      bus &+= 1
    }
    return false
  }
}
