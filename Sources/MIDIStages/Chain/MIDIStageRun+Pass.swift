// The path of an event through the stages of a run.

import Realtime
import UnitRender

extension MIDIStageRun {
  /// Sends an event, and those made from it, through the stages `from` ..< `to`. The message is in
  /// a register meanwhile, and the event stays unchanged.
  /// - Returns: the last event made from it; `previous` for none.
  @_noLocks @_noAllocation @inline(never)
  func pass(
    _ event: UnsafeMutablePointer<RenderEvent>, after previous: UnsafeMutablePointer<RenderEvent>?,
    in events: RenderEventList, _ from: Int, _ to: Int
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let slots = self.slots
    var kind = MessageKind.of(event)
    var message = ShortMessage(of: event)
    if case .other = kind { return passParameter(event, in: events, from, to) }
    let link = event.pointee.next
    var index = from
    while index < to {
      let before = message
      message = slots[index].process(message, kind, of: event, in: events)
      if message.isNone {
        events.remove(event, after: previous)
        return previous
      }
      if event.pointee.next != link {
        message.write(to: event)
        return pass(after: previous, upTo: events.event(at: link), in: events, index &+ 1, to)
      }
      index &+= 1
      if message.word != before.word && slots[index &- 1].traits.changesKinds {
        message.write(to: event)
        kind = MessageKind.of(event)
        if case .other = kind { return passParameter(event, in: events, index, to) }
      }
    }
    message.write(to: event)
    return event
  }

  /// Sends the events between two events through the stages `from` ..< `to`.
  /// - Returns: the last event made from them; `previous` for none.
  @_noLocks @_noAllocation @inline(never)
  func pass(
    after previous: UnsafeMutablePointer<RenderEvent>?,
    upTo following: UnsafeMutablePointer<RenderEvent>?, in events: RenderEventList,
    _ from: Int, _ to: Int
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = previous
    while let event = events.next(behind: last), event != following {
      last = pass(event, after: last, in: events, from, to)
    }
    return last
  }

  /// Applies a parameter event if it belongs to one of the stages `from` ..< `to`. Sends the
  /// resulting releases through the stages after that.
  /// - Returns: the last event made from it.
  @_noLocks @_noAllocation @inline(never)
  private func passParameter(
    _ event: UnsafeMutablePointer<RenderEvent>, in events: RenderEventList, _ from: Int, _ to: Int
  ) -> UnsafeMutablePointer<RenderEvent>? {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: break
    default: return event
    }
    let index = addresses.stageIndex(of: event.pointee.address) &- first
    if index < from || index >= to { return event }
    slots[index].setParameter(address: event.pointee.address, to: event.pointee.value)
    if !slots[index].hasPendingReleases { return event }
    let following = events.next(after: event)
    _ = slots[index].settle(after: event, at: event.pointee.frame, in: events)
    return pass(after: event, upTo: following, in: events, index &+ 1, to)
  }
}

extension RenderEventList {
  /// The event at a link; nil for 0.
  @_noLocks @_noAllocation
  fileprivate func event(at link: UInt32) -> UnsafeMutablePointer<RenderEvent>? {
    if link == 0 { return nil }
    return events + Int(link - 1)
  }

  /// The event after `event`; the first one if `event` is nil.
  @_noLocks @_noAllocation
  func next(
    behind event: UnsafeMutablePointer<RenderEvent>?
  ) -> UnsafeMutablePointer<RenderEvent>? {
    if let event { return next(after: event) }
    return first
  }

  /// A frame for events to be inserted before all events that are before `end`.
  @_noLocks @_noAllocation
  func firstFrame(before end: FrameTime) -> FrameTime {
    if let first, first.pointee.frame < end { return first.pointee.frame }
    return end &- 1
  }
}
