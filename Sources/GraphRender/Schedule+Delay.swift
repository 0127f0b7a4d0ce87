// Delaying events to match delayed audio.

import Realtime
import UnitRender

extension Schedule {
  /// Empties the port MIDI lists of units with delayed ports.
  @_noLocks @_noAllocation
  func clearPortMIDI() {
    var index = 0
    while index < storage.pointee.unitCount {
      let unit = storage.pointee.units + index
      if unit.pointee.portMIDIWaits { unit.pointee.portMIDI.removeAll() }
      index &+= 1
    }
  }

  /// Whether a step of a removed connection still has delayed events to send.
  @_noLocks @_noAllocation
  func hasToEmpty(_ step: ScheduleStep) -> Bool {
    switch step.kind {
    case .delayMIDI, .delayParameters, .delayPortMIDI:
      step.frames == 0 && !storage.pointee.queues[Int(step.delay)].isEmpty
    default: false
    }
  }

  /// Queues the events of a step from this slice, and sends those that are due.
  @_noLocks @_noAllocation
  func delayEvents(
    _ step: ScheduleStep, _ cycle: RenderCycle, chain: Int, offset: Int, frameCount: Int
  ) {
    let isPort: Bool
    if case .delayPortMIDI = step.kind { isPort = true } else { isPort = false }
    let isParameters: Bool
    if case .delayParameters = step.kind { isParameters = true } else { isParameters = false }
    let unit = storage.pointee.units + Int(isPort ? step.other : step.unit)
    let source = isPort ? unit.pointee.portMIDI : unit.pointee.hosted.midiOutput
    let delay = Delay(
      queue: storage.pointee.queues[Int(step.delay)],
      destination: storage.pointee.units[Int(step.other)].hosted,
      list: events(of: Int(step.other), from: chain), held: held(of: step),
      frames: FrameTime(step.wait(at: fadePosition(chain, offset))),
      first: cycle.frame &+ FrameTime(offset))
    if offset == 0 && delay.destination.wasReset { delay.forgetNotes() }
    // The list holds the MIDI of the whole cycle and is read in the first slice.
    let oldCount = isPort ? (offset == 0 ? 0 : source.count) : unit.pointee.sentBeforeSlice
    let last = cycle.frame &+ FrameTime(cycle.frameCount &- 1)
    var next = oldCount < source.count ? source.first : nil
    while let event = next {
      next = source.next(after: event)
      if event - source.events < oldCount { continue }
      let isMeant =
        isParameters
        ? event.pointee.isControl
          && event.pointee.target == UInt32(truncatingIfNeeded: step.edge)
        : isPort || !event.pointee.isControl
      if !isMeant { continue }
      delay.take(event, of: source, at: max(delay.first, min(event.pointee.frame, last)))
    }
    delay.handOn(before: cycle.frame &+ FrameTime(offset &+ frameCount))
  }

  @_noLocks @_noAllocation
  private func held(of step: ScheduleStep) -> HeldKeys? {
    if case .delayMIDI = step.kind { return storage.pointee.edges[Int(step.edge)] }
    return nil
  }
}

/// A delayed connection in one slice.
private struct Delay: BitwiseCopyable {
  let queue: DelayedEvents
  let destination: HostedUnit
  /// The destination's list of events from this chain.
  let list: RenderEventList
  /// Tracks the held notes of an edge; nil for events that nothing has to release.
  let held: HeldKeys?
  let frames: FrameTime
  /// The first frame of the slice.
  let first: FrameTime

  /// Queues an event. If the queue is full, the oldest events are sent early.
  @_noLocks @_noAllocation
  func take(
    _ event: UnsafeMutablePointer<RenderEvent>, of source: RenderEventList, at frame: FrameTime
  ) {
    while !queue.hasRoom(for: event) {
      destination.switches.count(.earlyEvents)
      if queue.isEmpty {
        // Larger than the whole queue: it cannot wait.
        let isIn = list.insertCopy(of: event, from: source, at: first)
        if isIn { note(event) }
        return
      }
      if !handOnFirst(at: first) {
        // The unit has no room either; its list counts the refused event.
        _ = list.insertCopy(of: event, from: source, at: first)
        return
      }
    }
    queue.append(event, of: source, at: frame)
  }

  /// Drops delayed note-ons for a unit that was reset, and sends all other delayed events at once.
  @_noLocks @_noAllocation
  func forgetNotes() {
    while let event = queue.first {
      if case .midi? = event.pointee.eventKind, event.pointee.message.status & 0xF0 == 0x90,
        event.pointee.message.value > 0
      {
        queue.forgetFirst()
      } else if !handOnFirst(at: first) {
        return
      }
    }
  }

  /// Sends the events due before `end`; those that the unit has no room for stay queued.
  @_noLocks @_noAllocation
  func handOn(before end: FrameTime) {
    while let event = queue.first {
      let frame = event.pointee.frame &+ frames
      if frame >= end || !handOnFirst(at: max(first, frame)) { return }
    }
  }

  @_noLocks @_noAllocation
  private func handOnFirst(at frame: FrameTime) -> Bool {
    guard let event = queue.first else { return false }
    if !queue.giveFirst(to: list, at: frame) { return false }
    // The event's memory stays valid until the next one is queued.
    note(event)
    return true
  }

  @_noLocks @_noAllocation
  private func note(_ event: UnsafeMutablePointer<RenderEvent>) {
    if let held, case .midi? = event.pointee.eventKind { held.take(event.pointee.message) }
  }
}
