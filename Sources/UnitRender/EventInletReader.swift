// The render side's end of an event inlet: arrived events, and events waiting for their frame.

import Realtime

/// Indices of an inlet's counters.
enum InletCount {
  /// Events with a frame, in transit or waiting.
  static var timed: Int { @_noLocks @_noAllocation get { 0 } }
  /// Bytes of SysEx, in transit or waiting.
  static var payload: Int { @_noLocks @_noAllocation get { 1 } }
  /// Events without a frame, in transit.
  static var immediate: Int { @_noLocks @_noAllocation get { 2 } }
  /// Number of times that all timed events were discarded.
  static var epoch: Int { @_noLocks @_noAllocation get { 3 } }
  static var all: Int { @_noLocks @_noAllocation get { 4 } }

  /// Returns the counter for an event: `immediate` or `timed`.
  @_noLocks @_noAllocation
  static func of(_ event: RenderEvent) -> Int {
    event.frame == RenderEvent.immediate ? immediate : timed
  }
}

/// Merges the events from control threads into the event lists of render cycles.
///
/// The value is a handle: copies name the same inlet.
public struct EventInletReader: @unchecked Sendable, BitwiseCopyable {
  let ring: Ring<InletEvent>
  /// The most bytes of SysEx that may be outstanding.
  let payloadCapacity: Int
  /// SysEx bytes on their way back to be freed. The ring has room for all that may be outstanding.
  let spent: Ring<UInt>
  /// Counters, indexed by `InletCount`.
  let outstanding: AtomicCounters
  /// Arrived events that are waiting, in order of arrival.
  let waiting: UnsafeMutablePointer<InletEvent>
  /// Number of waiting events, the earliest of their frames, and the number of times that timed
  /// events were discarded.
  let state: UnsafeMutablePointer<(count: Int, earliest: FrameTime, epoch: Int)>
  /// The frames on which events arrived.
  let arrivals = EventArrivals()

  init(capacity: Int, payloadCapacity: Int) {
    self.payloadCapacity = payloadCapacity
    ring = Ring(capacity: capacity)
    spent = Ring(capacity: ring.capacity)
    outstanding = AtomicCounters(count: InletCount.all)
    waiting = .allocate(capacity: ring.capacity)
    state = .allocate(capacity: 1)
    state.initialize(to: (0, .max, 0))
  }

  func deallocate() {
    ring.deallocate()
    spent.deallocate()
    outstanding.deallocate()
    waiting.deallocate()
    state.deallocate()
    arrivals.deallocate()
  }

  var waitingCount: Int { state.pointee.count }

  func forgetWaiting() {
    state.pointee.count = 0
    state.pointee.earliest = .max
  }

  /// Inserts the events due before `end` into `list`, clamped to `start`.
  /// - Returns: the number of late events, whose frame had passed before `start`.
  /// - Thread: [render]. - Complexity: O(arrivals), and O(waiting) if a waiting event is due or
  ///   timed events were discarded.
  @_noLocks @_noAllocation
  public func merge(into list: RenderEventList, from start: FrameTime, to end: FrameTime) -> Int {
    let count = takeArrivals()
    if count > 0 { arrivals.note(count, at: start) }
    let epoch = outstanding[InletCount.epoch]
    let discards = epoch != state.pointee.epoch
    state.pointee.epoch = epoch
    if state.pointee.earliest >= end && !discards { return 0 }
    var late = 0
    var kept = 0
    var earliest = FrameTime.max
    var index = 0
    while index < state.pointee.count {
      let arrival = waiting[index]
      let frame = arrival.event.frame
      if frame >= end && discards && arrival.epoch != epoch {
        letGo(of: arrival)
      } else if frame >= end {
        waiting[kept] = arrival
        kept &+= 1
        if frame < earliest { earliest = frame }
      } else {
        if frame < start && frame != RenderEvent.immediate { late &+= 1 }
        deliver(arrival, to: list, at: frame < start ? start : frame)
      }
      index &+= 1
    }
    state.pointee.count = kept
    state.pointee.earliest = earliest
    return late
  }

  /// - Returns: the number of arrivals.
  @_noLocks @_noAllocation
  func takeArrivals() -> Int {
    var count = 0
    while let arrival = ring.tryReceive() {
      waiting[state.pointee.count] = arrival
      state.pointee.count &+= 1
      if arrival.event.frame < state.pointee.earliest {
        state.pointee.earliest = arrival.event.frame
      }
      count &+= 1
    }
    return count
  }

  @_noLocks @_noAllocation
  private func deliver(_ arrival: InletEvent, to list: RenderEventList, at frame: FrameTime) {
    if let payload = arrival.payload {
      _ = list.insertSystemExclusive(
        payload, count: Int(arrival.event.length), cable: arrival.event.cable, at: frame)
    } else {
      let isLate = arrival.event.frame < frame
      _ = list.insert(isLate ? arrival.event.delivered(at: frame) : arrival.event)
    }
    letGo(of: arrival)
  }

  /// Releases the room that an event took.
  @_noLocks @_noAllocation
  private func letGo(of arrival: InletEvent) {
    if let payload = arrival.payload {
      _ = spent.trySend(UInt(bitPattern: payload))
      outstanding.add(0 &- Int(arrival.event.length), to: InletCount.payload)
    }
    outstanding.add(-1, to: InletCount.of(arrival.event))
  }
}
