// Events that wait for audio that was delayed.

import Realtime
import UnitRender

extension Schedule {
  /// Empties the lists that take MIDI from outside which waits.
  @_noLocks @_noAllocation
  func clearPortMIDI() {
    var index = 0
    while index < storage.pointee.unitCount {
      let unit = storage.pointee.units + index
      if unit.pointee.portMIDIWaits { unit.pointee.portMIDI.removeAll() }
      index &+= 1
    }
  }

  /// Whether a step is there to let go on what waits, and has not done so.
  @_noLocks @_noAllocation
  func hasToEmpty(_ step: ScheduleStep) -> Bool {
    switch step.kind {
    case .delayMIDI, .delayParameters, .delayPortMIDI:
      step.frames == 0 && !storage.pointee.queues[Int(step.delay)].isEmpty
    default: false
    }
  }

  /// Has the events of a step wait that came in this slice, and hands on those whose time has come.
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
    // What came from outside is in the list as a whole, and comes at the first slice.
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

/// A connection whose events wait, in one slice.
private struct Delay: BitwiseCopyable {
  let queue: DelayedEvents
  let destination: HostedUnit
  /// Where that takes events from here.
  let list: RenderEventList
  /// Notes what has begun, if somebody is to end it.
  let held: HeldKeys?
  let frames: FrameTime
  /// The first frame of the slice.
  let first: FrameTime

  /// Has an event wait behind the others; where there is no room, some of these go on early.
  @_noLocks @_noAllocation
  func take(
    _ event: UnsafeMutablePointer<RenderEvent>, of source: RenderEventList, at frame: FrameTime
  ) {
    while !queue.hasRoom(for: event) {
      destination.switches.count(.earlyEvents)
      if queue.isEmpty {
        // Longer than all the room there is: it cannot wait.
        let isIn = list.insertCopy(of: event, from: source, at: first)
        if isIn { note(event) }
        return
      }
      if !handOnFirst(at: first) {
        // Nor has the unit room; its list counts what it refuses.
        _ = list.insertCopy(of: event, from: source, at: first)
        return
      }
    }
    queue.append(event, of: source, at: frame)
  }

  /// Leaves out the notes that have not begun at a unit that was told to end all, and gives it at
  /// once whatever else waits.
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

  /// Gives the unit what takes effect before `end`; what finds no room there waits on.
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
    // It stays where it was until another one comes.
    note(event)
    return true
  }

  @_noLocks @_noAllocation
  private func note(_ event: UnsafeMutablePointer<RenderEvent>) {
    if let held, case .midi? = event.pointee.eventKind { held.take(event.pointee.message) }
  }
}
