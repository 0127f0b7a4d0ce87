// The events of one render cycle, sorted by frame, in one piece of memory.

import Realtime

/// A list of render events in frame order; events of one frame keep their order of arrival.
///
/// The memory is a header, the events, then the bytes of SysEx messages. Counterpart of the list
/// that starts at `realtimeEventListHead`.
///
/// The value is a handle: copies name the same list.
public struct RenderEventList: @unchecked Sendable, BitwiseCopyable {
  public let header: UnsafeMutablePointer<RenderEventListHeader>

  /// Creates a handle to the list that starts at `header`.
  @_noLocks @_noAllocation @inlinable
  public init(at header: UnsafeMutablePointer<RenderEventListHeader>) {
    self.header = header
  }

  /// Returns the size in bytes of a list with these capacities.
  @_noLocks @_noAllocation @inlinable
  public static func byteCount(events: Int, payload: Int) -> Int {
    MemoryLayout<RenderEventListHeader>.size + events * MemoryLayout<RenderEvent>.stride + payload
  }

  /// Allocates a list for `events` events and `payload` bytes of SysEx.
  /// - Thread: [control]
  public static func allocate(events: Int, payload: Int) -> RenderEventList {
    // In blocks of sixteen bytes: a debug build calls a function for each element.
    let blocks = (byteCount(events: events, payload: payload) + 15) / 16
    let memory = UnsafeMutableRawPointer.allocate(byteCount: blocks * 16, alignment: 16)
    memory.initializeMemory(as: SIMD16<UInt8>.self, repeating: SIMD16(), count: blocks)
    let header = memory.bindMemory(to: RenderEventListHeader.self, capacity: 1)
    header.pointee = RenderEventListHeader()
    header.pointee.eventCapacity = UInt32(events)
    header.pointee.payloadCapacity = UInt32(payload)
    return RenderEventList(at: header)
  }

  /// - Thread: [control], once the list is no longer used.
  public func deallocate() {
    UnsafeMutableRawPointer(header).deallocate()
  }

  /// The events in order of arrival, `header.eventCount` of them.
  @inlinable
  public var events: UnsafeMutablePointer<RenderEvent> {
    @_noLocks @_noAllocation get {
      (UnsafeMutableRawPointer(header) + MemoryLayout<RenderEventListHeader>.size)
        .assumingMemoryBound(to: RenderEvent.self)
    }
  }

  @inlinable
  var payload: UnsafeMutablePointer<UInt8> {
    @_noLocks @_noAllocation get {
      UnsafeMutableRawPointer(events + Int(header.pointee.eventCapacity))
        .assumingMemoryBound(to: UInt8.self)
    }
  }

  @inlinable
  public var count: Int { @_noLocks @_noAllocation get { Int(header.pointee.eventCount) } }

  /// The first event in frame order; nil if there is none.
  @inlinable
  public var first: UnsafeMutablePointer<RenderEvent>? {
    @_noLocks @_noAllocation get { event(atLink: header.pointee.head) }
  }

  /// Returns the event after `event` in frame order; nil at the end.
  @_noLocks @_noAllocation @inlinable
  public func next(after event: UnsafeMutablePointer<RenderEvent>) -> UnsafeMutablePointer<
    RenderEvent
  >? {
    self.event(atLink: event.pointee.next)
  }

  /// Returns the bytes of a SysEx event of this list: `event.length` of them.
  @_noLocks @_noAllocation @inlinable
  public func systemExclusiveBytes(of event: UnsafeMutablePointer<RenderEvent>) -> UnsafePointer<
    UInt8
  > {
    UnsafePointer(payload + Int(event.pointee.payloadOffset))
  }

  @_noLocks @_noAllocation @inlinable
  func event(atLink link: UInt32) -> UnsafeMutablePointer<RenderEvent>? {
    link == 0 ? nil : events + Int(link &- 1)
  }

  /// Empties the list.
  /// - Thread: [render]. - Complexity: O(1)
  @_noLocks @_noAllocation @inlinable
  public func removeAll() {
    header.pointee.eventCount = 0
    header.pointee.head = 0
    header.pointee.tail = 0
    header.pointee.lastInserted = 0
    header.pointee.payloadUsed = 0
    header.pointee.droppedCount = 0
    header.pointee.bypassCount = 0
  }

  /// Unlinks the events before `frame`. Their memory stays in use until `removeAll`.
  /// - Thread: [render]. - Complexity: O(events unlinked)
  @_noLocks @_noAllocation @inlinable
  public func removeEvents(before frame: FrameTime) {
    while let event = first, event.pointee.frame < frame {
      header.pointee.head = event.pointee.next
    }
    header.pointee.lastInserted = 0
    if header.pointee.head == 0 { header.pointee.tail = 0 }
  }

  /// Unlinks one event. Its memory stays in use until `removeAll`.
  /// - Parameter previous: the event before it in frame order; nil if it is the first.
  /// - Thread: [render]. - Complexity: O(1)
  @_noLocks @_noAllocation @inlinable
  public func remove(
    _ event: UnsafeMutablePointer<RenderEvent>, after previous: UnsafeMutablePointer<RenderEvent>?
  ) {
    if let previous {
      previous.pointee.next = event.pointee.next
    } else {
      header.pointee.head = event.pointee.next
    }
    if event.pointee.next == 0 {
      header.pointee.tail = 0
      if let previous { header.pointee.tail = UInt32(truncatingIfNeeded: previous - events) &+ 1 }
    }
    header.pointee.lastInserted = 0
  }
}
