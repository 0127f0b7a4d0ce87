// How an event is put right behind another one.

import Realtime

extension RenderEventList {
  /// How many more events the list takes.
  ///
  /// - Thread: [render]
  @inlinable
  public var room: Int {
    @_noLocks @_noAllocation get {
      Int(header.pointee.eventCapacity) &- Int(header.pointee.eventCount)
    }
  }

  /// How many more bytes of SysEx the list takes.
  ///
  /// - Thread: [render]
  @inlinable
  public var payloadRoom: Int {
    @_noLocks @_noAllocation get {
      Int(header.pointee.payloadCapacity) &- Int(header.pointee.payloadUsed)
    }
  }

  /// Inserts a parameter or short MIDI event between `previous` and what follows it.
  ///
  /// - Parameters:
  ///   - event: its frame lies between those of its neighbours, or is the same.
  ///   - previous: an event of this list; nil puts `event` before all others.
  /// - Returns: the event in the list; nil, and counted in `droppedCount`, when the list is full.
  /// - Thread: [render]. - Complexity: O(1)
  @_noLocks @_noAllocation @inlinable
  public func insert(
    _ event: RenderEvent, after previous: UnsafeMutablePointer<RenderEvent>?
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let index = header.pointee.eventCount
    if index >= header.pointee.eventCapacity {
      header.pointee.droppedCount &+= 1
      return nil
    }
    let new = events + Int(index)
    new.pointee = event
    header.pointee.eventCount = index &+ 1
    if let previous {
      new.pointee.next = previous.pointee.next
      previous.pointee.next = index &+ 1
    } else {
      new.pointee.next = header.pointee.head
      header.pointee.head = index &+ 1
    }
    if new.pointee.next == 0 { header.pointee.tail = index &+ 1 }
    return new
  }

  /// Inserts a SysEx event between `previous` and what follows it, and copies its bytes.
  ///
  /// - Parameters:
  ///   - event: as for `insert(_:after:)`; its `length` says how many bytes there are.
  ///   - previous: an event of this list; nil puts `event` before all others.
  /// - Returns: the event in the list; nil, and counted in `droppedCount`, when the list is full.
  /// - Thread: [render]. - Complexity: O(bytes)
  @_noLocks @_noAllocation @inlinable
  public func insertSystemExclusive(
    _ event: RenderEvent, _ bytes: UnsafePointer<UInt8>,
    after previous: UnsafeMutablePointer<RenderEvent>?
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let count = Int(event.length)
    let used = Int(header.pointee.payloadUsed)
    if count > payloadRoom {
      header.pointee.droppedCount &+= 1
      return nil
    }
    var copy = event
    copy.payloadOffset = UInt32(truncatingIfNeeded: used)
    guard let new = insert(copy, after: previous) else { return nil }
    UnsafeMutableRawPointer(payload + used).copyMemory(from: bytes, byteCount: count)
    header.pointee.payloadUsed = UInt32(truncatingIfNeeded: used &+ count)
    return new
  }
}
