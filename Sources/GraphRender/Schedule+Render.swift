// Executing a schedule.

import Realtime
import Synchronization
import UnitRender

extension Schedule {
  /// Begins a cycle: every unit fetches the events from its control side.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func begin(_ cycle: RenderCycle) {
    beginCrossings()
    let transport = cycle.musicalContext.transportFlags
    let hasStarted =
      transport & UInt32(kTransportChanged) != 0 && transport & UInt32(kTransportMoving) != 0
    let startsAnew = hasStarted || transport & UInt32(kTransportJumped) != 0
    var index = 0
    while index < storage.pointee.unitCount {
      let unit = storage.pointee.units + index
      unit.pointee.eventsAfterSlice = 0
      if startsAnew && unit.pointee.hosted.switches.resetsWithTransport {
        unit.pointee.hosted.switches.requestReset()
      }
      if unit.pointee.outerCrossing >= 0 {
        unit.pointee.hosted.beginCycle(
          at: cycle.frame, frameCount: cycle.frameCount, into: events(of: index, from: -1))
      } else {
        unit.pointee.hosted.beginCycle(at: cycle.frame, frameCount: cycle.frameCount)
      }
      index &+= 1
    }
    leaveCrossings(cycle)
    if storage.pointee.hasDelayedPorts { clearPortMIDI() }
  }

  /// Renders the cycle, in slices of at most `sliceFrames`. Writes all external outputs with a
  /// source.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func render(_ cycle: RenderCycle) {
    let isMeasured = storage.pointee.meters.isOn && cycle.frameCount > 0
    var time = isMeasured ? Vouched.nanoseconds() : 0
    var offset = 0
    while offset < cycle.frameCount {
      let count = sliceFrames(
        of: cycle.frameCount &- offset, at: storage.pointee.position &+ offset)
      renderSteps(
        from: 0, count: storage.pointee.firstBranchStep, cycle, chain: -1, offset: offset,
        frameCount: count, time: &time)
      if storage.pointee.team.count > 0 {
        renderBranches(cycle, offset: offset, frameCount: count, time: &time)
        let next = storage.pointee.branchStepEnd
        renderSteps(
          from: next, count: storage.pointee.stepCount &- next, cycle, chain: -1, offset: offset,
          frameCount: count, time: &time)
      }
      offset &+= count
    }
    if isMeasured { publishMeasures(cycle.frameCount) }
    if !isSettled { settle(cycle.frameCount) }
  }

  /// Returns the number of frames to render together. Delays change between two slices.
  @_noLocks @_noAllocation
  func sliceFrames(of frameCount: Int, at position: Int) -> Int {
    let count = min(frameCount, storage.pointee.sliceFrames)
    let turn = storage.pointee.turn
    return position < turn ? min(count, turn &- position) : count
  }

  /// Renders a slice of the session, or of a chain.
  ///
  /// - Parameters:
  ///   - chain: the chain's index, -1 for the session.
  ///   - time: when the previous unit had rendered, in nanoseconds; 0 while nothing is measured.
  @_noLocks @_noAllocation
  func renderSteps(
    from first: Int, count: Int, _ cycle: RenderCycle, chain: Int, offset: Int, frameCount: Int,
    time: inout UInt64
  ) {
    var index = first
    while index < first &+ count {
      let step = storage.pointee.steps[index]
      if case .pull = step.kind {
        pull(step, at: index, cycle, offset: offset, frameCount: frameCount, time: &time)
        index &+= Int(step.frames)
      } else {
        if time != 0, case .render = step.kind, !storage.pointee.units[Int(step.unit)].pulls {
          measureInputs(of: Int(step.unit), offset: offset, frameCount: frameCount)
        }
        run(step, cycle, chain: chain, offset: offset, frameCount: frameCount)
        if time != 0, case .render = step.kind {
          time = measure(
            unit: Int(step.unit), since: time, offset: offset, frameCount: frameCount)
        }
      }
      index &+= 1
    }
  }

  /// Advances the fades. Marks the schedule settled once they have ended, removed connections have
  /// released their notes, and their delayed events are sent.
  @_noLocks @_noAllocation
  private func settle(_ frameCount: Int) {
    storage.pointee.position = min(
      storage.pointee.position &+ frameCount, storage.pointee.fadeEnd)
    if storage.pointee.position < storage.pointee.fadeEnd || !chainsAreSettled() { return }
    var index = 0
    while index < storage.pointee.stepCount {
      let step = storage.pointee.steps[index]
      if case .endMIDI = step.kind,
        storage.pointee.edges[Int(step.edge)].nextEnd() != nil
      {
        return
      }
      if hasToEmpty(step) { return }
      index &+= 1
    }
    storage.pointee.settled.pointee.store(true, ordering: .releasing)
  }

  /// Ends a cycle: every unit counts the events it could not take.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func end() {
    var index = 0
    while index < storage.pointee.unitCount {
      storage.pointee.units[index].hosted.endCycle()
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func run(
    _ step: ScheduleStep, _ cycle: RenderCycle, chain: Int, offset: Int, frameCount: Int
  ) {
    switch (step.kind, step.fade) {
    case (.copy, .none):
      Samples.copy(
        storage.pointee.samples(step.source, offset: offset),
        to: storage.pointee.samples(step.destination, offset: offset), count: frameCount)
    case (.add, .none):
      Samples.add(
        storage.pointee.samples(step.source, offset: offset),
        to: storage.pointee.samples(step.destination, offset: offset), count: frameCount)
    case (.copy, _):
      Fade.copy(
        step.fade, storage.pointee.samples(step.source, offset: offset),
        to: storage.pointee.samples(step.destination, offset: offset),
        position: fadePosition(chain, offset) &- Int(step.start), count: frameCount)
    case (.add, _):
      Fade.add(
        step.fade, storage.pointee.samples(step.source, offset: offset),
        to: storage.pointee.samples(step.destination, offset: offset),
        position: fadePosition(chain, offset) &- Int(step.start), count: frameCount)
    case (.transferMIDI, _):
      transfer(
        from: storage.pointee.units[Int(step.unit)],
        to: events(of: Int(step.other), from: chain),
        held: storage.pointee.edges[Int(step.edge)], cycle, offset: offset)
    case (.transferParameters, _):
      transfer(
        from: storage.pointee.units[Int(step.unit)],
        to: events(of: Int(step.other), from: chain),
        target: UInt32(truncatingIfNeeded: step.edge), cycle, offset: offset)
    case (.delay, _):
      if offset == 0 && storage.pointee.units[Int(step.other)].hosted.wasReset {
        storage.pointee.lines[Int(step.delay)].clear()
      }
      storage.pointee.lines[Int(step.delay)].process(
        storage.pointee.samples(step.source, offset: offset),
        to: storage.pointee.samples(step.destination, offset: offset), count: frameCount,
        frames: step.wait(at: fadePosition(chain, offset)))
    case (.delayMIDI, _), (.delayParameters, _), (.delayPortMIDI, _):
      delayEvents(step, cycle, chain: chain, offset: offset, frameCount: frameCount)
    case (.endMIDI, _):
      if step.delay >= 0 { storage.pointee.queues[Int(step.delay)].removeAll() }
      endMIDI(
        storage.pointee.edges[Int(step.edge)],
        at: events(of: Int(step.other), from: chain),
        cycle.frame &+ FrameTime(offset))
    case (.render, _):
      let unit = storage.pointee.units + Int(step.unit)
      unit.pointee.sentBeforeSlice = unit.pointee.hosted.midiOutput.count
      unit.pointee.eventsBeforeSlice = unit.pointee.hosted.events.count
      let tap = unit.pointee.hosted.switches.midiTap
      if let tap {
        recordReceived(
          tap, of: unit.pointee.hosted, cycle, chain: chain, offset: offset,
          frameCount: frameCount)
      }
      renderUnit(unit.pointee, cycle, offset: offset, frameCount: frameCount)
      if let tap = unit.pointee.hosted.switches.audioTap {
        recordAudio(tap, of: unit.pointee.hosted, frameCount: frameCount)
      }
      if let tap {
        recordSent(
          tap, of: unit.pointee.hosted, after: unit.pointee.sentBeforeSlice, cycle, chain: chain,
          offset: offset)
      }
    case (.pull, _):
      // `renderSteps` runs the steps of the chain.
      return
    }
  }

  /// Returns the number of frames since the schedule began, of the session or of a chain, for its
  /// fades.
  @_noLocks @_noAllocation
  func fadePosition(_ chain: Int, _ offset: Int) -> Int {
    chain < 0 ? storage.pointee.position &+ offset : storage.pointee.chains[chain].position
  }

  @_noLocks @_noAllocation
  private func renderUnit(
    _ unit: ScheduledUnit, _ cycle: RenderCycle, offset: Int, frameCount: Int
  ) {
    let call = unit.hosted.call
    var binding = bindInputs(call, from: unit.firstBinding, offset: offset)
    var bus = 0
    while bus < Int(call.call.pointee.outputBusCount) {
      binding = bind(call.output(bus), from: binding, offset: offset)
      bus &+= 1
    }
    // The hosted unit counts a failure, and its outputs are then silent.
    _ = unit.hosted.render(
      at: cycle.frame &+ FrameTime(offset), frameCount: frameCount,
      hostNanoseconds: cycle.hostNanoseconds,
      context: cycle.musicalContext(at: offset, sampleRate: storage.pointee.sampleRate),
      sessionFrame: cycle.sessionFrame(at: offset))
  }

  /// - Returns: the index of the first output binding.
  @_noLocks @_noAllocation
  func bindInputs(_ call: RenderCallView, from first: Int, offset: Int) -> Int {
    var binding = first
    var bus = 0
    while bus < Int(call.call.pointee.inputBusCount) {
      binding = bind(call.input(bus), from: binding, offset: offset)
      bus &+= 1
    }
    return binding
  }

  @_noLocks @_noAllocation
  private func bind(_ buffers: AudioBuffers, from first: Int, offset: Int) -> Int {
    var channel = 0
    while channel < buffers.channelCount {
      buffers[channel] = storage.pointee.samples(
        storage.pointee.bindings[first &+ channel], offset: offset)
      channel &+= 1
    }
    return first &+ channel
  }

  /// Copies events that a unit sent in this slice, in order of arrival. An event before the slice
  /// takes effect at once, an event after the cycle on its last frame.
  ///
  /// - Parameters:
  ///   - target: the `target` of the parameter events to copy; nil for MIDI.
  ///   - held: tracks the held notes of an edge; nil for events that nothing has to release.
  @_noLocks @_noAllocation
  private func transfer(
    from unit: ScheduledUnit, to destination: RenderEventList, target: UInt32? = nil,
    held: HeldKeys? = nil, _ cycle: RenderCycle, offset: Int
  ) {
    let source = unit.hosted.midiOutput
    let first = cycle.frame &+ FrameTime(offset)
    let last = cycle.frame &+ FrameTime(cycle.frameCount &- 1)
    var index = unit.sentBeforeSlice
    while index < source.count {
      let event = source.events + index
      index &+= 1
      let isParameter = event.pointee.isControl
      if let target {
        if !isParameter || event.pointee.target != target { continue }
      } else if isParameter {
        continue
      }
      // A full list counts refused events.
      let isIn = destination.insertCopy(
        of: event, from: source, at: max(first, min(event.pointee.frame, last)))
      if isIn, let held, case .midi? = event.pointee.eventKind { held.take(event.pointee.message) }
    }
  }

  /// Releases the held notes of an edge; the next call continues if the list is full.
  @_noLocks @_noAllocation
  private func endMIDI(_ held: HeldKeys, at list: RenderEventList, _ frame: FrameTime) {
    while let end = held.nextEnd() {
      if !list.insert(.midi(end, at: frame)) { return }
      held.take(end)
    }
  }
}
