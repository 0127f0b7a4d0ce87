// How an event goes through the stages of a run.

import Realtime
import UnitRender

extension MIDIStageRun {
  /// Sends events through some of the stages, of which only the first may owe something.
  @_noLocks @_noAllocation
  mutating func process(
    _ events: RenderEventList, before end: FrameTime, from: Int, to: Int,
    held: UnsafeMutablePointer<NoteLedger>?, sounding: NoteSink?
  ) {
    let stages = (UInt64.max << UInt64(from)) & (UInt64.max >> UInt64(64 - to))
    droppedCount = events.header.pointee.droppedCount
    var previous: UnsafeMutablePointer<RenderEvent>?
    if places[from].owes {
      let owed = places[from].settle(in: events, before: end)
      noteInterest(from)
      previous = pass(
        after: nil, upTo: events.next(behind: owed), in: events, Self.stages(stages, behind: from))
    }
    if let sounding { previous = sounding.send(events, behind: nil, through: previous) }
    var next = events.next(behind: previous)
    while let event = next, event.pointee.frame < end {
      let message = ShortMessage(of: event)
      let kind = MessageKind.of(event)
      if let held {
        if kind.isNoteOn || kind.isNoteOff { held.pointee.mark(event, message, kind) }
        held.pointee.take(message, kind)
      }
      if isTimed {
        let before = previous
        previous = places[0].stage.advance(after: previous, to: event.pointee.frame, in: events)
        if let sounding {
          previous = sounding.send(events, behind: before, through: previous)
        }
      }
      noteInterestsWhereDropped(events)
      let rest = interested[kind.number] & stages
      let before = previous
      previous = rest == 0 ? event : pass(event, kind, after: previous, in: events, stages, rest)
      if let sounding {
        previous =
          previous == event && events.next(behind: before) == event
          ? sounding.send(event, behind: before, in: events)
          : sounding.send(events, behind: before, through: previous)
      }
      next = events.next(behind: previous)
    }
    if !isTimed { return }
    let before = previous
    previous = places[0].stage.advance(after: previous, to: end, in: events)
    if let sounding { _ = sounding.send(events, behind: before, through: previous) }
  }

  /// A stage that has found no room for something may have to see more from then on.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func noteInterestsWhereDropped(_ events: RenderEventList) {
    if _slowPath(events.header.pointee.droppedCount != droppedCount) {
      droppedCount = events.header.pointee.droppedCount
      var rest = fanning
      while rest != 0 {
        noteInterest(rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }

  /// Sends an event, and what comes of it, through those of some stages that have to see it: one at least.
  /// - Returns: the last event that has come of it, `previous` for none.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func pass(
    _ event: UnsafeMutablePointer<RenderEvent>, _ kind: MessageKind,
    after previous: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList,
    _ stages: UInt64, _ rest: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    switch kind {
    case .other: return passParameter(event, in: events, stages)
    case .noteOn where rest & detours == 0:
      return passNoteOn(event, after: previous, in: events, stages, rest)
    case .noteOff where rest & detours == 0:
      return passNoteOff(event, after: previous, in: events, stages, rest)
    default:
      return pass(ShortMessage(of: event), kind, event, after: previous, in: events, stages, rest)
    }
  }

  @_noLocks @_noAllocation @inline(never)
  private mutating func passNoteOn(
    _ event: UnsafeMutablePointer<RenderEvent>, after previous: UnsafeMutablePointer<RenderEvent>?,
    in events: RenderEventList, _ stages: UInt64, _ rest: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    passNote(true, event, after: previous, in: events, stages, rest)
  }

  @_noLocks @_noAllocation @inline(never)
  private mutating func passNoteOff(
    _ event: UnsafeMutablePointer<RenderEvent>, after previous: UnsafeMutablePointer<RenderEvent>?,
    in events: RenderEventList, _ stages: UInt64, _ rest: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    passNote(false, event, after: previous, in: events, stages, rest)
  }

  /// Sends the event of a note, which most stages have to see, through stages that do not bypass it
  /// and most of which do not split it: what most notes meet is worked out here, without a call.
  /// - Parameters:
  ///   - isOn: whether it is a note-on, rather than a note-off.
  ///   - rest: those of the stages that have to see it.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func passNote(
    _ isOn: Bool, _ event: UnsafeMutablePointer<RenderEvent>,
    after previous: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList,
    _ stages: UInt64, _ rest: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let places = self.places
    var note = NoteMessage(ShortMessage(of: event), isOn: isOn)
    var rest = rest
    while rest != 0 {
      switch places[rest.trailingZeroBitCount].stage {
      case .filter(let stage): note = stage.pointee.process(note)
      case .transpose(let stage): note = stage.pointee.process(note)
      case .velocity(let stage): note = stage.pointee.process(note)
      case .scale(let stage): note = stage.pointee.process(note)
      case .channel(let stage) where stage.pointee.keepsWhole(note):
        note = stage.pointee.process(note)
      case .chord(let stage) where stage.pointee.keepsWhole(note):
        note = stage.pointee.process(note)
      default:
        return pass(
          note.message, isOn ? .noteOn : .noteOff, event, after: previous, in: events, stages, rest)
      }
      if note.isNone {
        events.remove(event, after: previous)
        return previous
      }
      rest &= rest &- 1
    }
    note.message.write(to: event)
    return event
  }

