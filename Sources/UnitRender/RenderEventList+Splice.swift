// The insertion of an event directly after another one.

import Realtime

extension RenderEventList {
  /// Number of further events that fit into the list.
  ///
  /// - Thread: [render]
  @inlinable
  public var room: Int {
    @_noLocks @_noAllocation get {
      Int(header.pointee.eventCapacity) &- Int(header.pointee.eventCount)
    }
  }

  /// Number of further bytes of SysEx that fit into the list.
  ///
  /// - Thread: [render]
  @inlinable
  public var payloadRoom: Int {
    @_noLocks @_noAllocation get {
      Int(header.pointee.payloadCapacity) &- Int(header.pointee.payloadUsed)
    }
  }

  /// Inserts a parameter or short MIDI event between `previous` and its successor.
  ///
  /// - Parameters:
  ///   - event: an event whose frame lies between those of its neighbours, or is the same.
  ///   - previous: an event of this list; nil puts `event` before all others.
  /// - Returns: the event in the list; nil if the list is full, which counts in `droppedCount`.
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

  /// Inserts a SysEx event between `previous` and its successor, and copies its bytes.
  ///
  /// - Parameters:
  ///   - event: as for `insert(_:after:)`; its `length` is the number of bytes.
  ///   - previous: an event of this list; nil puts `event` before all others.
  /// - Returns: the event in the list; nil if the list is full, which counts in `droppedCount`.
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
