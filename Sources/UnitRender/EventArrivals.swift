// On which frames events of the control side have arrived.

import Realtime

/// Remembers the last cycles that brought events, so that who has sent one learns when it took
/// effect. The value is a handle: copies name the same memory.
struct EventArrivals: @unchecked Sendable, BitwiseCopyable {
  /// How many cycles are remembered.
  private static var capacity: Int { @_noLocks @_noAllocation get { 256 } }
  /// The places of what stands before the cycles: the events that were sent and that have arrived,
  /// and the cycles.
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

  /// Notes that events have arrived.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func note(_ count: Int, at frame: FrameTime) {
    let total = words[Self.arrived] &+ count
    let cycle = words[Self.cycles]
    let place = Self.first &+ (cycle & (Self.capacity &- 1)) &* 2
    words.set(total, Int(truncatingIfNeeded: frame), from: place)
    words[Self.cycles] = cycle &+ 1
    // Behind the cycle, so that who sees it finds that.
    words[Self.arrived] = total
  }

  /// Notes that events were dropped, and no cycle has taken them.
  /// - Thread: [control], while nothing renders.
  func forget(_ count: Int) { note(count, at: Self.never) }

  private static let never: FrameTime = -1

  /// How many events have arrived, or were dropped.
  /// - Thread: [any]
  var arrivedCount: Int { words[Self.arrived] }

  /// The first frame of the cycle that has taken the event of a number, counted from 1.
  /// - Thread: [any]
  func frame(of number: Int) -> FrameTime? {
    let end = words[Self.cycles]
    let oldest = max(0, end - Self.capacity)
    var found: (cycle: Int, frame: Int)?
    var isBeforeFound = oldest == 0
    var cycle = end - 1
    while cycle >= oldest {
      let place = Self.first + (cycle & (Self.capacity - 1)) * 2
      guard words[place] >= number else {
        isBeforeFound = true
        break
      }
      found = (cycle, words[place + 1])
      cycle -= 1
    }
    // What was written over meanwhile is another cycle's.
    guard let found, isBeforeFound, words[Self.cycles] - found.cycle < Self.capacity else {
      return nil
    }
    return found.frame == Int(Self.never) ? nil : FrameTime(found.frame)
  }
}
