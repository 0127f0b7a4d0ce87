// The insertion of events in frame order.

import Realtime

extension RenderEventList {
  /// Inserts a parameter or short MIDI event after all events of its frame. If the list is full,
  /// returns false and counts the event in `droppedCount`.
  ///
  /// - Thread: [render]
  /// - Complexity: O(1) if frames arrive in order, also if ordered runs of several sources
  ///   alternate; O(events) in the worst case.
  @_noLocks @_noAllocation @inlinable
  public func insert(_ event: RenderEvent) -> Bool {
    let index = header.pointee.eventCount
    if index >= header.pointee.eventCapacity {
      header.pointee.droppedCount &+= 1
      return false
    }
    if event.isBypass { header.pointee.bypassCount &+= 1 }
    events[Int(index)] = event
    header.pointee.eventCount = index &+ 1
    link(index &+ 1)
    return true
  }

  /// Inserts a SysEx event and copies its bytes. If there is no room, returns false and counts the
  /// event in `droppedCount`.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func insertSystemExclusive(
    _ bytes: UnsafePointer<UInt8>, count: Int, cable: UInt8 = 0, at frame: FrameTime
  ) -> Bool {
    let used = Int(header.pointee.payloadUsed)
    if count < 0 || count > Int(header.pointee.payloadCapacity) &- used {
      header.pointee.droppedCount &+= 1
      return false
    }
    var event = RenderEvent.systemExclusive(
      length: UInt32(truncatingIfNeeded: count), cable: cable, at: frame)
    event.payloadOffset = UInt32(truncatingIfNeeded: used)
    if !insert(event) { return false }
    UnsafeMutableRawPointer(payload + used).copyMemory(from: bytes, byteCount: count)
    header.pointee.payloadUsed = UInt32(truncatingIfNeeded: used &+ count)
    return true
  }

  /// Inserts raw bytes as a short message or a SysEx. Bytes that are neither are not inserted.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func insertMIDI(
    _ bytes: UnsafePointer<UInt8>, count: Int, cable: UInt8 = 0, at frame: FrameTime
  ) -> MIDIInsertion {
    switch MIDIMessage.form(of: bytes, count: count) {
    case .malformed:
      return .malformed
    case .systemExclusive:
      return insertSystemExclusive(bytes, count: count, cable: cable, at: frame)
        ? .inserted : .full
    case .short:
      let event = RenderEvent.midi(
        bytes[0], count > 1 ? bytes[1] : 0, count > 2 ? bytes[2] : 0,
        length: UInt32(truncatingIfNeeded: count),
        cable: cable, at: frame)
      return insert(event) ? .inserted : .full
    }
  }

  /// Copies `event` of `list` into this list, at `frame`. If there is no room, returns false and
  /// counts the event in `droppedCount`.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func insertCopy(
    of event: UnsafeMutablePointer<RenderEvent>, from list: RenderEventList, at frame: FrameTime
  ) -> Bool {
    if case .systemExclusive? = event.pointee.eventKind {
      return insertSystemExclusive(
        list.systemExclusiveBytes(of: event), count: Int(event.pointee.length),
        cable: event.pointee.cable, at: frame)
    }
    var copy = event.pointee
    copy.frame = frame
    return insert(copy)
  }

  /// Links the event of `link` into frame order, after all of the same frame.
  @_noLocks @_noAllocation @inlinable
  func link(_ link: UInt32) {
    let new = events + Int(link &- 1)
    new.pointee.next = 0
    let frame = new.pointee.frame
    guard let last = event(atLink: header.pointee.tail) else {
      header.pointee.head = link
      header.pointee.tail = link
      header.pointee.lastInserted = link
      return
    }
    if last.pointee.frame <= frame {
      last.pointee.next = link
      header.pointee.tail = link
      header.pointee.lastInserted = link
      return
    }
    // An ordered source continues after its last event, so that merging n sources stays linear.
    var before: UInt32 = 0
    if let hint = event(atLink: header.pointee.lastInserted), hint.pointee.frame <= frame {
      before = header.pointee.lastInserted
    }
    var following = before == 0 ? header.pointee.head : events[Int(before &- 1)].next
    while let candidate = event(atLink: following), candidate.pointee.frame <= frame {
      before = following
      following = candidate.pointee.next
    }
    new.pointee.next = following
    if before == 0 {
      header.pointee.head = link
    } else {
      events[Int(before &- 1)].next = link
    }
    header.pointee.lastInserted = link
  }
}

/// The outcome of inserting raw MIDI bytes.
public enum MIDIInsertion: UInt8, Sendable {
  case inserted
  /// The list is full; the event is counted in its `droppedCount`.
  case full
  /// The bytes are not one complete MIDI message.
  case malformed
}
