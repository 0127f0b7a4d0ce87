// Counters of deferred events.

import Realtime

/// Counters of the events that a chain or a sampler defers. The value is a handle: copies name the
/// same memory.
public struct DeferredEventCounters: Sendable, BitwiseCopyable {
  private let counters = AtomicCounters(count: 3)

  /// - Thread: [control]
  public init() {}

  /// - Thread: [control], after the last use of the counters.
  public func deallocate() { counters.deallocate() }

  @_noLocks @_noAllocation
  package func countDeferred() { counters.add(1, to: 0) }

  @_noLocks @_noAllocation
  package func noteDelay(_ frames: Int) { if frames > counters[1] { counters[1] = frames } }

  @_noLocks @_noAllocation
  package func countLost() { counters.add(1, to: 2) }

  /// The number of events that had to wait for earlier ones.
  ///
  /// - Thread: [any]
  public var deferredEvents: Int { counters[0] }

  /// The longest delay of a deferred event, in frames.
  ///
  /// - Thread: [any]
  public var longestDelayFrames: Int { counters[1] }

  /// The number of events lost because no more could be deferred.
  ///
  /// - Thread: [any]
  public var lostEvents: Int { counters[2] }
}
