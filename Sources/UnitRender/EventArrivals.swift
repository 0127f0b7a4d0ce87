// The frames on which events from the control side arrived.

import Realtime

/// Records the last cycles in which events arrived, so that a sender learns when its event took
/// effect. The value is a handle: copies name the same memory.
struct EventArrivals: @unchecked Sendable, BitwiseCopyable {
  /// Number of cycles recorded.
  private static var capacity: Int { @_noLocks @_noAllocation get { 256 } }
  /// Indices of the counters before the cycles: events sent, events arrived, and cycles. The first
  /// cycle follows them.
  private static var sent: Int { @_noLocks @_noAllocation get { 0 } }
  private static var arrived: Int { @_noLocks @_noAllocation get { 1 } }
  private static var cycles: Int { @_noLocks @_noAllocation get { 2 } }
  private static var first: Int { @_noLocks @_noAllocation get { 3 } }

  private let words = AtomicCounters(count: 3 + 2 * 256)

  /// - Thread: [control]
  init() {}

  /// - Thread: [control], once the render side is gone.
  func deallocate() { words.deallocate() }

  /// - Thread: [control], one at a time.
  func countSent() { words.add(1, to: Self.sent) }

  /// - Thread: [any]
  var sentCount: Int { words[Self.sent] }

  /// Records that events have arrived.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func note(_ count: Int, at frame: FrameTime) {
    let total = words[Self.arrived] &+ count
    let cycle = words[Self.cycles]
    let slot = Self.first &+ (cycle & (Self.capacity &- 1)) &* 2
    words.set(total, Int(truncatingIfNeeded: frame), from: slot)
    words[Self.cycles] = cycle &+ 1
    // Stored after the cycle, so that a reader of the count finds the cycle.
    words[Self.arrived] = total
  }

  /// Records that events were dropped and no cycle has taken them.
  /// - Thread: [control], while nothing renders.
  func forget(_ count: Int) { note(count, at: Self.never) }

  private static let never: FrameTime = -1

  /// Number of events that have arrived or were dropped.
  /// - Thread: [any]
  var arrivedCount: Int { words[Self.arrived] }

  /// Returns the first frame of the cycle that took an event, given its number from 1 on. Nil if it
  /// was dropped, or no recorded cycle took it.
  /// - Thread: [any]
  func frame(of number: Int) -> FrameTime? {
    let end = words[Self.cycles]
    let oldest = max(0, end - Self.capacity)
    var found: (cycle: Int, frame: Int)?
    var isBeforeFound = oldest == 0
    var cycle = end - 1
    while cycle >= oldest {
      let slot = Self.first + (cycle & (Self.capacity - 1)) * 2
      guard words[slot] >= number else {
        isBeforeFound = true
        break
      }
      found = (cycle, words[slot + 1])
      cycle -= 1
    }
    // A cycle that was overwritten meanwhile does not count.
    guard let found, isBeforeFound, words[Self.cycles] - found.cycle < Self.capacity else {
      return nil
    }
    return found.frame == Int(Self.never) ? nil : FrameTime(found.frame)
  }
}