  /// Sends an event with a message of a kind through stages.
  /// - Parameter rest: those of the stages that have to see it.
  @_noLocks @_noAllocation @inline(never)
  private mutating func pass(
    _ message: ShortMessage, _ kind: MessageKind, _ event: UnsafeMutablePointer<RenderEvent>,
    after previous: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList,
    _ stages: UInt64, _ rest: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var message = message
    var kind = kind
    var rest = rest
    let places = self.places
    let link = event.pointee.next
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      let before = message.word
      if bypassed >> UInt64(index) & 1 == 0 {
        message = places[index].stage.process(message, kind, of: event, in: events)
        if kind.saysRanges && places[index].stage.heedsRanges { noteKinds(index) }
      } else {
        message = places[index].processOrPassAround(message, kind, of: event, in: events)
        if !places[index].needsBypass { noteInterest(index) }
      }
      if message.isNone {
        events.remove(event, after: previous)
        return previous
      }
      if event.pointee.next != link {
        if places[index].stage.heedsRanges { noteKinds(index) }
        message.write(to: event)
        return pass(
          after: previous, upTo: events.event(at: link), in: events,
          Self.stages(stages, behind: index))
      }
      if message.word != before && places[index].stage.changesKinds {
        message.write(to: event)
        kind = MessageKind.of(event)
        let behind = Self.stages(stages, behind: index)
        if case .other = kind { return passParameter(event, in: events, behind) }
        rest = interested[kind.number] & behind
      }
    }
    message.write(to: event)
    return event
  }

  /// Sends the events between two through some stages.
  /// - Returns: the last event that has come of them, `previous` for none.
  @_noLocks @_noAllocation @inline(never)
  private mutating func pass(
    after previous: UnsafeMutablePointer<RenderEvent>?,
    upTo following: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList,
    _ stages: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = previous
    while let event = events.next(behind: last), event != following {
      noteInterestsWhereDropped(events)
      let kind = MessageKind.of(event)
      let rest = interested[kind.number] & stages
      last =
        rest == 0 ? event : pass(event, kind, after: last, in: events, stages, rest)
    }
    return last
  }

  /// Lets a parameter event take effect if it belongs to one of some stages, and sends what follows
  /// from it through those behind.
  /// - Returns: the last event that has come of it.
  @_noLocks @_noAllocation @inline(never)
  private mutating func passParameter(
    _ event: UnsafeMutablePointer<RenderEvent>, in events: RenderEventList, _ stages: UInt64
  ) -> UnsafeMutablePointer<RenderEvent>? {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: break
    default: return event
    }
    let index = addresses.place(of: event.pointee.address) - first
    if index < 0 || index >= count || stages >> UInt64(index) & 1 == 0 { return event }
    setParameter(event.pointee.address, of: first + index, to: event.pointee.value)
    if !places[index].stage.owes { return event }
    let following = events.next(after: event)
    _ = places[index].stage.settle(after: event, in: events, before: event.pointee.frame &+ 1)
    return pass(
      after: event, upTo: following, in: events, Self.stages(stages, behind: index))
  }

  /// Those of some stages that stand behind one.
  @_noLocks @_noAllocation
  private static func stages(_ stages: UInt64, behind index: Int) -> UInt64 {
    stages & (UInt64.max << UInt64(index)) << 1
  }
}

extension RenderEventList {
  /// The event that a link leads to.
  @_noLocks @_noAllocation
  fileprivate func event(at link: UInt32) -> UnsafeMutablePointer<RenderEvent>? {
    if link == 0 { return nil }
    return events + Int(link - 1)
  }

  /// The event after `event`, the first one after nil.
  @_noLocks @_noAllocation
  func next(
    behind event: UnsafeMutablePointer<RenderEvent>?
  ) -> UnsafeMutablePointer<RenderEvent>? {
    if let event { return next(after: event) }
    return first
  }
}
