// What of a call's events goes to the chain that leaves, and how its parameter events come back.

import Realtime
import UnitRender

extension MIDIChainHandover {
  /// Copies what the old chain has to know into `scratch`, and takes what belongs to it alone out
  /// of the list.
  /// - Returns: the frame on which the last thing that the old chain held has ended; nil when it
  ///   holds something.
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
      if !toOld && !toNew { ended.take(message, kind) } else { ended.heed(message, kind) }
      if toNew {
        held.take(message, kind)
        previous = event
      } else {
        events.remove(event, after: previous)
      }
    }
    return ending
  }

  /// Gives a message the identity of its note, which the chain that has it knows by it.
  @_noLocks @_noAllocation
  private mutating func identify(
    _ event: UnsafeMutablePointer<RenderEvent>, _ message: ShortMessage, _ kind: MessageKind,
    isOld: Bool
  ) {
    let place = message.place
    let isDown = held.isDown(place) || leavingHeld.isDown(place)
    event.pointee.identity =
      isOld
      ? leavingHeld.identity(of: message, kind, isDown: isDown)
      : held.identity(of: message, kind, isDown: isDown)
    if !kind.isNoteOn && !kind.isNoteOff { return }
    held.setDown(place, kind.isNoteOn)
    leavingHeld.setDown(place, false)
  }

  /// Decides where a message goes; what chains that were ended held, is for nobody to end.
  @_noLocks @_noAllocation
  private mutating func findRoute(
    _ message: ShortMessage, _ kind: MessageKind
  ) -> (toNew: Bool, toOld: Bool) {
    let subject = message.subject(kind)
    var isOld = leavingHeld.holds(subject)
    switch kind {
    // Steps follow MIDI clock and time code to the end; what the old chain lets through is left
    // out.
    case .system: return (true, !leavingHeld.isEmpty)
    // A chain may have sent the notes to another channel, or play latched ones.
    case .controller: if message.endsNotes(kind) { isOld = !leavingHeld.isEmpty }
    default: break
    }
    let route = NoteRoute(
      subject, current: held.holds(subject), other: isOld || ended.holds(subject))
    return (route.toCurrent, route.toOther && isOld)
  }

  /// Without room the message cannot reach the old chain, which therefore ends here.
  @_noLocks @_noAllocation
  private mutating func send(_ event: RenderEvent, _ kind: MessageKind) {
    var event = event
    // The old chain is to end its notes, not to change how a receiver plays.
    if event.message.endsNotes(kind) && event.message.number > Int(ControllerNumber.allNotesOff) {
      event.message = event.message.asAllNotesOff
    }
    leavingHeld.take(event.message, kind)
    if scratch.room == 0 || !scratch.insert(event) { leavingHeld.moveAll(to: &ended) }
  }

  /// Puts the parameter events that the old chain has made before what comes to the current one on
  /// the same frame: what a control moves is moved, also where the stage is a new one by now.
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
        // A full list counts what it refuses.
        if let added = events.insert(event.pointee, after: previous) { previous = added }
      default: break
      }
    }
  }
}

extension NoteLedger {
  /// Whether a message that a chain that leaves has sent is to be sent on, of which this counts
  /// what sounds: a note-off where nothing sounds would end another's note.
  @_noLocks @_noAllocation
  func isForReceiver(_ message: ShortMessage, _ kind: MessageKind) -> Bool {
    switch kind {
    case .system, .other: return false
    case .noteOff: return count(message.place) > 0
    case .noteOn, .keyPressure, .controller, .plainController, .programChange, .channelPressure,
      .pitchBend,
      .systemExclusive, .systemReset:
      return true
    }
  }
}
