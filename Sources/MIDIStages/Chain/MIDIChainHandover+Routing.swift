// The routing of a call's events to the old chain, and the return of its parameter events.

import Realtime
import UnitRender

extension MIDIChainHandover {
  /// Copies the events needed by the old chain into `scratch`, and removes those needed only by it
  /// from the list.
  /// - Returns: the frame on which the last note or pedal held by the old chain has ended; nil if
  ///   it holds any.
  @_noLocks @_noAllocation
  mutating func route(_ events: RenderEventList, before end: FrameTime) -> FrameTime? {
    var ending: FrameTime?
    var previous: UnsafeMutablePointer<RenderEvent>?
    var next = events.first
    while let event = next, event.pointee.frame < end {
      next = events.next(after: event)
      let message = event.pointee.message
      let kind = MessageKind.of(event)
      let (toNew, toOld) = findRoute(message, kind)
      if kind.isOfKey { identify(event, message, kind, isOld: toOld) }
      if toOld {
        send(event.pointee, kind)
        if leavingHeld.isEmpty { ending = event.pointee.frame }
      }
      if !toOld && !toNew {
        ended.take(message, kind)
      } else {
        ended.applyReleases(of: message, kind)
      }
      if toNew {
        held.take(message, kind)
        previous = event
      } else {
        events.remove(event, after: previous)
      }
    }
    return ending
  }

  /// Gives a message the identity of its note, as known to the chain that holds the note.
  @_noLocks @_noAllocation
  private mutating func identify(
    _ event: UnsafeMutablePointer<RenderEvent>, _ message: ShortMessage, _ kind: MessageKind,
    isOld: Bool
  ) {
    let index = message.noteIndex
    let isDown = held.isDown(index) || leavingHeld.isDown(index)
    event.pointee.identity =
      isOld
      ? leavingHeld.identity(of: message, kind, isDown: isDown)
      : held.identity(of: message, kind, isDown: isDown)
    if !kind.isNoteOn && !kind.isNoteOff { return }
    held.setDown(index, kind.isNoteOn)
    leavingHeld.setDown(index, false)
  }

  /// Decides which chains get a message. Ends of notes held by chains that were ended go to
  /// neither.
  @_noLocks @_noAllocation
  private mutating func findRoute(
    _ message: ShortMessage, _ kind: MessageKind
  ) -> (toNew: Bool, toOld: Bool) {
    let subject = message.subject(kind)
    var isOld = leavingHeld.holds(subject)
    switch kind {
    // The old chain's steps follow MIDI clock and time code to the end; the clock messages that it
    // passes are left out.
    case .system: return (true, !leavingHeld.isEmpty)
    // A chain may have sent the notes to another channel, or play latched ones.
    case .controller: if message.endsNotes(kind) { isOld = !leavingHeld.isEmpty }
    default: break
    }
    let route = NoteRoute(
      subject, current: held.holds(subject), other: isOld || ended.holds(subject))
    return (route.toCurrent, route.toOther && isOld)
  }

  /// Sends an event to the old chain. Without room for it the old chain ends here.
  @_noLocks @_noAllocation
  private mutating func send(_ event: RenderEvent, _ kind: MessageKind) {
    var event = event
    // The old chain has to end its notes, not to change how a receiver plays.
    if event.message.endsNotes(kind) && event.message.number > Int(ControllerNumber.allNotesOff) {
      event.message = event.message.asAllNotesOff
    }
    leavingHeld.take(event.message, kind)
    if scratch.room == 0 || !scratch.insert(event) { leavingHeld.moveAll(to: &ended) }
  }

  /// Inserts the old chain's parameter events before the events of the current chain on the same
  /// frame. So a control moves its parameter even if the stage has been replaced.
  @_noLocks @_noAllocation
  func bringParameters(to events: RenderEventList, before end: FrameTime) {
    var previous: UnsafeMutablePointer<RenderEvent>?
    var next = scratch.first
    while let event = next, event.pointee.frame < end {
      next = scratch.next(after: event)
      switch event.pointee.eventKind {
      case .parameter?, .parameterRamp?:
        while let other = events.next(behind: previous),
          other.pointee.frame < event.pointee.frame
        {
          previous = other
        }
        // A full list counts the events that it refuses.
        if let added = events.insert(event.pointee, after: previous) { previous = added }
      default: break
      }
    }
  }
}

extension NoteLedger {
  /// Whether a message that an old chain has sent is for the receiver. The ledger counts the notes
  /// that this chain sounds: without one, a note-off would end a note of another chain.
  @_noLocks @_noAllocation
  func isForReceiver(_ message: ShortMessage, _ kind: MessageKind) -> Bool {
    switch kind {
    case .system, .other: return false
    case .noteOff: return count(message.noteIndex) > 0
    case .noteOn, .keyPressure, .controller, .plainController, .programChange, .channelPressure,
      .pitchBend,
      .systemExclusive, .systemReset:
      return true
    }
  }
}
